// Works on the imports and exports that are requested over the API: the first process of each host
// claims one at a time, starts a child process for it, and writes its progress. The row says what
// is wanted: a state that changes while the child works ends the work. A run whose process ended is
// claimed again, by any host.

import { randomUUID } from 'node:crypto'
import {
  EXPORT_DAYS,
  type ImportCounts,
  type ImportProgress,
  UNDO_DAYS,
} from '#contract/archive.ts'
import { roleIn } from '#contract/permissions.ts'
import { emit } from '../../database/domain-events.ts'
import type { Database } from '../../database/schema.ts'
import { type AfterCommit, inTransaction } from '../../database/transaction.ts'
import type { FilesContext } from '../../files/context.ts'
import { secondsAfter } from '../../process/ids.ts'
import type { ArchiveContext } from '../context.ts'
import { removePieces } from './pieces.ts'
import { hasStarted, importResult, WAITING_SECONDS } from './run-models.ts'
import { type Outcome, type Progress, type RunTask, runInChild } from './run-process.ts'
import * as store from './runs-store.ts'
import { removeWorkFolder, type WorkResult } from './work.ts'

const POLL_EVERY_MS = 2000
/** How often the progress is written, and the state read. */
const TICK_EVERY_MS = 1000
/** After this time without a tick another process may claim the run. */
const ALIVE_SECONDS = 15
/** How often a run is begun if its process ends each time. */
const ATTEMPTS_MAX = 5
/** The pause before the next attempt grows by this. */
const RETRY_SECONDS = 2
/** A process that reports no progress for so long is ended. */
const SILENCE_MAX_MS = 10 * 60_000
/** After this time an import lets others go first: a slow old site must not hold them up. */
const TURN_SECONDS = 15 * 60
/** A dry run cannot be continued, so it is ended. */
const CHECK_SECONDS = 2 * 60 * 60
const DAY_SECONDS = 24 * 60 * 60

const ENDED_EARLY = 'It was begun several times, and ended too early each time.'
const UNFINISHED = 'It took too long.'
const NOT_ALLOWED = 'Whoever requested it may not do this any more.'

type RunnerContext = FilesContext & Pick<ArchiveContext, 'config'>

export type ArchiveRunner = ReturnType<typeof makeArchiveRunner>

/** @param runTask does the work; tests pass their own */
export function makeArchiveRunner(context: RunnerContext, runTask: RunTask = runInChild) {
  const { db, log, now } = context
  const stopping = new AbortController()
  const work = { context, runTask, stopping: stopping.signal }
  let running: Promise<void> | undefined
  let pollTimer: NodeJS.Timeout | undefined
  let isPollWanted = false

  async function workOff(): Promise<void> {
    do {
      isPollWanted = false
      for (;;) {
        const at = now().toISOString()
        const run = stopping.signal.aborted ? undefined : await store.findWaiting(db, at)
        if (!run) break
        await claimAndPerform(work, run)
      }
    } while (isPollWanted && !stopping.signal.aborted)
  }

  function poll(): void {
    isPollWanted = true
    running ??= workOff()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'an import or export was not begun')
      })
      .finally(() => {
        running = undefined
      })
  }

  return {
    /** From now on this process works on the runs of its host. */
    start(): void {
      poll()
      pollTimer = setInterval(poll, POLL_EVERY_MS).unref()
    },
    /** Looks for work at once, if this process does the work of its host. */
    pollNow: () => void (pollTimer && poll()),
    /** Ends the running work; the next start continues it. */
    async stop(): Promise<void> {
      stopping.abort()
      clearInterval(pollTimer)
      await running
    },
  }
}

type Work = { context: RunnerContext; runTask: RunTask; stopping: AbortSignal }

/** The state of a run while a process works on it. */
function workingState({ kind, state }: store.Run): string {
  return kind === 'export' || state === 'waiting' ? 'running' : state
}

