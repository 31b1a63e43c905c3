// The people of the blog, as operators see them (api.md §15.21): invitations first, then accounts,
// the newest first.

import { wireTime } from '#contract/ids.ts'
import {
  OPERATOR_PAGE,
  type OperatorPeople,
  type OperatorPerson,
  type PeopleQuery,
  type PersonContent,
} from '#contract/operator.ts'
import { type AccountRole, roleOf } from '#contract/permissions.ts'
import { normaliseUnicode } from '#contract/plain-text.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { isRetired, readUserRow } from '../accounts/users.ts'
import { findLastActors } from '../activity/activity.ts'
import type { InvitationRow } from '../database/operator-tables.ts'
import { tryParseEmail } from '../mail/addresses.ts'
import * as store from './people-store.ts'

export async function listPeople(
  context: AccountsContext,
  query: PeopleQuery,
): Promise<OperatorPeople> {
  const { db, avatarBucketId } = context
  const { newRole } = await context.site.read()
  const { search, state } = query
  const role = query.role as AccountRole | undefined
  const prefixes = search?.trim() ? searchPrefixes(search.trim()) : undefined
  const page = Number(query.page ?? 1)
  const limit = OPERATOR_PAGE
  const offset = (page - 1) * OPERATOR_PAGE
  const invitationFilter = { now: context.now().toISOString(), prefixes, role, newRole }
  const includesInvited = state === undefined || state === 'invited'
  const invitedCount = includesInvited ? await store.countInvitations(db, invitationFilter) : 0
  const peopleFilter = { prefixes, role, state: state as store.PeopleFilter['state'] }
  const accountCount = state === 'invited' ? 0 : await store.countPeople(db, peopleFilter)
  const invitations =
    offset < invitedCount
      ? await store.listInvitations(db, invitationFilter, { limit, offset })
      : []
  const accountsPage = {
    limit: limit - invitations.length,
    offset: Math.max(0, offset - invitedCount),
  }
  const rows =
    accountCount > 0 && accountsPage.limit > 0
      ? await store.listPeople(db, peopleFilter, { ...accountsPage, avatarBucketId })
      : []
  const everybody = { prefixes: undefined, role: undefined, state: undefined }
  const total = invitedCount + accountCount
  return {
    total,
    page,
    pages: Math.max(1, Math.ceil(total / limit)),
    people: await store.countPeople(db, everybody),
    list: await withActors(context, [
      ...invitations.map((invitation) => toInvited(invitation, newRole)),
      ...rows.filter((row) => !isRetired(row)).map(toPerson),
    ]),
  }
}

/** The forms in which the index may contain the text: the index ignores case for A to Z only. */
function searchPrefixes(search: string): string[] {
  const text = normaliseUnicode(search)
  const [first = '', ...others] = text
  const forms = [text, text.toLowerCase(), first.toUpperCase() + others.join('').toLowerCase()]
  forms.push(tryParseEmail(text) ?? text)
  return [...new Set(forms.map((form) => form.replace(/[A-Z]/g, (letter) => letter.toLowerCase())))]
}

/** Adds the actors who blocked or invited these people. */
async function withActors(
  { db }: AccountsContext,
  list: OperatorPerson[],
): Promise<OperatorPerson[]> {
  const ids = list.filter(({ state }) => state !== 'active').map(({ $id }) => $id)
  const actors = await findLastActors(db, ids, ['blocked', 'invited'])
  return list.map((person) => {
    const lastAction = person.state === 'active' ? undefined : actors.get(person.$id)
    return lastAction ? { ...person, done: lastAction } : person
  })
}

function toPerson(row: store.PersonRow): OperatorPerson {
  const { unclaimedEmail } = row
  return {
    $id: row.id,
    name: row.name,
    email: unclaimedEmail ?? row.email,
    avatar: row.avatar,
    role: roleOf(JSON.parse(row.labels) as string[]),
    state: row.isBlocked ? 'blocked' : 'active',
    emailVerification: row.isVerified === 1,
    registration: wireTime(row.createdAt),
    accessedAt: wireTime(row.accessedAt),
    posts: Number(row.posts),
    comments: Number(row.comments),
    ...(unclaimedEmail === null ? {} : { unclaimedEmail }),
  }
}

function toInvited(row: InvitationRow, newRole: AccountRole): OperatorPerson {
  return {
    $id: row.id,
    name: '',
    email: row.email,
    avatar: '',
    role: row.role === '' ? newRole : (row.role as AccountRole),
    state: 'invited',
    emailVerification: false,
    registration: wireTime(row.createdAt),
    accessedAt: '',
    posts: 0,
    comments: 0,
    expire: wireTime(row.expiresAt),
    mailed: row.isMailed === 1,
  }
}

/** Counts what would be deleted with an account. @throws Refusal `user_not_found` */
export async function countContent(
  { db }: AccountsContext,
  userId: string,
): Promise<PersonContent> {
  const { id } = await readUserRow(db, userId)
  const { posts = 0, comments = 0, files = 0 } = (await store.countContent(db, id)) ?? {}
  return { posts: Number(posts), comments: Number(comments), files: Number(files) }
}
