// The process: environment -> config -> app -> listen -> stop on a signal. scripts/start.ts builds
// the web part before it.
import { flushCompileCache } from 'node:module'
import {
  STOP_FAULT_TIMEOUT_MS,
  STOP_TIMEOUT_MS,
  WORKER_RETIRE_MS,
} from '#contract/server-limits.ts'
import { findEnv, readConfig } from './config.ts'
import { makeLog } from './process/log.ts'
import type { Supervised } from './process/siblings.ts'
import { waitForStop } from './process/stopping.ts'
import { lowerWorkerPriority } from './process/worker-priority.ts'
import { SettingError } from './settings/table.ts'

const NODE_NEEDED = [22, 22] as const

async function run(): Promise<void> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < NODE_NEEDED[0] || (major === NODE_NEEDED[0] && minor < NODE_NEEDED[1])) {
    throw new SettingError(
      `Node ${NODE_NEEDED.join('.')} or newer is needed, this is ${process.versions.node}: use "npm start", which brings its own`,
    )
  }
  const config = readConfig(findEnv(process.env))
  const supervisor = await findSupervisor(config.processes)
  const log = makeLog(config.logLevel, undefined, supervisor?.id)
  if (config.processes > 1 && !supervisor) {
    const { supervise } = await import('./supervise.ts')
    process.exit(await supervise(config, log))
  }
  // Imported only now: the database driver would end an old Node without a word.
  const { makeApp } = await import('./app.ts')
  const { readBuiltPages } = await import('./pages/built.ts')
  const stopping = waitForStop(log, supervisor)
  const starting = makeApp(config, log, {
    now: () => new Date(),
    pages: await readBuiltPages(),
    onFatal: stopping.fail,
    ...(supervisor && { siblings: supervisor }),
  })
  const first = await Promise.race([starting, stopping.asked])
  // Nothing has been acknowledged yet that a kill could lose.
  if ('code' in first) process.exit(first.code)
  try {
    await lowerWorkerPriority()
    await first.listen()
    supervisor?.ready()
    freeSoon()
    if (!supervisor || supervisor.id === 1) {
      process.stdout.write(`${config.siteName} is open at ${config.publicUrl}\n`)
      process.stdout.write(`${WHO_MAY_READ[config.reading]}\n`)
    }
  } catch (error) {
    await first.close(AT_ONCE)
    throw error
  }
  const { code, how } = await stopping.asked
  await first.close(HOW[how])
  // What still hangs, as a connection to a silent server, would keep the process.
  process.exit(code)
}

/** What only the start needed would stay: garbage, and compiled code. */
function freeSoon(): void {
  setTimeout(() => {
    flushCompileCache()
    globalThis.gc?.({ flavor: 'last-resort' })
  }, FREED_AFTER_MS).unref()
}

const FREED_AFTER_MS = 1000

const WHO_MAY_READ = {
  members:
    'Its list of posts is for members. To let everybody read: npm run setup, or BLOG_READING=everyone',
  everyone:
    'Everybody may read it. To keep its list for members: npm run setup, or BLOG_READING=members',
} as const

const AT_ONCE = { graceMs: 0, limitMs: STOP_FAULT_TIMEOUT_MS }
const HOW = {
  drain: undefined,
  retire: { graceMs: 0, retireMs: WORKER_RETIRE_MS, limitMs: WORKER_RETIRE_MS + STOP_TIMEOUT_MS },
  'at once': AT_ONCE,
} as const

/** Undefined where nobody supervises this process. */
async function findSupervisor(processes: number): Promise<Supervised | undefined> {
  if (process.channel === undefined) return undefined
  const { connectToSupervisor } = await import('./process/worker.ts')
  return connectToSupervisor(processes)
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`
}

// The build loads this file without running a script, to keep it compiled.
if (process.argv[1] !== undefined) {
  try {
    await run()
  } catch (error) {
    process.stderr.write(
      `${error instanceof SettingError ? error.message : `The server could not start: ${describe(error)}`}\n`,
    )
    process.exitCode = 1
    // The channel to a supervisor would keep it.
    if (process.channel !== undefined) process.exit()
  }
}
