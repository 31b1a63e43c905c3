// Decides when the process must stop, how quickly and with which exit code: after a signal, an
// uncaught error, or a fault after which nothing may be acknowledged.

import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import type { Log } from './log.ts'
import type { WorkerProcess } from './workers.ts'

/**
 * `code` is 0 after a signal, 1 after an error. `replaced`: another worker has taken over, so there
 * is no hurry.
 */
export type Stop = { code: number; how: 'drain' | 'replaced' | 'at once' }

/**
 * Listens for SIGINT, SIGTERM and uncaught errors. A second signal ends the process at once
 * (threat-model.md §10), except in a worker, whose primary gets the same signal and forwards it.
 */
export function waitForShutdown(log: Log, worker?: WorkerProcess) {
  const { promise, resolve } = Promise.withResolvers<Stop>()
  let isStopping = false
  function end(error: unknown, how: Stop['how']): void {
    log.fatal({ err: error }, 'the server stops because of a fault')
    isStopping = true
    resolve({ code: 1, how })
  }
  const drain = (error: unknown) => end(error, 'drain')
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping && !worker) process.exit(1)
      isStopping = true
      resolve({ code: 0, how: 'drain' })
    })
  }
  if (worker) process.on('SIGHUP', () => resolve({ code: 0, how: 'replaced' }))
  process.on('uncaughtException', drain)
  process.on('unhandledRejection', drain)
  return {
    requested: promise,
    /** Stops the process at once after an error that it must not survive, like a failed disk. */
    fail(error: unknown): void {
      worker?.fail()
      end(error, 'at once')
    },
  }
}

// --- the threads for hashing and files get a lower priority than the one that answers requests: on
// a host with few cores the system would otherwise treat all of them alike

/** As for a batch job; about a tenth of the share of an ordinary thread. */
const NICE = 10
const THREADS = '/proc/self/task'

/** Linux only: elsewhere, and where the system does not allow it, nothing changes. */
export async function lowerWorkerPriority(): Promise<void> {
  const ids = await readdir(THREADS).catch(() => [])
  for (const id of ids) {
    const name = await readFile(`${THREADS}/${id}/comm`, 'utf8').catch(() => '')
    if (name.trim() !== 'libuv-worker') continue
    try {
      setPriority(Number(id), NICE)
    } catch {
      // A system that forbids it loses some speed under load, nothing else.
    }
  }
}
