// The server's own backups: one each night, or at the start if the server was off, and one before
// each migration of the database. Each in a thread, never two at once.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Log } from '../process/log.ts'
import { CopyProblem, describeProblem } from './backup-io.ts'
import { listBackups, momentOf, newestBy } from './folders.ts'
import type { BlobStores } from './snapshot.ts'

/** Local time. */
const NIGHT = { hour: 3, minute: 30 }
const LOOK_EVERY_MS = 60_000
const AFTER_FAILURE_MS = 60 * 60 * 1000
/** A PostgreSQL that falls silent would block this backup, and all later ones, for ever. */
const LIMIT_MS = 12 * 60 * 60 * 1000
const THREAD_LIMITS = { maxOldGenerationSizeMb: 256 }

export type BackupTask = {
  places: BlobStores
  folder: string
  /** How many backups stay, the new one included. */
  keep: number
  nowMs: number
}
/** `limitMs` is how long one backup may take; a test hands in less. */
type OwnBackupsNeeds = Omit<BackupTask, 'nowMs'> & { log: Log; now: () => Date; limitMs?: number }

export function makeOwnBackups(needs: OwnBackupsNeeds) {
  const { folder, keep, log, now, limitMs = LIMIT_MS } = needs
  const { dataDir, databaseUrl, s3 } = needs.places
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let [isMaking, problem] = [false, '']
  let notBeforeMs = 0
  let looking: NodeJS.Timeout | undefined

  /** Makes one now. @throws Error when it fails */
  async function make(): Promise<void> {
    const places = { dataDir, databaseUrl, s3 }
    const workerData: BackupTask = { places, folder, keep, nowMs: now().getTime() }
    isMaking = true
    try {
      log.info(await makeInThread(workerData, stopping.signal, limitMs), 'backup made and verified')
      problem = ''
    } finally {
      isMaking = false
    }
  }

  function noteFailure(error: unknown, what: string): void {
    problem = describeProblem(error)
    log.error({ problem, folder }, what)
  }

  async function makeMissing(): Promise<void> {
    const { signal } = stopping
    if (signal.aborted || performance.now() < notBeforeMs) return
    try {
      const names = await listBackups(folder)
      if (!signal.aborted && isDue(now(), names)) await make()
    } catch (error) {
      if (signal.aborted) return
      notBeforeMs = performance.now() + AFTER_FAILURE_MS
      noteFailure(error, 'the backup of the night failed')
    }
  }

  function look(): void {
    running ??= makeMissing().finally(() => {
      running = undefined
    })
  }

  return {
    make,
    /** Makes one in the background. @returns false while one is made, or the server stops */
    startNow(): boolean {
      if (isMaking || stopping.signal.aborted) return false
      const making = make().catch((error: unknown) => {
        if (!stopping.signal.aborted) noteFailure(error, 'the backup that was asked for failed')
      })
      running = Promise.all([running, making]).then(() => {
        running = undefined
      })
      return true
    },
    /** `problem` is why the last one failed; empty when it did not. */
    state: () => ({ isMaking, problem }),
    /** Makes the backup of last night if it is missing, now and every minute from now on. */
    start() {
      look()
      looking = setInterval(look, LOOK_EVERY_MS).unref()
    },
    /** Ends a running backup; the next one removes what it has written. */
    async stop() {
      stopping.abort()
      clearInterval(looking)
      await running
    },
  }
}

async function makeInThread(workerData: BackupTask, stop: AbortSignal, limitMs: number) {
  const program = new URL('backup-thread.ts', import.meta.url)
  const thread = new Worker(program, { workerData, resourceLimits: THREAD_LIMITS })
  const limit = AbortSignal.timeout(limitMs)
  try {
    const [made] = await once(thread, 'message', { signal: AbortSignal.any([limit, stop]) })
    return made
  } catch (cause) {
    if (!limit.aborted) throw cause
    throw new CopyProblem('The backup took too long and was ended', { cause })
  } finally {
    await thread.terminate()
  }
}

/** Whether no backup has been made since the last night. */
export function isDue(now: Date, names: string[]): boolean {
  const newest = newestBy(names, now)
  const night = new Date(now)
  night.setHours(NIGHT.hour, NIGHT.minute, 0, 0)
  if (night > now) night.setDate(night.getDate() - 1)
  return newest === undefined || momentOf(newest) < night
}
