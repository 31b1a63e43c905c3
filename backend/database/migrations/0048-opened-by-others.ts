// Sessions and tokens that an operator or the API key has made for somebody else, with the role
// that the account had then; and who invites. For those that exist, Activity says both: a link that
// was used has the time of its session.
import type { Kysely } from 'kysely'
import { addColumn, runAll, TEXT } from '../migration-steps.ts'

const has = (role: string) => `replace(labels, '"${role}"', '') <> labels`
const ROLE = `(select case when ${has('operator')} then 'operator' when ${has('author')} then 'author'
  when ${has('reader')} then 'reader' else 'author' end from "user" where id = "userId")`

const MAKER = `select made."actorId" from activity as made where made.action = 'linkMade'`
const MAKER_OF_TOKEN = `${MAKER} and made."subjectId" = token.id limit 1`
const MAKER_OF_SESSION = `${MAKER} and made."subjectId" in (select used."subjectId"
  from activity as used where used.action = 'linkUsed' and used."actorId" = session."userId"
  and used.time = session."createdAt") limit 1`

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['session', 'token'])
    for (const column of ['openedBy', 'openedRole']) await addColumn(db, table, column, TEXT)
  await addColumn(db, 'invitation', 'invitedBy', TEXT)
  await runAll(db, [
    `update token set "openedRole" = ${ROLE}, "openedBy" = coalesce((${MAKER_OF_TOKEN}), '')
       where kind = 'sign-in'`,
    `update session set "openedRole" = ${ROLE} where provider = 'server'`,
    `update session set "openedRole" = ${ROLE}, "openedBy" = (${MAKER_OF_SESSION})
       where provider = 'magic-url' and exists (${MAKER_OF_SESSION})`,
    // An operator could make no link of another one: the role came later.
    ...['session', 'token'].map(
      (table) => `update ${table} set "openedRole" = 'author'
        where "openedBy" <> '' and "openedRole" = 'operator'`,
    ),
    `update invitation set "invitedBy" = coalesce((select made."actorId" from activity as made
       where made.action = 'invited' and made."subjectId" = invitation.id limit 1), '')`,
    `create index if not exists "sessionOpened" on session ("openedBy") where "openedBy" <> ''`,
    `create index if not exists "tokenOpened" on token ("openedBy") where "openedBy" <> ''`,
  ])
}
