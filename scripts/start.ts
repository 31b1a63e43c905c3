// `npm start`: builds the web part when its sources are newer, then runs the server in this same
// process.
import { buildInChildProcess, isBuildStale } from './build-web.ts'
import { parseCommandLine } from './command-line.ts'

parseCommandLine(
  'npm start    runs the blog; its settings are environment variables (docs/settings.md)',
  {
    options: {},
  },
)

const isStale = await isBuildStale()
if (isStale) process.stdout.write('Building the web part, this takes a few seconds …\n')
if (isStale && !buildInChildProcess()) process.exitCode = 1
else await import('../backend/main.ts')
