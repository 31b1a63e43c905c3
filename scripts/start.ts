// `npm start`: builds the web part when its sources are newer, then runs the server in this same process.
import { buildWeb, isBuildStale } from './build-web.ts'

if (await isBuildStale()) {
  process.stdout.write('Building the web part, this takes a few seconds …\n')
  await buildWeb()
}
await import('../backend/main.ts')
