// `npm start`: builds the web part when its sources are newer, then runs the server in this same
// process.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isBuildStale } from './build-web.ts'

/** In a process of its own, so that the server does not keep the build tool's memory. */
function build(): number {
  process.stdout.write('Building the web part, this takes a few seconds …\n')
  return (
    spawnSync(process.execPath, [fileURLToPath(new URL('build-web.ts', import.meta.url))], {
      stdio: 'inherit',
    }).status ?? 1
  )
}

// Also loaded, but not run, when the compile cache is filled.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const failed = (await isBuildStale()) ? build() : 0
  if (failed) process.exitCode = failed
  else await import('../backend/main.ts')
}
