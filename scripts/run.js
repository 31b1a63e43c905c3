// Runs a script of this folder: `node scripts/run.js start.ts …`. Every command of package.json
// uses it. Plain JavaScript for Node 18: when the running Node is too old, the script runs under
// the Node that npm has installed. That one is found by its path, because not every npm links it
// into node_modules/.bin.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'

const OLDEST = { major: 22, minor: 22 }
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isNewEnough = major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)

// Password hashes and file reads share these threads: with Node's default of four, a few sign-ins
// would block all file reads.
process.env.UV_THREADPOOL_SIZE ??= '12'

// Caches compiled sources, so that the next start need not compile them.
nodeModule.enableCompileCache?.(
  fileURLToPath(new URL('../node_modules/.cache/lamplight', import.meta.url)),
)

/** Work on archives of any size stays below 512 MB: without a limit, Node collects later. */
const HEAP_MAX_MIB = { 'export.ts': 320, 'import.ts': 320 }

const [script = '', ...args] = process.argv.slice(2)
const node = isNewEnough ? process.execPath : findInstalledNode()
const heapMib = process.execArgv.length === 0 ? HEAP_MAX_MIB[script] : undefined
const flags = heapMib === undefined ? [] : [`--max-old-space-size=${heapMib}`]
if (isNewEnough && flags.length === 0) await runHere()
else if (node) runWith(node, flags)
else refuse()

async function runHere() {
  const url = new URL(script, import.meta.url)
  process.argv = [process.execPath, fileURLToPath(url), ...args]
  await import(url.href)
}

function findInstalledNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const file = system === 'win' ? 'bin/node.exe' : 'bin/node'
  return ['node', 'node-bin']
    .map(
      (name) =>
        new URL(`../node_modules/${name}-${system}-${process.arch}/${file}`, import.meta.url),
    )
    .map((url) => fileURLToPath(url))
    .find((path) => existsSync(path))
}

/** Passes on signals and the exit code. */
function runWith(path, flags) {
  const child = spawn(path, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' })
  // The terminal sends SIGINT to both.
  process.on('SIGINT', () => {})
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

function refuse() {
  process.stderr.write(
    `Lamplight runs on Node ${OLDEST.major}.${OLDEST.minor} or newer. This is Node ${process.versions.node}, and npm has installed none beside it.\n` +
      'Run "npm install" without --omit=optional, which brings one, or install a newer Node.\n',
  )
  process.exitCode = 1
}
