// Syncs of SQLite's write-ahead log, beside the event loop and one at a time: whoever asks while
// one runs shares the next with all others who do. A failed one is the last (threat-model.md §10).
import { close, fdatasync, open } from 'node:fs'
import { open as openFolder } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

const syncData = promisify(fdatasync)
/** A disk that is slower than the writes holds them up here. */
const GROUPS_PER_SYNC_MAX = 50

export type LogSync = {
  /**
   * Resolves once a sync that began after this call has ended.
   *
   * @throws what the system said of the first failure, also to all that ask afterwards
   */
  synced(): Promise<void>
  /** Resolves once the next sync is not shared by too many. */
  hasRoom(): Promise<void> | undefined
  close(): Promise<void>
}

/** @param path of the log, which has to be there */
export function makeLogSync(path: string): LogSync {
  let file: Promise<number> | undefined
  const sync = async () => {
    file ??= openLog(path)
    await syncData(await file)
  }
  return makeSyncs({
    sync,
    async end() {
      if (file !== undefined) await promisify(close)(await file)
    },
  })
}

/** SQLite closes its own: the locks of a process end with any of its files that SQLite locks. */
async function openLog(path: string): Promise<number> {
  const file = await promisify(open)(path, 'r+')
  // The log's own name, once. Windows has no folders that can be synced.
  if (process.platform !== 'win32') {
    const folder = await openFolder(dirname(path), 'r')
    await folder.sync().finally(() => folder.close())
  }
  return file
}

/** @param sync may be called again only after it has ended */
export function makeSyncs({
  sync,
  end,
}: {
  sync: () => Promise<void>
  end: () => Promise<void>
}): LogSync {
  let running: Promise<void> | undefined
  let next: PromiseWithResolvers<void> | undefined
  /** How many share it. */
  let sharing = 0
  let failure: { error: unknown } | undefined

  async function run(): Promise<void> {
    for (let round = next; round; round = next) {
      next = undefined
      sharing = 0
      try {
        if (failure) throw failure.error
        running = sync()
        await running
        round.resolve()
      } catch (error) {
        failure ??= { error }
        round.reject(error)
      }
    }
    running = undefined
  }
  return {
    synced() {
      next ??= Promise.withResolvers<void>()
      sharing += 1
      const { promise } = next
      if (running === undefined) void run()
      return promise
    },
    hasRoom: () => (sharing >= GROUPS_PER_SYNC_MAX ? running?.catch(() => undefined) : undefined),
    async close() {
      while (running !== undefined) await running.catch(() => undefined)
      await end()
    },
  }
}
