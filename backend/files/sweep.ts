// The daily tidying: what a crash or a lost client left behind. Knows nothing of requests.
import { ORPHAN_SECONDS, UNFINISHED_UPLOAD_SECONDS } from '#contract/limits.ts'
import type { Database } from '../database/schema.ts'
import type { Log } from '../process/log.ts'
import type { Keeper } from './keeper.ts'
import * as store from './store.ts'

const BATCH = 200

export type SweepNeeds = {
  db: Database
  log: Log
  keeper: Keeper
  received: Keeper
  /** Row first, then bytes. */
  removeRow: (row: store.FileRow) => Promise<boolean>
  now: () => Date
}

/** @returns the sweep; it may run while files come and go */
export function makeSweep({
  db,
  log,
  keeper,
  received,
  removeRow,
  now,
}: SweepNeeds): () => Promise<void> {
  /**
   * @returns every name kept there: asking for each one by itself would be a request to the S3
   *   server each
   */
  async function removeRowless(from: Keeper): Promise<Set<string>> {
    const beforeMs = now().getTime() - ORPHAN_SECONDS * 1000
    const seen = new Set<string>()
    let names: string[] = []
    for await (const { name, changedAtMs } of from.list()) {
      seen.add(name)
      if (changedAtMs < beforeMs) names.push(name)
      if (names.length >= BATCH) names = await removeUnknown(from, names)
    }
    await removeUnknown(from, names)
    return seen
  }

  async function removeUnknown(from: Keeper, names: string[]): Promise<string[]> {
    if (names.length === 0) return []
    const known = await store.findKnownNames(db, names)
    const rowless = names.filter((name) => !known.has(name))
    for (const name of rowless) await from.remove(name)
    if (rowless.length > 0) log.info({ removed: rowless.length }, 'bytes without a row removed')
    return []
  }

  /** @param seen what was kept a moment ago; newer files are asked for */
  async function reportMissing(seen: Set<string>): Promise<void> {
    for (let seq = 0; ; ) {
      const rows = await store.findCompleteAfter(db, seq, BATCH)
      for (const row of rows) {
        const isKept = seen.has(row.storedName) || (await keeper.has(row.storedName))
        if (!isKept)
          log.error({ fileId: row.id, bucketId: row.bucketId }, 'the bytes of a file are missing')
        seq = row.seq
      }
      if (rows.length < BATCH) return
    }
  }

  return async () => {
    const expired = new Date(now().getTime() - UNFINISHED_UPLOAD_SECONDS * 1000).toISOString()
    for (const row of await store.findExpiredUploads(db, expired)) await removeRow(row)
    const seen = await removeRowless(keeper)
    await removeRowless(received)
    await reportMissing(seen)
  }
}
