// SQL of the people and invitations that operators see. Decides nothing. Role, state and time are
// found in indexes (0100-schema/accounts.ts), the parts of a search at most `OPERATOR_RESULTS_MAX`
// each.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { OPERATOR_RESULTS_MAX, type PeopleQuery } from '#contract/operator.ts'
import type { AccountRole } from '#contract/permissions.ts'
import { avatarOf } from '../database/avatars.ts'
import { byCodePoint } from '../database/dialect.ts'
import { startsWithSql } from '../database/list-conditions.ts'
import { ROLE } from '../database/migrations/0100-schema/accounts.ts'
import type { InvitationRow } from '../database/operator-tables.ts'
import type { Database, UserRow } from '../database/schema.ts'

/** Things of one person are counted so far. */
const OWN_MAX = 5000

export type PeopleFilter = {
  /** How names or addresses begin, in small letters A to Z; undefined for all. */
  starts: readonly string[] | undefined
  role: AccountRole | undefined
  state: Exclude<PeopleQuery['state'], 'invited'>
}
export type PersonRow = Omit<UserRow, 'passwordHash' | 'passwordSetBy' | 'prefs' | 'about'> & {
  avatar: string
  posts: number
  comments: number
}

const ROLE_OF_USER = sql<string>`(${sql.raw(ROLE)})`

function peopleIn(db: Database, { starts, role, state }: PeopleFilter) {
  let people = db.selectFrom('user')
  if (role !== undefined) people = people.where(sql<SqlBool>`${ROLE_OF_USER} = ${role}`)
  if (state !== undefined) people = people.where('isBlocked', '=', Number(state === 'blocked'))
  if (state === 'unverified') people = people.where('isVerified', '=', 0)
  return starts === undefined ? people : people.where(sql<SqlBool>`id in (${foundIds(db, starts)})`)
}

function foundIds(db: Database, starts: readonly string[]): RawBuilder<unknown> {
  const columns = [
    sql`lower(${byCodePoint(db, sql.ref('name'))})`,
    byCodePoint(db, sql.ref('email')),
  ]
  const parts = columns.flatMap((column) =>
    starts.map(
      (start) => sql`select id from (select id from "user"
        where ${startsWithSql(column, start)} limit ${OPERATOR_RESULTS_MAX}) as part`,
    ),
  )
  return sql.join(parts, sql` union `)
}

export async function countPeople(db: Database, asked: PeopleFilter): Promise<number> {
  const count = peopleIn(db, asked).select(sql<number>`count(*)`.as('total'))
  return Number((await count.executeTakeFirstOrThrow()).total)
}

/** The newest first. */
export async function listPeople(
  db: Database,
  asked: PeopleFilter,
  page: { limit: number; offset: number; avatarBucketId: string },
): Promise<PersonRow[]> {
  const { limit, offset, avatarBucketId } = page
  // Rows are read only for those of the page.
  const ids = peopleIn(db, asked).select('id').orderBy('createdAt', 'desc').orderBy('id', 'desc')
  const readers = ['any', 'users'] as const
  return db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'isVerified', 'isBlocked', 'labels', 'passwordUpdatedAt'])
    .select(['createdAt', 'updatedAt', 'accessedAt'])
    .select(avatarOf(sql.ref('user.id'), { avatarBucketId, readers }).as('avatar'))
    .select([ownCount('post').as('posts'), ownCount('comment').as('comments')])
    .where('id', 'in', ids.limit(limit).offset(offset))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

function ownCount(table: 'post' | 'comment' | 'file', userId = sql.ref('user.id')) {
  const own = sql.ref(`${table}.userId`)
  return sql<number>`(select count(*) from (select 1 from ${sql.table(table)}
    where ${own} = ${userId} limit ${OWN_MAX}) as own)`
}

export async function countContent(db: Database, userId: string) {
  const id = sql<string>`${userId}`
  const { rows } = await sql<{ posts: number; comments: number; files: number }>`
    select ${ownCount('post', id)} as posts, ${ownCount('comment', id)} as comments,
      ${ownCount('file', id)} as files`.execute(db)
  return rows[0]
}

// --- invitations that still work

export type InvitationFilter = {
  now: string
  starts: readonly string[] | undefined
  role: AccountRole | undefined
  /** Of those without one. */
  newRole: AccountRole
}

function invitationsIn(db: Database, { now, starts, role, newRole }: InvitationFilter) {
  const working = db.selectFrom('invitation').where('expiresAt', '>', now)
  const found = starts?.map((start) => startsWithSql(byCodePoint(db, sql.ref('email')), start))
  const given = sql`case when role = '' then ${newRole} else role end`
  return working
    .$if(role !== undefined, (all) => all.where(sql<SqlBool>`${given} = ${role}`))
    .$if(found !== undefined, (all) => all.where((eb) => eb.or(found ?? [])))
}

export async function countInvitations(db: Database, asked: InvitationFilter): Promise<number> {
  const count = invitationsIn(db, asked).select(sql<number>`count(*)`.as('total'))
  return Number((await count.executeTakeFirstOrThrow()).total)
}

/** The newest first. */
export function listInvitations(
  db: Database,
  asked: InvitationFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<InvitationRow[]> {
  const newest = invitationsIn(db, asked).selectAll().orderBy('createdAt', 'desc')
  return newest.orderBy('id', 'desc').limit(limit).offset(offset).execute()
}
