// The server's backups: one each night, those that operators request, and, if the settings name a
// folder, one before each migration. Each is a row of `backupRun`, which the first process of a
// host claims, also after a restart. One backup runs at a time.

import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeId, secondsAfter, secondsBefore } from '../process/ids.ts'
import type { Config } from '../settings/config.ts'
import type { BaseContext } from '../site/context.ts'
import type { Site } from '../site/site.ts'
import { backupTime, findNewestUntil, listBackups } from './backup-folder.ts'
import { describeProblem } from './backup-io.ts'
import { type BackupPlan, inspectFolder, lastDue, makeFolder, planOf } from './backup-plan.ts'
import * as store from './backup-runs-store.ts'
import { BackupFailure, runBackup } from './run-backup.ts'

const POLL_EVERY_MS = 5000
/** How often the server checks whether a backup is due. */
const DUE_CHECK_EVERY_MS = 60_000
/** Without a folder in the settings, a missed backup is made this long after the start. */
const AFTER_START_MS = 5 * 60_000
const AFTER_FAILURE_SECONDS = 60 * 60
/**
 * A running backup renews its claim this often. Once the claim expires, another process takes over.
 */
const ALIVE_EVERY_MS = 2000
const ALIVE_SECONDS = 60
/** How long only the host where a backup was requested may claim it. */
const OWN_HOST_SECONDS = 5 * 60
/** Older requests are deleted, because nobody is waiting for them. */
const REQUEST_EXPIRY_SECONDS = 24 * 60 * 60
/** How many attempts a backup has if its process ends each time. */
const ATTEMPTS_MAX = 3

type ScheduleOptions = BaseContext & {
  config: Config
  site: Site
  /** How long a backup may take; shorter in tests. */
  limitMs?: number
}

export type ScheduledBackups = ReturnType<typeof makeScheduledBackups>

export function makeScheduledBackups(options: ScheduleOptions) {
  const { log } = options
  const stopping = new AbortController()
  const schedule: Schedule = { ...options, stop: stopping.signal, startedAtMs: performance.now() }
  let running: Promise<void> | undefined
  let dueCheckedAtMs = -DUE_CHECK_EVERY_MS
  let pollTimer: NodeJS.Timeout | undefined

  async function checkAndRun(): Promise<void> {
    if (performance.now() - dueCheckedAtMs >= DUE_CHECK_EVERY_MS) {
      dueCheckedAtMs = performance.now()
      await addDueRun(schedule)
    }
    await runNext(schedule)
  }

  function poll(): void {
    running ??= checkAndRun()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted)
          log.warn({ err: error }, 'the time of the next backup could not be read')
      })
      .finally(() => {
        running = undefined
      })
  }

  return {
    readPlan: () => readPlan(schedule),
    listRuns: () => store.listRuns(options.db),
    /**
     * Requests a backup, inside a transaction. The first process of the host begins it soon.
     * @returns false while another one waits or runs
     */
    async request(tx: Database, byName: string): Promise<boolean> {
      if ((await store.listRuns(tx)).some(isActive)) return false
      return store.addRun(tx, makeRun(options.now(), { night: REQUESTED, byName }))
    },
    /** From now on this process makes the backups of its host. */
    start() {
      poll()
      pollTimer = setInterval(poll, POLL_EVERY_MS).unref()
    },
    /** Polls at once, if this process makes the backups of its host. */
    pollNow: () => void (pollTimer && poll()),
    /** Ends a running backup; the next start makes it again. */
    async stop() {
      stopping.abort()
      clearInterval(pollTimer)
      await running
    },
  }
}

type Schedule = ScheduleOptions & { stop: AbortSignal; startedAtMs: number }

async function readPlan({ db, config, site }: Schedule): Promise<BackupPlan> {
  const { databaseBytes, filesBytes } = await readSizes(db)
  return planOf(config, await site.read(), databaseBytes + filesBytes)
}

/** Adds the run of the last night if it is due, once for all processes. */
async function addDueRun(schedule: Schedule): Promise<void> {
  const { db, background, now, site, startedAtMs } = schedule
  const plan = await readPlan(schedule)
  if (!plan.isOn) return
  const due = lastDue(now(), plan.time)
  if (!plan.isFixed) {
    const { setUpAt } = await site.read()
    if (setUpAt === '' || new Date(setUpAt) > due) return
    if (performance.now() - startedAtMs < AFTER_START_MS) return
  }
  if (!isDue(now(), await listBackups(plan.folder), plan.time)) return
  const night = due.toISOString()
  await inTransaction(db, background, async (tx) => {
    const runs = await store.listRuns(tx)
    // Another host may have made the backup, or it may be in a folder that was chosen earlier.
    const isMade = runs.some(
      (run) => !plan.isFixed && run.state === 'complete' && run.requestedAt >= night,
    )
    const earlier = runs.find((run) => run.night === night)
    const mayRetry =
      earlier?.state === 'failed' && earlier.endedAt < secondsBefore(now(), AFTER_FAILURE_SECONDS)
    if (isMade || runs.some(isActive)) return
    if (earlier && !mayRetry) return
    if (earlier) await store.deleteRun(tx, { id: earlier.id })
    await store.addRun(tx, makeRun(now(), { night, byName: '' }))
  })
}