async function claimAndPerform(work: Work, run: store.Run): Promise<void> {
  const { db, now } = work.context
  const claim = {
    state: workingState(run),
    worker: randomUUID(),
    attempts: run.attempts + 1,
    aliveUntil: secondsAfter(now(), ALIVE_SECONDS),
    startedAt: run.startedAt || (run.kind === 'export' ? now().toISOString() : ''),
  }
  if (!(await store.claimRun(db, run, claim))) return
  const claimed = { ...run, ...claim }
  const outcome =
    run.attempts >= ATTEMPTS_MAX ? { problem: ENDED_EARLY } : await perform(work, claimed)
  await settle(work.context, claimed, outcome)
}

// --- while the child works

async function perform({ context, runTask, stopping }: Work, run: store.Run): Promise<Outcome> {
  const { config, log, now } = context
  const stop = new AbortController()
  const kill = new AbortController()
  let progress: Progress | undefined
  let reportedAtMs = performance.now()
  let problem: string | undefined
  const beganAt = now()
  const hasWorkedFor = (seconds: number) => secondsAfter(beganAt, seconds) < now().toISOString()
  const tick = async () => {
    const row = await renewClaim(context, run, progress)
    if (!row) return kill.abort()
    const isLate = run.state === 'checking' && hasWorkedFor(CHECK_SECONDS)
    if (isLate || performance.now() - reportedAtMs > SILENCE_MAX_MS) {
      problem = UNFINISHED
      return kill.abort()
    }
    if (!(await mayGoOn(context.db, run))) problem = NOT_ALLOWED
    if (row.state !== run.state || problem !== undefined) stop.abort()
    const mayWait = run.kind === 'import' && run.state === 'running' && hasWorkedFor(TURN_SECONDS)
    if (mayWait && (await store.hasOthersWaiting(context.db, run.id, now().toISOString())))
      stop.abort()
  }
  let ticking: Promise<void> | undefined
  const timer = setInterval(() => {
    ticking ??= tick()
      .catch((err: unknown) => log.warn({ err, runId: run.id }, 'the progress was not written'))
      .finally(() => {
        ticking = undefined
      })
  }, TICK_EVERY_MS)
  try {
    if (!(await mayGoOn(context.db, run))) return { problem: NOT_ALLOWED }
    if (stopping.aborted) return 'stopped'
    const nowShiftMs = now().getTime() - Date.now()
    const outcome = await runTask(
      { config, run, nowShiftMs },
      {
        stop: AbortSignal.any([stop.signal, stopping]),
        kill: kill.signal,
        onProgress(report) {
          progress = report
          reportedAtMs = performance.now()
        },
      },
    )
    return outcome === 'stopped' && problem !== undefined ? { problem } : outcome
  } finally {
    clearInterval(timer)
    await ticking
  }
}

/** @returns undefined when the run is gone, or another process has claimed it */
async function renewClaim(
  { db, now }: RunnerContext,
  run: store.Run,
  progress: Progress | undefined,
): Promise<{ state: string } | undefined> {
  const change: store.RunChange = { aliveUntil: secondsAfter(now(), ALIVE_SECONDS) }
  if (progress) change.progress = JSON.stringify(progress)
  const doneBefore = run.progress === '' ? 0 : Number(JSON.parse(run.progress).done)
  // What an import has committed counts, however often it was continued.
  if (run.state === 'running' && run.kind === 'import' && (progress?.done ?? 0) > doneBefore)
    change.attempts = 1
  return await store.renewClaim(db, run, change)
}

/** Whether the owner, or the operator who requested it, still may do this. */
async function mayGoOn(db: Database, { userId, byId, kind }: store.Run): Promise<boolean> {
  const personId = userId ?? byId
  // Requested with the API key.
  if (personId === '') return true
  const person = await store.findPerson(db, personId)
  if (!person || person.isBlocked) return false
  const role = roleIn(person)
  if (userId === null) return role === 'operator'
  return kind === 'export' || role !== 'reader'
}

// --- afterwards

