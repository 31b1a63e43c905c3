// SQL of what operators did. Rows are added, and deleted after a year; triggers refuse all else.
import { type Insertable, type Selectable, sql } from 'kysely'
import { avatarOf } from '../database/avatars.ts'
import { deleteInBatches } from '../database/change-in-batches.ts'
import { anyContains } from '../database/list-conditions.ts'
import type { ActivityTable } from '../database/operator-tables.ts'
import type { Database } from '../database/schema.ts'

export type ActivityRow = Selectable<ActivityTable>

const SEARCHED = ['actorName', 'subjectName', 'subjectId', 'details', 'action']
/** A search looks through so many rows for one page. */
const SEARCHED_MAX = 5000

export async function add(tx: Database, row: Insertable<ActivityTable>): Promise<void> {
  await tx.insertInto('activity').values(row).execute()
}

type ActivityFilter = {
  kind: string | undefined
  search: string | undefined
  before: number
  limit: number
  avatarBucketId: string
}

/**
 * The newest first.
 * @returns `seen`: the number of the last row that was looked at, undefined when that was all
 */
export async function list(
  db: Database,
  { kind, search, before, limit, ...faces }: ActivityFilter,
) {
  const most = search === undefined ? limit : SEARCHED_MAX
  let window = db.selectFrom('activity').selectAll().where('seq', '<', before)
  if (kind !== undefined) window = window.where('kind', '=', kind)
  const newest = window.orderBy('seq', 'desc').limit(most)
  const found = db.selectFrom(newest.as('activity')).selectAll()
  const avatar = avatarOf(sql.ref('activity.actorId'), { ...faces, readers: ['any'] })
  const rows = await found
    .select(avatar.as('actorAvatar'))
    .where(anyContains(db, SEARCHED, search))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  const last = rows.at(-1)?.seq
  if (rows.length === limit) return { rows, seen: Number(last) }
  if (search === undefined) return { rows, seen: undefined }
  const end = await newest
    .clearSelect()
    .select('seq')
    .offset(most - 1)
    .limit(1)
    .executeTakeFirst()
  return { rows, seen: end && Number(end.seq) }
}

/** The newest of these actions on each of these subjects. */
export async function findLast(db: Database, subjectIds: string[], actions: string[]) {
  if (subjectIds.length === 0) return []
  const newest = db
    .selectFrom('activity')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('subjectId', 'in', subjectIds)
    .where('action', 'in', actions)
    .groupBy('subjectId')
  return db.selectFrom('activity').selectAll().where('seq', 'in', newest).execute()
}

export async function deleteBefore(db: Database, time: string): Promise<void> {
  await deleteInBatches(db, { table: 'activity', key: 'seq', where: sql`time < ${time}` })
}
