// SQL of the people and invitations that operators see. Decides nothing. Filters by role, state and
// time use indexes (0100-schema/accounts.ts); each part of a search finds at most
// `OPERATOR_RESULTS_MAX` people.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { OPERATOR_RESULTS_MAX, type PeopleQuery } from '#contract/operator.ts'
import type { AccountRole } from '#contract/permissions.ts'
import { avatarOf } from '../database/avatars.ts'
import { byCodePoint } from '../database/dialect.ts'
import { startsWithSql } from '../database/list-conditions.ts'
import { ROLE } from '../database/migrations/0100-schema/accounts.ts'
import type { InvitationRow } from '../database/operator-tables.ts'
import type { Database, UserRow } from '../database/schema.ts'

/** Posts, comments and files of a person are counted up to this number. */
const CONTENT_COUNTED_MAX = 5000

export type PeopleFilter = {
  /** Beginnings of names or addresses, with A to Z in lower case; undefined for all. */
  prefixes: readonly string[] | undefined
  role: AccountRole | undefined
  state: Exclude<PeopleQuery['state'], 'invited'>
}
export type PersonRow = Omit<UserRow, 'passwordHash' | 'passwordSetBy' | 'prefs' | 'about'> & {
  avatar: string
  posts: number
  comments: number
  /** Of the old blog, for an imported author; null for everybody else. */
  unclaimedEmail: string | null
}

const ROLE_OF_USER = sql<string>`(${sql.raw(ROLE)})`

function peopleIn(db: Database, { prefixes, role, state }: PeopleFilter) {
  let people = db.selectFrom('user')
  if (role !== undefined) people = people.where(sql<SqlBool>`${ROLE_OF_USER} = ${role}`)
  if (state !== undefined) people = people.where('isBlocked', '=', Number(state === 'blocked'))
  if (state === 'unverified') people = people.where('isVerified', '=', 0)
  return prefixes === undefined
    ? people
    : people.where(sql<SqlBool>`id in (${foundIds(db, prefixes)})`)
}

function foundIds(db: Database, prefixes: readonly string[]): RawBuilder<unknown> {
  const columns = [
    sql`lower(${byCodePoint(db, sql.ref('name'))})`,
    byCodePoint(db, sql.ref('email')),
  ]
  const parts = columns.flatMap((column) =>
    prefixes.map(
      (prefix) => sql`select id from (select id from "user"
        where ${startsWithSql(column, prefix)} limit ${OPERATOR_RESULTS_MAX}) as part`,
    ),
  )
  return sql.join(parts, sql` union `)
}

export async function countPeople(db: Database, filter: PeopleFilter): Promise<number> {
  const count = peopleIn(db, filter).select(sql<number>`count(*)`.as('total'))
  return Number((await count.executeTakeFirstOrThrow()).total)
}

/** The newest first. */
export async function listPeople(
  db: Database,
  filter: PeopleFilter,
  page: { limit: number; offset: number; avatarBucketId: string },
): Promise<PersonRow[]> {
  const { limit, offset, avatarBucketId } = page
  // Whole rows are read for the people of the page only.
  const ids = peopleIn(db, filter).select('id').orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const readers = ['any', 'users'] as const
  return db
    .selectFrom('user')
    .leftJoin('unclaimedUser', 'unclaimedUser.userId', 'user.id')
    .select('unclaimedUser.email as unclaimedEmail')
    .select(['id', 'name', 'user.email', 'isVerified', 'isBlocked', 'labels', 'passwordUpdatedAt'])
    .select(['createdAt', 'updatedAt', 'accessedAt'])
    .select(avatarOf(sql.ref('user.id'), { avatarBucketId, readers }).as('avatar'))
    .select([countOfUser('post').as('posts'), countOfUser('comment').as('comments')])
    .where('id', 'in', ids.limit(limit).offset(offset))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

function countOfUser(table: 'post' | 'comment' | 'file', userId = sql.ref('user.id')) {
  const ownerColumn = sql.ref(`${table}.userId`)
  return sql<number>`(select count(*) from (select 1 from ${sql.table(table)}
    where ${ownerColumn} = ${userId} limit ${CONTENT_COUNTED_MAX}) as own)`
}

export async function countContent(db: Database, userId: string) {
  const id = sql<string>`${userId}`
  const { rows } = await sql<{ posts: number; comments: number; files: number }>`
    select ${countOfUser('post', id)} as posts, ${countOfUser('comment', id)} as comments,
      ${countOfUser('file', id)} as files`.execute(db)
  return rows[0]
}

// --- invitations that are still valid

export type InvitationFilter = {
  now: string
  prefixes: readonly string[] | undefined
  role: AccountRole | undefined
  /** The role of invitations that name none. */
  newRole: AccountRole
}

function invitationsIn(db: Database, { now, prefixes, role, newRole }: InvitationFilter) {
  const valid = db.selectFrom('invitation').where('expiresAt', '>', now)
  const searched = prefixes?.map((prefix) =>
    startsWithSql(byCodePoint(db, sql.ref('email')), prefix),
  )
  const roleOfInvitation = sql`case when role = '' then ${newRole} else role end`
  return valid
    .$if(role !== undefined, (all) => all.where(sql<SqlBool>`${roleOfInvitation} = ${role}`))
    .$if(searched !== undefined, (all) => all.where((eb) => eb.or(searched ?? [])))
}

export async function countInvitations(db: Database, filter: InvitationFilter): Promise<number> {
  const count = invitationsIn(db, filter).select(sql<number>`count(*)`.as('total'))
  return Number((await count.executeTakeFirstOrThrow()).total)
}

/** The newest first. */
export function listInvitations(
  db: Database,
  filter: InvitationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<InvitationRow[]> {
  const newest = invitationsIn(db, filter).selectAll().orderBy('createdAt', 'desc')
  return newest.orderBy('id', 'desc').limit(limit).offset(offset).execute()
}