/** Makes the backup that has waited longest, unless one is being made. */
async function runNext(schedule: Schedule): Promise<void> {
  const { db, now, stop } = schedule
  const runs = await store.listRuns(db)
  const at = now().toISOString()
  if (runs.some((run) => run.state === 'running' && run.aliveUntil > at)) return
  const run = runs.findLast(
    ({ state, host, aliveUntil }) =>
      (state === 'waiting' && (host === hostname() || aliveUntil < at)) || state === 'running',
  )
  if (!run || stop.aborted) return
  // A restored database contains the run of its own backup, as if it were still running.
  if (run.requestedAt < secondsBefore(now(), REQUEST_EXPIRY_SECONDS))
    return void (await store.deleteRun(db, { id: run.id }))
  const { folder, keep } = await readPlan(schedule)
  const attempts = run.attempts + 1
  const aliveUntil = secondsAfter(now(), ALIVE_SECONDS)
  const claim = { host: hostname(), attempts, folder, aliveUntil }
  if (await store.claimRun(db, run, claim)) await perform(schedule, { ...run, ...claim }, keep)
}

async function perform(schedule: Schedule, run: store.BackupRun, keep: number): Promise<void> {
  const { db, log, now, config, stop, limitMs } = schedule
  const { folder } = run
  const progress = { doneBytes: 0, totalBytes: 0 }
  const claimTimer = setInterval(() => {
    const change = { ...progress, aliveUntil: secondsAfter(now(), ALIVE_SECONDS) }
    void store.changeRun(db, run.id, change).catch(() => {})
  }, ALIVE_EVERY_MS)
  const endRun = (change: Partial<store.BackupRun>) =>
    store.changeRun(db, run.id, {
      ...change,
      endedAt: now().toISOString(),
      night: run.night === REQUESTED ? null : run.night,
    })
  try {
    if (run.attempts > ATTEMPTS_MAX)
      throw new BackupFailure('The server stopped during each attempt', 'interrupted')
    await requireFolder(config, folder)
    const task = { storage: config, folder, keep, nowMs: now().getTime() }
    const backup = await runBackup(task, {
      stop,
      limitMs,
      onProgress: (doneBytes, totalBytes) => Object.assign(progress, { doneBytes, totalBytes }),
    })
    log.info(backup, 'backup made and verified')
    const { path, sizeBytes } = backup
    await endRun({ state: 'complete', name: basename(path), sizeBytes, reason: '' })
  } catch (error) {
    // The next start makes the backup at once.
    if (stop.aborted) return store.changeRun(db, run.id, { aliveUntil: now().toISOString() })
    const problem = describeProblem(error)
    const kind = run.night === REQUESTED ? 'that was asked for' : 'of the night'
    log.error({ problem, folder }, `the backup ${kind} failed`)
    const reason = error instanceof BackupFailure ? error.reason : 'other'
    await endRun({ state: 'failed', reason })
  } finally {
    clearInterval(claimTimer)
  }
}

/** Before each backup, checks the folder that operators chose: it may have become a link. */
async function requireFolder({ backups, dataDir }: Config, folder: string): Promise<void> {
  if (backups) return
  const { problem } = await inspectFolder(dataDir, folder)
  if (problem !== '')
    throw new BackupFailure(`The blog cannot use the folder ${folder} (${problem})`, 'noAccess')
  await makeFolder(folder)
}

/** The value of `night` for a requested run. The column is unique, so only one can wait. */
const REQUESTED = 'asked'

const isActive = ({ state }: store.BackupRun) => state === 'waiting' || state === 'running'

function makeRun(now: Date, columns: Pick<store.BackupRun, 'night' | 'byName'>): store.BackupRun {
  return {
    ...columns,
    id: makeId(now.getTime()),
    requestedAt: now.toISOString(),
    host: hostname(),
    state: 'waiting',
    aliveUntil: secondsAfter(now, OWN_HOST_SECONDS),
    attempts: 0,
    folder: '',
    name: '',
    doneBytes: 0,
    totalBytes: 0,
    sizeBytes: 0,
    endedAt: '',
    reason: '',
  }
}

/** The sizes of the database and the files of the blog, without its backups. */
export async function readSizes(db: Database) {
  const { files, filesBytes } = await store.measureFiles(db)
  return { databaseBytes: await store.measureDatabase(db), files, filesBytes }
}

/** Whether a folder has no backup since the last due time. */
export function isDue(now: Date, names: string[], time = '03:30'): boolean {
  const newest = findNewestUntil(names, now)
  return newest === undefined || backupTime(newest) < lastDue(now, time)
}
