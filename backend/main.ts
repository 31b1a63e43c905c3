// The process: environment -> config -> app -> listen -> stop on a signal. See `scripts/start.ts` for the build before it.
import type { App } from './app.ts'
import { readConfig, SettingError } from './config.ts'
import { makeLog } from './process/log.ts'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(
    `Lamplight needs Node 22.22 or newer, and this is ${process.versions.node}. Start it with "npm start": npm brings the right one.\n`,
  )
  process.exit(1)
}

try {
  await start()
} catch (error) {
  process.stderr.write(`${error instanceof SettingError ? error.message : `The server could not start: ${describe(error)}`}\n`)
  process.exitCode = 1
}

async function start(): Promise<void> {
  const config = readConfig(process.env)
  const log = makeLog(config.logLevel)
  // Imported only now: the database driver would end an old Node without a word.
  const { makeApp } = await import('./app.ts')
  const { readBuiltPages } = await import('./pages/built.ts')
  const app = await makeApp(config, log, { now: () => new Date(), pages: await readBuiltPages(), onFatal: () => stop(1) })
  let isStopping = false

  function stop(code: number): void {
    if (isStopping) process.exit(1)
    isStopping = true
    process.exitCode = code
    void app.close().then(
      () => process.exit(code),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0))
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error: unknown) => {
      log.fatal({ err: error }, fault)
      stop(1)
    })
  }
  await listen(app)
  process.stdout.write(`${config.siteName} is open at ${config.publicUrl}\n`)
}

async function listen(app: App): Promise<void> {
  try {
    await app.listen()
  } catch (error) {
    await app.close({ graceMs: 0 })
    throw error
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`
}
