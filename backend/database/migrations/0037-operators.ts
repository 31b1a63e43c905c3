// What operators do, which nothing changes and nothing deletes within a year; the role that an
// invitation gives; posts that were removed by others than their author; and people in the orders
// in which operators look for them.
import { type Kysely, sql } from 'kysely'
import { isShared } from '../dialect.ts'
import { addColumn, runAll, sequenceColumn, TEXT } from '../migration-steps.ts'

/** As queries have it (backend/operator/people-store.ts). Labels hold no quotes. */
const has = (role: string) => `replace(labels, '"${role}"', '') <> labels`
export const ROLE = `case when ${has('operator')} then 'operator' when ${has('author')} then 'author' when ${has('reader')} then 'reader' else 'author' end`

export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = isShared(db)
  await addColumn(db, 'invitation', 'role', TEXT)
  await addColumn(db, 'deletedPost', 'isRemoved', 'integer not null default 0')
  const text = (column: string) => (isPostgres ? `(${column} collate "C")` : column)
  await runAll(db, [
    `create table if not exists activity (${sequenceColumn(isPostgres)}, time text not null,
       actor text not null, "actorId" text not null, "actorName" text not null,
       kind text not null, action text not null, "subjectType" text not null,
       "subjectId" text not null, "subjectName" text not null, details text not null)`,
    'create index if not exists "activityOfKind" on activity (kind, seq)',
    'create index if not exists "activityOfSubject" on activity ("subjectId", seq)',
    'create index if not exists "activityByTime" on activity (time)',
    'create index if not exists "personByTime" on "user" ("createdAt", id)',
    'create index if not exists "personByBlock" on "user" ("isBlocked", "createdAt", id)',
    `create index if not exists "personByProof" on "user" ("isVerified", "isBlocked", "createdAt", id)`,
    `create index if not exists "personByRole" on "user" ((${ROLE}), "createdAt", id, "isBlocked")`,
    `create index if not exists "personByRoleAndProof" on "user"
       ((${ROLE}), "isVerified", "isBlocked", "createdAt", id)`,
    `create index if not exists "personByName" on "user" (lower(${text('name')}), id)`,
    `create index if not exists "personByEmail" on "user" (${text('email')}, id)`,
    `create index if not exists "postRemoved" on "deletedPost" (seq) where "isRemoved" = 1`,
    'create index if not exists "commentByTime" on comment ("createdAt")',
    ...(isPostgres ? KEPT_ON_POSTGRES : KEPT_ON_SQLITE),
  ])
  if (isPostgres) await sql`analyze "user"`.execute(db)
}

const REFUSED = 'Activity is never changed, and kept a year'

const KEPT_ON_SQLITE = [
  `create trigger if not exists "activityChanged" before update on activity begin
     select raise(abort, '${REFUSED}'); end`,
  `create trigger if not exists "activityDeleted" before delete on activity
     when old.time > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 year') begin
     select raise(abort, '${REFUSED}'); end`,
]

const KEPT_ON_POSTGRES = [
  `create or replace function "keepActivity"() returns trigger language plpgsql as $$ begin
     if tg_op = 'DELETE' and old.time <= to_char((now() - interval '1 year') at time zone 'utc',
       'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') then return old; end if;
     raise exception '${REFUSED}'; end $$`,
  `create or replace trigger "activityKept" before update or delete on activity
     for each row execute function "keepActivity"()`,
  `create or replace trigger "activityWhole" before truncate on activity
     for each statement execute function "keepActivity"()`,
]
