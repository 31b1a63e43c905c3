// Starts the child process that works on one run (archive-process.ts): with low priority, bounded
// memory and no settings in its environment. It ends with its parent.

import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ImportProgress } from '#contract/archive.ts'
import type { Config } from '../../settings/config.ts'
import type { ExportProgress } from './run-models.ts'
import type { Run } from './runs-store.ts'
import type { WorkResult } from './work.ts'

const FILE = fileURLToPath(new URL('../../archive-process.ts', import.meta.url))
const HEAP_MAX_MIB = 320
/** After a request to stop, the work ends at its next batch; then the process is killed. */
const STOP_MS = 4000

export type Task = { config: Config; run: Run; nowShiftMs: number }
/** To the child. */
export type Order = { task: Task } | 'stop'
export type Progress = ImportProgress | ExportProgress
/** How the work ended. `lost`: the process ended without a word, and may be started again. */
export type Outcome = { result: WorkResult } | { problem: string } | 'stopped' | 'lost'
/** From the child. */
export type Report = { progress: Progress } | { outcome: Outcome }

export type RunTask = (
  task: Task,
  options: { stop: AbortSignal; kill: AbortSignal; onProgress: (progress: Progress) => void },
) => Promise<Outcome>

/** Never rejects. `stop` ends the work at its next batch, `kill` at once. */
export const runInChild: RunTask = async (task, { stop, kill, onProgress }) => {
  const child = fork(FILE, [], {
    execArgv: [`--max-old-space-size=${HEAP_MAX_MIB}`],
    env: environment(),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let outcome: Outcome = 'lost'
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  child.on('message', (report: Report) => {
    if ('progress' in report) onProgress(report.progress)
    else outcome = report.outcome
  })
  send(child, { task })
  let timer: NodeJS.Timeout | undefined
  const killChild = () => void child.kill('SIGKILL')
  const stopChild = () => {
    send(child, 'stop')
    timer = setTimeout(killChild, STOP_MS)
  }
  whenAborted(stop, stopChild)
  whenAborted(kill, killChild)
  await ended
  clearTimeout(timer)
  stop.removeEventListener('abort', stopChild)
  kill.removeEventListener('abort', killChild)
  return outcome === 'lost' && (stop.aborted || kill.aborted) ? 'stopped' : outcome
}

function send(child: ChildProcess, order: Order): void {
  // An error means that the process has ended, which is handled there.
  if (child.connected) child.send(order, () => {})
}

function whenAborted(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work()
  else signal.addEventListener('abort', work, { once: true })
}

/** Without the settings of the blog, and without what makes a process a worker of the server. */
function environment(): NodeJS.ProcessEnv {
  const hidden = /^(?:BLOG_.*|NODE_UNIQUE_ID|NODE_CHANNEL_.*|NODE_OPTIONS|LAMPLIGHT_WORKER)$/
  const others = Object.entries(process.env).filter(([name]) => !hidden.test(name))
  return { ...Object.fromEntries(others), MALLOC_ARENA_MAX: '1' }
}
