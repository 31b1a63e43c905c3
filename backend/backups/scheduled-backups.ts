// The server's own backups: one each night, those that operators ask for, and, where its settings
// name a folder, one before each migration. A request is a row: the first process of a host makes
// it, also after a restart, and never two at once.

import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { makeId, secondsAfter, secondsBefore } from '../process/ids.ts'
import type { Config } from '../settings/config.ts'
import type { BaseContext } from '../site/context.ts'
import type { Site } from '../site/site.ts'
import { listBackups, momentOf, newestBy } from './backup-folder.ts'
import { describeProblem } from './backup-io.ts'
import { type BackupPlan, lastDue, makeFolder, planOf, readFolder } from './backup-plan.ts'
import * as store from './backup-runs-store.ts'
import { BackupFailure, runBackup } from './run-backup.ts'

const LOOK_EVERY_MS = 5000
/** Nights are looked for less often. */
const NIGHT_EVERY_MS = 60_000
/** Without a folder in the settings, a missed night is made up for this long after the start. */
const AFTER_START_MS = 5 * 60_000
const AFTER_FAILURE_SECONDS = 60 * 60
/** A running backup says so this often; when it is silent for longer, another process takes it. */
const ALIVE_EVERY_MS = 2000
const ALIVE_SECONDS = 60
/** For so long only the host where a backup was asked for takes it. */
const OWN_HOST_SECONDS = 5 * 60
/** Whoever asked so long ago does not wait any more. */
const FORGOTTEN_SECONDS = 24 * 60 * 60
/** A backup that ends its process is not begun for ever. */
const ATTEMPTS_MAX = 3

type ScheduleOptions = BaseContext & {
  config: Config
  site: Site
  /** How long one may take; a test hands in less. */
  limitMs?: number
}

export type OwnBackups = ReturnType<typeof makeOwnBackups>

export function makeOwnBackups(options: ScheduleOptions) {
  const { log } = options
  const stopping = new AbortController()
  const schedule: Schedule = { ...options, stop: stopping.signal, startedAtMs: performance.now() }
  let running: Promise<void> | undefined
  let nightAtMs = -NIGHT_EVERY_MS
  let looking: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    if (performance.now() - nightAtMs >= NIGHT_EVERY_MS) {
      nightAtMs = performance.now()
      await addNight(schedule)
    }
    await takeNext(schedule)
  }

  function lookSoon(): void {
    running ??= look()
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
     * Asks for one, inside a transaction. The first process of the host begins it soon.
     * @returns false while there is one
     */
    async request(tx: Database, byName: string): Promise<boolean> {
      if ((await store.listRuns(tx)).some(isActive)) return false
      return store.addRun(tx, makeRun(options.now(), { night: ASKED, byName }))
    },
    /** From now on this process makes the backups of its host. */
    start() {
      lookSoon()
      looking = setInterval(lookSoon, LOOK_EVERY_MS).unref()
    },
    /** Looks at once, where this process makes the backups. */
    hurry: () => void (looking && lookSoon()),
    /** Ends a running backup; the next start makes it. */
    async stop() {
      stopping.abort()
      clearInterval(looking)
      await running
    },
  }
}

type Schedule = ScheduleOptions & { stop: AbortSignal; startedAtMs: number }

async function readPlan({ db, config, site }: Schedule): Promise<BackupPlan> {
  const { databaseBytes, filesBytes } = await readSizes(db)
  return planOf(config, await site.read(), databaseBytes + filesBytes)
}

/** Adds what is due since the last night, once for all processes. */
async function addNight(schedule: Schedule): Promise<void> {
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
    // Elsewhere, or in the folder that was chosen before.
    const isMade = runs.some(
      (run) => !plan.isFixed && run.state === 'complete' && run.requestedAt >= night,
    )
    const before = runs.find((run) => run.night === night)
    const isLate = before && before.endedAt < secondsBefore(now(), AFTER_FAILURE_SECONDS)
    if (isMade || runs.some(isActive)) return
    if (before && !(before.state === 'failed' && isLate)) return
    if (before) await store.deleteRun(tx, { id: before.id })
    await store.addRun(tx, makeRun(now(), { night, byName: '' }))
  })
}

