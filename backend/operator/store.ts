// SQL of the operator's list of users. Decides nothing.
import { sql } from 'kysely'
import { anyContains } from '../database/list-conditions.ts'
import { byCreation, type ListAttributes, readPage } from '../database/list-query.ts'
import type { Database, UserRow } from '../database/schema.ts'

/** The columns that are searched. */
const SEARCHED = ['user.id', 'user.name', 'user.email']

/** The attributes that queries of the list may use. */
const USER_QUERIES: ListAttributes = {
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

export type UserListQuery = {
  queries: string[] | undefined
  search: string | undefined
  hasTotal: boolean
}

/** @throws Refusal as {@link readPage} */
export function listUsers(db: Database, { search, ...query }: UserListQuery) {
  return readPage<UserRow>(db, {
    table: 'user',
    attributes: USER_QUERIES,
    seq: byCreation(db, 'user'),
    role: 'key',
    ...query,
    scope: anyContains(db, SEARCHED, search),
  })
}
