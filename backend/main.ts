// The process: environment -> config -> app -> listen -> stop on a signal. scripts/start.ts builds
// the web part before it.

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
  // The process that only starts workers does without the app.
  const { makeApp } = await import('./app.ts')
  const { readBuiltPages } = await import('./pages/built-pages.ts')
  const stopping = waitForShutdown(log, worker)
  const starting = makeApp(config, log, {
    now: readClock,
    pages: await readBuiltPages(),
    onFatal: stopping.fail,
    ...(worker && { otherWorkers: worker.others, isFirst: worker.number === 1 }),
  })
  const first = await Promise.race([starting, stopping.requested])
  // Nothing has been acknowledged yet that a kill could lose.
  if ('code' in first) process.exit(first.code)
  try {
    await lowerWorkerPriority()
    const isFirst = !worker || worker.number === 1
    const said = isFirst ? await writeGreeting(first, config.publicUrl) : ''
    await first.listen()
    process.stdout.write(said)
  } catch (error) {
    await first.close(IMMEDIATELY)
    throw error
  }
  const { code, how } = await stopping.requested
  await first.close(HOW[how])
  // What still hangs, as a connection to a silent server, would keep the process.
  process.exit(code)
}

const WHO_MAY_READ = {
  members:
    'Its list of posts is for members. To let everybody read: npm run setup, or BLOG_READING=everyone',
  everyone:
    'Everybody may read it. To keep its list for members: npm run setup, or BLOG_READING=members',
} as const

/** Makes a new code while the blog is not set up. */
async function writeGreeting(app: App, publicUrl: string): Promise<string> {
  const { siteName, reading, isSetUp } = await app.readSite()
  const code = await app.makeSetupCode()
  const lines = [
    `${siteName} is open at ${publicUrl}`,
    WHO_MAY_READ[reading],
    ...(isSetUp ? [] : [`It has no operator yet. Set it up in the browser: ${publicUrl}/setup`]),
    ...(code === undefined ? [] : [`Setup code: ${code}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** A process that must not go on, as its disk failed, sends what it has to say and ends. */
const IMMEDIATELY = { graceMs: 0, limitMs: 2000 }
const HOW = {
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
  // The channel to a primary would keep it.
  if (process.channel !== undefined) process.exit()
}
