// The child process that works on one import or export, for its parent (archive/runs/runner.ts). It
// opens the blog's data by itself, and ends with its parent.
import { setPriority } from 'node:os'
import { Refusal } from '#contract/errors.ts'
import type { Order, Outcome, Report, Task } from './archive/runs/run-process.ts'
import { describeFailure, performWork } from './archive/runs/work.ts'
import { openContexts } from './contexts.ts'
import { isConnectionError } from './database/database-errors.ts'
import { openGuestPages } from './guest-pages.ts'
import { readBuiltPages } from './pages/built-pages.ts'
import { makeLog } from './process/log.ts'

/** Much lower than the processes that answer requests. */
const NICENESS = 15
const UNAVAILABLE = 503
/** Between two reports of progress. */
const REPORT_EVERY_MS = 200

const stopping = new AbortController()

setPriority(NICENESS)
// A signal to the whole process group must not end work that the parent is about to stop.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  if (order === 'stop') stopping.abort()
  else void work(order.task)
})

const isUnavailable = (error: unknown): boolean =>
  (error instanceof Refusal && error.status === UNAVAILABLE) || isConnectionError(error)

function report(message: Report, done?: () => void): void {
  process.send?.(message, undefined, undefined, () => done?.())
}

async function work({ config, run, nowShiftMs }: Task): Promise<void> {
  const log = makeLog(config.logLevel)
  let reportedAtMs = -REPORT_EVERY_MS
  let outcome: Outcome
  try {
    await using contexts = await openContexts(config, log, {
      now: () => new Date(Date.now() + nowShiftMs),
      pages: await readBuiltPages().catch(() => undefined),
      onFatal: () => process.exit(1),
    })
    const result = await performWork(contexts.archive, run, {
      signal: stopping.signal,
      onProgress(progress) {
        if (performance.now() - reportedAtMs < REPORT_EVERY_MS) return
        reportedAtMs = performance.now()
        report({ progress })
      },
      openPages: () => openGuestPages(config, log),
    })
    outcome = { result }
  } catch (err) {
    const problem = describeFailure(err)
    if (stopping.signal.aborted) outcome = 'stopped'
    // The database or the storage does not answer just now.
    else if (isUnavailable(err)) outcome = 'lost'
    else if (problem !== undefined) outcome = { problem }
    else {
      log.error({ err, runId: run.id }, `an ${run.kind} failed`)
      outcome = { problem: 'Something went wrong. The log of the server says more.' }
    }
  }
  report({ outcome }, () => process.exit())
}
