// What is known of files whose bytes are asked for again and again: their rows, and whether anybody
// but the owner may see them. Kept in memory until a change says that it may be otherwise; while
// changes of other processes are not heard, the database is asked each time.
import { LRUCache } from 'lru-cache'
import { KNOWN_FILES_MAX } from '#contract/server-limits.ts'
import { hearAtOnce, isHearing } from '../database/change-ears.ts'
import { type FindNeeds, isKeptForOwner } from './file-access.ts'
import * as store from './store.ts'

/**
 * A complete file. `isPublic`: everybody may see its bytes, so shared caches may keep them.
 * `isKeptForOwner`: nobody but its owner may, whoever its readers are.
 */
export type VisibleFile = store.FileRow & { isPublic: boolean; isKeptForOwner: boolean }

export type KnownFiles = {
  /** @returns undefined for one that is missing or unfinished */
  find(bucketId: string, id: string): Promise<VisibleFile | undefined>
  /** Whether this is still all that is known of the file; then nothing has to be asked. */
  isCurrent(file: VisibleFile): boolean
}

export function makeKnownFiles(needs: FindNeeds): KnownFiles {
  const { db } = needs
  const current = new WeakSet<VisibleFile>()
  const known = new LRUCache<string, VisibleFile>({
    max: KNOWN_FILES_MAX,
    dispose: (file) => void current.delete(file),
  })
  /** Grows with each change: what was read before it is not kept. */
  let changes = 0
  const forgetAll = () => {
    changes++
    known.clear()
  }
  hearAtOnce(db, {
    change(change) {
      if (change.kind === 'uses') forgetAll()
      if (change.kind !== 'file') return
      changes++
      known.delete(keyOf(change.bucketId, change.id))
    },
    missed: forgetAll,
  })
  return {
    async find(bucketId, id) {
      const key = keyOf(bucketId, id)
      const kept = isHearing(db) ? known.get(key) : undefined
      if (kept) return kept
      const before = changes
      const file = await readVisibleFile(needs, bucketId, id)
      // What only its owner may see may be shown again without a word.
      if (file && !file.isKeptForOwner && before === changes && isHearing(db)) {
        known.set(key, file)
        current.add(file)
      }
      return file
    },
    isCurrent: (file) => current.has(file) && isHearing(db),
  }
}

function keyOf(bucketId: string, id: string): string {
  return `${bucketId} ${id}`
}

async function readVisibleFile(
  needs: FindNeeds,
  bucketId: string,
  id: string,
): Promise<VisibleFile | undefined> {
  const row = await store.findFile(needs.db, { bucketId, id })
  if (!row?.isComplete) return undefined
  const isKept = await isKeptForOwner(needs, row)
  return { ...row, isKeptForOwner: isKept, isPublic: row.readers === 'any' && !isKept }
}