/** Writes the outcome, unless another process has the run by now. */
async function settle(context: RunnerContext, claimed: store.Run, outcome: Outcome): Promise<void> {
  const { db, background, log, dataDir } = context
  const { id: runId, kind } = claimed
  const isFolderNeeded = await inTransaction(db, background, async (tx, afterCommit) => {
    const run = await store.lockRun(tx, runId)
    if (!run) return false
    if (run.worker !== claimed.worker) return true
    const change = changeFor(context, run, claimed, outcome)
    await store.changeRun(tx, runId, change)
    const after = { ...run, ...change }
    const isOver = ['done', 'undone', 'failed'].includes(after.state)
    if (isOver) await end(context, tx, afterCommit, after)
    return !isOver
  })
  if (!isFolderNeeded) await removeWorkFolder(dataDir, runId)
  if (outcome === 'lost') log.warn({ runId }, `the process of an ${kind} ended too early`)
  else if (typeof outcome === 'object' && 'problem' in outcome)
    log.warn({ runId, problem: outcome.problem }, `an ${kind} failed`)
}

function changeFor(
  { now }: RunnerContext,
  run: store.Run,
  claimed: store.Run,
  outcome: Outcome,
): store.RunChange {
  const at = now()
  const release = { aliveUntil: at.toISOString() }
  if (outcome === 'stopped') return { ...release, attempts: 0 }
  if (outcome === 'lost') return { aliveUntil: secondsAfter(at, run.attempts * RETRY_SECONDS) }
  const ended = { ...release, attempts: 0, endedAt: at.toISOString() }
  if ('problem' in outcome) {
    // Whoever wants something else by now does not need to know.
    if (run.state !== claimed.state) return { ...release, attempts: 0 }
    return { ...ended, ...failureOf(run, outcome.problem, at) }
  }
  return { ...ended, ...resultOf(run, outcome.result, at) }
}

function failureOf(run: store.Run, problem: string, at: Date): store.RunChange {
  const isPaused = problem === NOT_ALLOWED && run.kind === 'import' && run.state === 'running'
  const seconds = hasStarted(run) && !isPaused ? UNDO_DAYS * DAY_SECONDS : WAITING_SECONDS
  return { problem, state: isPaused ? 'paused' : 'failed', expiresAt: secondsAfter(at, seconds) }
}

function resultOf(run: store.Run, result: WorkResult, at: Date): store.RunChange {
  if ('sizeBytes' in result)
    return {
      state: 'done',
      sizeBytes: result.sizeBytes,
      expiresAt: secondsAfter(at, EXPORT_DAYS * DAY_SECONDS),
    }
  const stored: store.RunChange = { result: JSON.stringify({ ...importResult(run), ...result }) }
  if ('check' in result)
    return { ...stored, state: 'checked', expiresAt: secondsAfter(at, WAITING_SECONDS) }
  if ('imported' in result) stored.progress = JSON.stringify(finalProgress(result.imported))
  const undoable = { ...stored, expiresAt: secondsAfter(at, UNDO_DAYS * DAY_SECONDS) }
  if ('kept' in result) return { ...undoable, state: 'undone' }
  // An undo was requested at the last moment: it follows.
  return run.state === 'undoing' ? stored : { ...undoable, state: 'done' }
}

/** Of an import that is done: all of it. */
function finalProgress(imported: ImportCounts): ImportProgress {
  const done = imported.posts + imported.drafts + imported.pages
  return { phase: 'links', done, total: done, name: '', imported }
}

async function end(
  context: RunnerContext,
  tx: Database,
  afterCommit: AfterCommit,
  run: store.Run,
): Promise<void> {
  // After a failure the upload stays for a while: the import may be resumed.
  if (run.kind === 'import' ? run.state !== 'failed' : run.state === 'failed')
    removePieces(context, afterCommit, await store.deletePieces(tx, run.id))
  if (run.state !== 'undone') await notify(tx, run)
}

/** Tells the person who waits. A dry run is watched. */
async function notify(tx: Database, run: store.Run): Promise<void> {
  const userId = run.userId ?? run.byId
  if (userId === '' || (run.kind === 'import' && !hasStarted(run))) return
  const { imported } = importResult(run)
  await emit(tx, {
    kind: 'archive',
    runId: run.id,
    userId,
    what: run.kind,
    isBlog: run.userId === null,
    hasFailed: run.state === 'failed',
    posts: (imported?.posts ?? 0) + (imported?.drafts ?? 0),
    actor: { role: 'key' },
  })
}
