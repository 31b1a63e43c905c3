// The daily sweep: removes what a crash or a lost client left behind. Knows nothing of requests.
import { UNFINISHED_UPLOAD_SECONDS } from '#contract/limits.ts'
import { ORPHAN_SECONDS } from '#contract/server-limits.ts'
import type { Log } from '../process/log.ts'
import type { Keeper } from './keeper.ts'
import { type RemovalNeeds, removeRow } from './removal.ts'
import * as store from './store.ts'
import { removeUnused, type UsesNeeds } from './uses.ts'

const BATCH = 200

/** `received` is where requests bring their bytes, on this machine. */
export type SweepNeeds = RemovalNeeds & UsesNeeds & { received: Keeper; log: Log }

/**
 * Removes unfinished uploads, files that nothing uses and bytes without a row that are older than
 * 24 h, and logs rows whose bytes are missing. May run while files come and go.
 */
export async function sweepFiles(needs: SweepNeeds): Promise<void> {
  const { db, keeper, chunks, received, now } = needs
  const expired = new Date(now().getTime() - UNFINISHED_UPLOAD_SECONDS * 1000).toISOString()
  for (const row of await store.findExpiredUploads(db, expired)) await removeRow(needs, row)
  const unused = await removeUnused(needs)
  if (unused > 0) needs.log.info({ removed: unused }, 'files that nothing used removed')
  const seen = await removeOrphans(needs, keeper)
  await removeOrphans(needs, received)
  if (chunks !== received) await removeOrphans(needs, chunks)
  await reportMissing(needs, seen)
}

/** @returns every name that was listed */
async function removeOrphans(
  needs: Pick<SweepNeeds, 'db' | 'log' | 'now'>,
  from: Keeper,
): Promise<Set<string>> {
  const beforeMs = needs.now().getTime() - ORPHAN_SECONDS * 1000
  const seen = new Set<string>()
  let old: string[] = []
  for await (const { name, changedAtMs } of from.list()) {
    seen.add(name)
    if (changedAtMs < beforeMs) old.push(name)
    if (old.length >= BATCH) {
      await removeUnknown(needs, from, old)
      old = []
    }
  }
  await removeUnknown(needs, from, old)
  return seen
}

async function removeUnknown(
  { db, log }: Pick<SweepNeeds, 'db' | 'log'>,
  from: Keeper,
  names: string[],
): Promise<void> {
  if (names.length === 0) return
  const known = await store.findKnownNames(db, names)
  const orphans = names.filter((name) => !known.has(name))
  for (const name of orphans) await from.remove(name)
  if (orphans.length > 0) log.info({ removed: orphans.length }, 'bytes without a row removed')
}

/**
 * @param seen  what was listed a moment ago: asking for each name by itself would be a request to
 *   the S3 server each, so only newer files are asked for
 */
async function reportMissing(
  { db, keeper, log }: Pick<SweepNeeds, 'db' | 'keeper' | 'log'>,
  seen: Set<string>,
): Promise<void> {
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
