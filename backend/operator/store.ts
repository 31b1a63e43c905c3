// SQL of the operator's list of users: filters, search, order and pages. Rows in, rows out; knows
// no rule.
import { sql } from 'kysely'
import { byCodePoint } from '../database/dialect.ts'
import { anyContains } from '../database/list-conditions.ts'
import { countRows, type ListSource, listRows } from '../database/list-query.ts'
import type { ListQuery } from '../database/queries.ts'
import type { Database, UserRow } from '../database/schema.ts'

/** A search text is part of one of these. */
const SEARCHED = ['user.id', 'user.name', 'user.email']

/** @throws Refusal `general_cursor_not_found` */
export async function listUsers(
  db: Database,
  query: ListQuery,
  { search, hasTotal }: { search: string | undefined; hasTotal: boolean },
): Promise<{ total: number; rows: UserRow[] }> {
  const call = { source: userList(db), query, scope: anyContains(db, SEARCHED, search) }
  const rows = await listRows<UserRow>(db, call)
  return { total: hasTotal ? await countRows(db, call) : 0, rows }
}

/** Users have no number of creation: creation time and id together give the order. */
function userList(db: Database): ListSource {
  const creationOrder = sql`(${sql.ref('user.createdAt')} || ${sql.ref('user.id')})`
  return {
    table: 'user',
    seq: byCodePoint(db, creationOrder),
    id: sql.ref('user.id'),
    columns: {
      name: { value: sql.ref('user.name'), isText: true },
      email: { value: sql.ref('user.email'), isText: true },
      phone: { value: sql`cast('' as text)`, isText: true },
      status: { value: sql`(1 - ${sql.ref('user.isBlocked')})` },
      passwordUpdate: { value: sql`coalesce(${sql.ref('user.passwordUpdatedAt')}, '')` },
      registration: { value: sql.ref('user.createdAt') },
      emailVerification: { value: sql.ref('user.isVerified') },
      phoneVerification: { value: sql`cast(0 as integer)` },
      $id: { value: sql.ref('user.id'), isText: true },
      $createdAt: { value: sql.ref('user.createdAt') },
      $updatedAt: { value: sql.ref('user.updatedAt') },
    },
  }
}
