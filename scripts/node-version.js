// Loaded before every npm script (`node --import`): says clearly when the wrong Node runs it, sets
// how many memory arenas and threads there are, and where compiled code and bundles are. Plain
// JavaScript that any Node reads.
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const NEEDED_MAJOR = 22
const NEEDED_MINOR = 22

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < NEEDED_MAJOR || (major === NEEDED_MAJOR && minor < NEEDED_MINOR)) {
  process.stderr.write(
    `Lamplight runs on Node ${NEEDED_MAJOR}.${NEEDED_MINOR} or newer, and this is ${process.versions.node}.\n` +
      'npm 11 or newer brings the right one: run "npm install" with it (npm install --global npm@11), then this command through npm again.\n',
  )
  process.exit(1)
}

// glibc keeps freed memory for each thread apart, with large images up to 64 MB a thread. It reads
// the number of these arenas before a program begins, so the server begins once more, in place.
const isServer = /[\\/](?:start|main)\.ts$/.test(process.argv[1] ?? '')
if (
  isServer &&
  process.platform === 'linux' &&
  process.env.MALLOC_ARENA_MAX === undefined &&
  process.execve
) {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { ...process.env, MALLOC_ARENA_MAX: '2' })
}

// Hashes, images and files share these threads: with Node's four, work on a few images would hold
// up every read of a file.
process.env.UV_THREADPOOL_SIZE ??= '12'

nodeModule.enableCompileCache(fileURLToPath(new URL('../build/compile-cache', import.meta.url)))
if (isServer) (await import('./bundled-packages.ts')).importBundles()
