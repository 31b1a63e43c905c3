// Reads of posts. What operators need: invitations, Activity, backups, and the values they set.
// What all processes on one database share: counts of rate limits, fingerprints of secrets.
import { sequenceColumn } from '../../migration-steps.ts'
import { raiseVersionAlways } from './public-version.ts'

export const createOperatorTables = (isPostgres: boolean): string[] => [
  ...READS,
  ...INVITATIONS_AND_BACKUPS,
  ...activity(isPostgres),
  ...site(isPostgres),
  ...sharedByProcesses(isPostgres),
]

/** A row for each post and day. Deleted posts keep theirs. */
const READS = [
  `create table "postRead" (
    "postId" text not null references post (id) on delete cascade,
    day text not null,
    "userId" text not null,
    count integer not null,
    constraint "postReadKey" primary key ("postId", day)
  )`,
  'create index "postReadInOrder" on "postRead" ("userId", day, "postId")',
  'create index "postReadByDay" on "postRead" (day)',

  `create table "deletedRead" (
    "deletedId" text not null,
    day text not null,
    count integer not null,
    constraint "deletedReadKey" primary key ("deletedId", day)
  )`,
]

const INVITATIONS_AND_BACKUPS = [
  `create table invitation (
    id text primary key,
    email text not null unique,
    name text not null,
    "secretHash" text not null unique,
    "isMailed" integer not null,
    role text not null default '',
    "invitedBy" text not null default '',
    "createdAt" text not null,
    "expiresAt" text not null
  )`,

  `create table "backupRun" (
    id text not null primary key,
    night text unique,
    "requestedAt" text not null,
    "byName" text not null,
    host text not null,
    state text not null,
    "aliveUntil" text not null,
    attempts integer not null,
    folder text not null,
    name text not null,
    "doneBytes" bigint not null,
    "totalBytes" bigint not null,
    "sizeBytes" bigint not null,
    "endedAt" text not null,
    reason text not null
  )`,
]

const activity = (isPostgres: boolean) => [
  `create table activity (
    ${sequenceColumn(isPostgres)},
    time text not null,
    actor text not null,
    "actorId" text not null,
    "actorName" text not null,
    kind text not null,
    action text not null,
    "subjectType" text not null,
    "subjectId" text not null,
    "subjectName" text not null,
    details text not null
  )`,
  'create index "activityOfKind" on activity (kind, seq)',
  'create index "activityOfSubject" on activity ("subjectId", seq)',
  'create index "activityByTime" on activity (time)',
  ...(isPostgres ? ACTIVITY_TRIGGERS_ON_POSTGRES : ACTIVITY_TRIGGERS_ON_SQLITE),
]

const REFUSED = 'Activity is never changed, and kept a year'

const ACTIVITY_TRIGGERS_ON_SQLITE = [
  `create trigger "activityChanged" before update on activity begin
    select raise(abort, '${REFUSED}'); end`,
  `create trigger "activityDeleted" before delete on activity
    when old.time > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-1 year') begin
    select raise(abort, '${REFUSED}'); end`,
]

const ACTIVITY_TRIGGERS_ON_POSTGRES = [
  `create function "keepActivity"() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' and old.time <= to_char((now() - interval '1 year') at time zone 'utc',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') then return old; end if;
    raise exception '${REFUSED}'; end $$`,
  `create trigger "activityKept" before update or delete on activity
    for each row execute function "keepActivity"()`,
  `create trigger "activityWhole" before truncate on activity
    for each statement execute function "keepActivity"()`,
]

/** Every process reads the values again when the public version has changed. */
const site = (isPostgres: boolean) => [
  `create table "siteValue" (
    name text primary key,
    value text not null
  )`,
  ...raiseVersionAlways(isPostgres, 'siteValue'),
]

/**
 * PostgreSQL keeps no log of the counts of rate limits: after a crash the table is empty. Blogs on
 * SQLite have one data folder, with the secrets in it.
 */
const sharedByProcesses = (isPostgres: boolean) => [
  `create ${isPostgres ? 'unlogged' : ''} table "rateCount" (
    id text primary key,
    "endMs" bigint not null,
    calls double precision not null
  )`,
  ...(isPostgres
    ? [
        `create table "secretMark" (
          name text primary key,
          mark text not null
        )`,
      ]
    : []),
]
