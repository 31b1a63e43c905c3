// SQL of the operator's list of users: filters, search, order and pages. Rows in, rows out; knows
// no rule.
import { sql } from 'kysely'
import { anyContains } from '../database/list-conditions.ts'
import {
  byCreation,
  countRows,
  type ListAttributes,
  listOf,
  listRows,
} from '../database/list-query.ts'
import type { ListQuery } from '../database/queries.ts'
import type { Database, UserRow } from '../database/schema.ts'

/** A search text is part of one of these. */
const SEARCHED = ['user.id', 'user.name', 'user.email']

/** What a list may ask for. */
export const USER_QUERIES: ListAttributes = {
  name: { type: 'string', column: 'name' },
  email: { type: 'string', column: 'email' },
  phone: { type: 'string', column: sql`cast('' as text)` },
  status: { type: 'boolean', column: sql`(1 - ${sql.ref('user.isBlocked')})` },
  passwordUpdate: {
    type: 'datetime',
    column: sql`coalesce(${sql.ref('user.passwordUpdatedAt')}, '')`,
  },
  registration: { type: 'datetime', column: 'createdAt' },
  emailVerification: { type: 'boolean', column: 'isVerified' },
  phoneVerification: { type: 'boolean', column: sql`cast(0 as integer)` },
  $id: { type: 'string', column: 'id' },
  $createdAt: { type: 'datetime', column: 'createdAt' },
  $updatedAt: { type: 'datetime', column: 'updatedAt' },
}

/** @throws Refusal `general_cursor_not_found` */
export async function listUsers(
  db: Database,
  query: ListQuery,
  { search, hasTotal }: { search: string | undefined; hasTotal: boolean },
): Promise<{ total: number; rows: UserRow[] }> {
  const source = listOf('user', USER_QUERIES, byCreation(db, 'user'))
  const call = { source, query, scope: anyContains(db, SEARCHED, search) }
  const rows = await listRows<UserRow>(db, call)
  return { total: hasTotal ? await countRows(db, call) : 0, rows }
}
