// SQL for recorded actions. Rows are added, and deleted after a year; triggers refuse other
// changes.
import { type Insertable, type Selectable, sql } from 'kysely'
import { avatarOf } from '../database/avatars.ts'
import { deleteInBatches } from '../database/change-in-batches.ts'
import { anyContains } from '../database/list-conditions.ts'
import type { ActivityTable } from '../database/operator-tables.ts'
import type { Database } from '../database/schema.ts'

export type ActivityRow = Selectable<ActivityTable>

const SEARCHED = ['actorName', 'subjectName', 'subjectId', 'details', 'action']
/** How many rows a search examines for one page, at most. */
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
 * @returns `lastExamined`: the `seq` of the last examined row; undefined when no rows are left
 */
export async function list(
  db: Database,
  { kind, search, before, limit, ...avatarOptions }: ActivityFilter,
) {
  const examined = search === undefined ? limit : SEARCHED_MAX
  let window = db.selectFrom('activity').selectAll().where('seq', '<', before)
  if (kind !== undefined) window = window.where('kind', '=', kind)
  const newest = window.orderBy('seq', 'desc').limit(examined)
  const query = db.selectFrom(newest.as('activity')).selectAll()
  const avatar = avatarOf(sql.ref('activity.actorId'), { ...avatarOptions, readers: ['any'] })
  const rows = await query
    .select(avatar.as('actorAvatar'))
    .where(anyContains(db, SEARCHED, search))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  const last = rows.at(-1)?.seq
  if (rows.length === limit) return { rows, lastExamined: Number(last) }
  if (search === undefined) return { rows, lastExamined: undefined }
  const end = await newest
    .clearSelect()
    .select('seq')
    .offset(examined - 1)
    .limit(1)
    .executeTakeFirst()
  return { rows, lastExamined: end && Number(end.seq) }
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
