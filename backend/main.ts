// The server's process: reads the settings, makes the app, listens, and stops on a signal.
// scripts/start.ts builds the web part first.

import type { App } from './app.ts'
import { requireFreePort } from './process/free-port.ts'
import { readClock } from './process/ids.ts'
import { makeLog } from './process/log.ts'
import { lowerWorkerPriority, waitForShutdown } from './process/shutdown.ts'
import { findWorkerProcess, runWorkers } from './process/workers.ts'
import { readConfig, readEnvironment } from './settings/config.ts'
import { describeFormerSettings, SettingError } from './settings/setting-definitions.ts'

async function run(): Promise<void> {
  const env = readEnvironment(process.env)
  const config = readConfig(env)
  const worker = findWorkerProcess()
  if (!worker) await requireFreePort(config)
  const log = makeLog(config.logLevel, undefined, worker?.number)
  if (!worker)
    for (const line of describeFormerSettings(env)) log.warn({ event: 'setting gone' }, line)
  if (config.processes > 1 && !worker) process.exit(await runWorkers(config.processes, log))
  // Loaded here, because the process that only starts workers does not need it.
  const { makeApp } = await import('./app.ts')
  const { readBuiltPages } = await import('./pages/built-pages.ts')
  const stopping = waitForShutdown(log, worker)
  const starting = makeApp(config, log, {
    now: readClock,
    pages: await readBuiltPages(),
    onFatal: stopping.fail,
    ...(worker && { otherWorkers: worker.others, isFirstProcess: worker.number === 1 }),
  })
  const app = await Promise.race([starting, stopping.requested])
  // Asked to stop while starting: nothing has been acknowledged yet that an exit could lose.
  if ('code' in app) process.exit(app.code)
  try {
    await lowerWorkerPriority()
    const isFirstProcess = !worker || worker.number === 1
    const greeting = isFirstProcess ? await writeGreeting(app, config.publicUrl) : ''
    await app.listen()
    process.stdout.write(greeting)
  } catch (error) {
    await app.close(IMMEDIATELY)
    throw error
  }
  const { code, how } = await stopping.requested
  await app.close(CLOSE_TIMES[how])
  // Otherwise a hanging connection, such as one to a silent server, would keep the process alive.
  process.exit(code)
}

const READING_NOTICES = {
  members:
    'Its list of posts is for members. To let everybody read: npm run setup, or BLOG_READING=everyone',
  everyone:
    'Everybody may read it. To keep its list for members: npm run setup, or BLOG_READING=members',
} as const

/** While the blog is not set up, this makes a new setup code. */
async function writeGreeting(app: App, publicUrl: string): Promise<string> {
  const { siteName, reading, isSetUp } = await app.readSite()
  const code = await app.makeSetupCode()
  const lines = [
    `${siteName} is open at ${publicUrl}`,
    READING_NOTICES[reading],
    ...(isSetUp ? [] : [`It has no operator yet. Set it up in the browser: ${publicUrl}/setup`]),
    ...(code === undefined ? [] : [`Setup code: ${code}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** For a process that must not go on, because its disk has failed. */
const IMMEDIATELY = { graceMs: 0, limitMs: 2000 }
const CLOSE_TIMES = {
  drain: undefined,
  replaced: { graceMs: 0, isReplaced: true },
  'at once': IMMEDIATELY,
} as const

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`
}

try {
  await run()
} catch (error) {
  process.stderr.write(
    `${error instanceof SettingError ? error.message : `The server could not start: ${describe(error)}`}\n`,
  )
  process.exitCode = 1
  // In a worker, the channel to the primary process would keep it alive.
  if (process.channel !== undefined) process.exit()
}