/** Makes the backup that waits longest, unless one is being made. */
async function takeNext(schedule: Schedule): Promise<void> {
  const { db, now, stop } = schedule
  const runs = await store.listRuns(db)
  const at = now().toISOString()
  if (runs.some((run) => run.state === 'running' && run.aliveUntil > at)) return
  const run = runs.findLast(
    ({ state, host, aliveUntil }) =>
      (state === 'waiting' && (host === hostname() || aliveUntil < at)) || state === 'running',
  )
  if (!run || stop.aborted) return
  // In a database that was restored, the backup which holds it is still being made.
  if (run.requestedAt < secondsBefore(now(), FORGOTTEN_SECONDS))
    return void (await store.deleteRun(db, { id: run.id }))
  const { folder, keep } = await readPlan(schedule)
  const attempts = run.attempts + 1
  const aliveUntil = secondsAfter(now(), ALIVE_SECONDS)
  const taken = { host: hostname(), attempts, folder, aliveUntil }
  if (await store.takeRun(db, run, taken)) await perform(schedule, { ...run, ...taken }, keep)
}

async function perform(schedule: Schedule, run: store.BackupRun, keep: number): Promise<void> {
  const { db, log, now, config, stop, limitMs } = schedule
  const { folder } = run
  const progress = { doneBytes: 0, totalBytes: 0 }
  const alive = setInterval(() => {
    const change = { ...progress, aliveUntil: secondsAfter(now(), ALIVE_SECONDS) }
    void store.changeRun(db, run.id, change).catch(() => {})
  }, ALIVE_EVERY_MS)
  const end = (change: Partial<store.BackupRun>) =>
    store.changeRun(db, run.id, {
      ...change,
      endedAt: now().toISOString(),
      night: run.night === ASKED ? null : run.night,
    })
  try {
    if (run.attempts > ATTEMPTS_MAX)
      throw new BackupFailure('The server stopped during each attempt', 'interrupted')
    await requireFolder(config, folder)
    const task = { places: config, folder, keep, nowMs: now().getTime() }
    const made = await runBackup(task, {
      stop,
      limitMs,
      onProgress: (doneBytes, totalBytes) => Object.assign(progress, { doneBytes, totalBytes }),
    })
    log.info(made, 'backup made and verified')
    const { path, sizeBytes } = made
    await end({ state: 'complete', name: basename(path), sizeBytes, reason: '' })
  } catch (error) {
    // The next start goes on with it, at once.
    if (stop.aborted) return store.changeRun(db, run.id, { aliveUntil: now().toISOString() })
    const problem = describeProblem(error)
    const what = run.night === ASKED ? 'that was asked for' : 'of the night'
    log.error({ problem, folder }, `the backup ${what} failed`)
    const reason = error instanceof BackupFailure ? error.reason : 'other'
    await end({ state: 'failed', reason })
  } finally {
    clearInterval(alive)
  }
}

/** What was chosen in the browser is looked at again each time: it may be a link by now. */
async function requireFolder({ backups, dataDir }: Config, folder: string): Promise<void> {
  if (backups) return
  const { problem } = await readFolder(dataDir, folder)
  if (problem !== '')
    throw new BackupFailure(`The blog cannot use the folder ${folder} (${problem})`, 'noAccess')
  await makeFolder(folder)
}

/** In the place of a night while somebody waits for it: there is one such run at a time. */
const ASKED = 'asked'

const isActive = ({ state }: store.BackupRun) => state === 'waiting' || state === 'running'

function makeRun(now: Date, of: Pick<store.BackupRun, 'night' | 'byName'>): store.BackupRun {
  return {
    ...of,
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

/** How much the blog has of its own: backups are not in it. */
export async function readSizes(db: Database) {
  const { files, filesBytes } = await store.sumFiles(db)
  return { databaseBytes: await store.sizeOfDatabase(db), files, filesBytes }
}

/** Whether a folder has no backup since the last night. */
export function isDue(now: Date, names: string[], time = '03:30'): boolean {
  const newest = newestBy(names, now)
  return newest === undefined || momentOf(newest) < lastDue(now, time)
}
