// The SQL of a person's own files. Private to this folder; returns rows.
import type { Database } from '../database/schema.ts'
import type { FileRow } from './store.ts'
import { isUsed } from './uses-store.ts'

type OwnScope = { userId: string; contentBucketId: string; isUnused: boolean }

/** Files of a person, unfinished uploads too, unless only unused ones are asked for. */
function selectOwn(db: Database, { userId, contentBucketId, isUnused }: OwnScope) {
  const own = db.selectFrom('file').where('userId', '=', userId)
  if (!isUnused) return own
  return own.where('isComplete', '=', 1).where(({ not }) => not(isUsed(contentBucketId)))
}

/** The newest first, from before `before` on. */
export async function findOwnPage(
  db: Database,
  { before, limit, ...scope }: OwnScope & { before: number | undefined; limit: number },
): Promise<FileRow[]> {
  let query = selectOwn(db, scope).selectAll('file')
  if (before !== undefined) query = query.where('seq', '<', before)
  return await query.orderBy('seq', 'desc').limit(limit).execute()
}

export async function countOwn(db: Database, scope: OwnScope): Promise<number> {
  const { count } = await selectOwn(db, scope)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
