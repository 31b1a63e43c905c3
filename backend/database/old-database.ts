// Converts a database from before the baseline migration if it has all migrations of the version of
// 2026-11-28. Others are refused: that version has to migrate them first.
import { sql } from 'kysely'
import { type AnyDatabase, isShared } from './dialect.ts'
import { runStatements } from './migration-steps.ts'
import { RAISE_ON_POSTGRES } from './migrations/0100-schema/public-version.ts'
import { createSearchTriggers } from './migrations/0100-schema/search.ts'
import type { Database } from './schema.ts'

export const BASELINE = '0100-schema'

/** The migrations that the version of 2026-11-28 recorded. */
export const OLD_MIGRATIONS = [
  '0001-people-posts-files',
  '0002-refresh-tokens',
  '0003-identity-details',
  '0004-derived-texts',
  '0005-file-references',
  '0006-moderation',
  '0007-post-list-indexes',
  '0008-history',
  '0009-highlighted-code',
  '0010-own-attributes',
  '0011-sign-in-tokens-and-logs',
  '0012-changes',
  '0013-tags',
  '0014-search',
  '0015-reads',
  '0016-public-lists',
  '0017-sitemap',
  '0018-lists',
  '0019-likes',
  '0020-rate-counts',
  '0021-secret-marks',
  '0022-due-drawings',
  '0024-body-last',
  '0025-public-version',
  '0026-rate-counts-everywhere',
  '0027-post-texts',
  '0028-reads-in-order',
  '0029-word-places',
  '0031-public-version-once',
  '0032-other-rules',
  '0033-fewer-merges',
  '0034-reads-without-post',
  '0035-settings-of-the-blog',
  '0036-comments',
  '0037-operators',
  '0038-reports',
  '0039-notifications',
  '0041-notification-mails',
  '0042-publication',
  '0044-comment-pages',
  '0045-rendered-comments',
  '0046-comment-hidings',
  '0048-opened-by-others',
  '0049-about-authors',
  '0050-email-domains',
  '0053-used-links',
  '0054-backup-runs',
  '0055-likes-of-discussions',
  '0056-hidden-comments',
  '0057-waiting-by-discussion',
  '0059-passwords-by-others',
]

export const LAST_OLD_MIGRATION = '0059-passwords-by-others'

export const TOO_OLD =
  'This database was last used by a version older than 2026-11-28. Start that version once, then this one: ' +
  "git checkout $(git rev-list -1 --before='2026-11-29 00:00 +0000' HEAD) " +
  '(docs/operating.md, "Update, with a way back")'

export function isOldMigration(name: string): boolean {
  return OLD_MIGRATIONS.includes(name)
}

/** @param applied the migrations that a database records */
export function isConvertible(applied: readonly string[]): boolean {
  return (
    applied.length === OLD_MIGRATIONS.length &&
    OLD_MIGRATIONS.every((name) => applied.includes(name))
  )
}

/** @param applied the migrations that a database records */
export function isTooOld(applied: readonly string[]): boolean {
  return applied.some(isOldMigration) && !OLD_MIGRATIONS.every((name) => applied.includes(name))
}

/** The migrations that a database records; none when it is new. */
export async function readApplied(db: AnyDatabase): Promise<string[]> {
  const names = sql<{ name: string }>`select name from kysely_migration order by name`
  const { rows } = await names.execute(db).catch(() => ({ rows: [] }))
  return rows.map(({ name }) => name)
}

/**
 * Converts a database of the version of 2026-11-28 to the current tables, and records the baseline
 * instead of the old migrations, in one transaction. Does nothing if another process has converted
 * it meanwhile.
 */
export async function convertOldDatabase(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!isConvertible(await readApplied(tx))) return
    await runStatements(tx, [
      ...DROP_UNUSED_TABLES,
      ...(isShared(tx) ? CONVERT_POSTGRES : CONVERT_SQLITE),
      ...createSearchTriggers(isShared(tx)),
      ...REMOVE_OTHER_STATUSES,
      FORGET_OTHER_HASHES,
      'delete from kysely_migration',
    ])
    await sql`insert into kysely_migration (name, timestamp)
      values (${BASELINE}, ${new Date().toISOString()})`.execute(tx)
  })
}

/** The tables' triggers are dropped with them. The last two are from versions before 2026-11-25. */
const DROP_UNUSED_TABLES = [
  'drop table if exists "declaredAttribute"',
  'drop table if exists "declaredIndex"',
  'drop table if exists "dueDrawing"',
  'drop table if exists "searchState"',
  'drop table if exists "publicList"',
  'drop table if exists change',
]

const DROP_UNUSED_COLUMNS = [
  'alter table "postExtra" drop column spellings',
  'alter table "deletedPost" drop column spellings',
  'alter table "postText" drop column "cleanDigest"',
  'alter table "postText" drop column "textsDigest"',
  'alter table "postText" drop column "codeDigest"',
  'alter table "searchPost" drop column "isDue"',
]

/** SQLite cannot drop a column that an index or a trigger names. */
const CONVERT_SQLITE = [
  'drop trigger if exists "searchInsert"',
  'drop trigger if exists "searchText"',
  'drop trigger if exists "searchSeen"',
  'drop trigger if exists "searchDelete"',
  'drop trigger if exists "public_searchPost_insert"',
  'drop trigger if exists "public_searchPost_update"',
  'drop index if exists "searchDue"',
  ...DROP_UNUSED_COLUMNS,
]

/** Some constraints still have the former names of tables and columns. */
const CONVERT_POSTGRES = [
  'drop trigger if exists "noteSearched" on post',
  'drop function if exists "noteSearched"()',
  'drop trigger if exists "public_searchPost_insert" on "searchPost"',
  'drop trigger if exists "public_searchPost_update" on "searchPost"',
  ...DROP_UNUSED_COLUMNS,
  'alter table "searchPost" drop column words',
  `alter table post alter column content set default ''`,
  ...RAISE_ON_POSTGRES,
  `do $$ declare renamed record; begin
    for renamed in
      select conrelid::regclass as "table", conname as name,
          replace(conname, "from", "to") as "newName"
        from (values ('"postLike"', 'likeOfDiscussion_', 'postLike_'),
          ('token', 'newToken_', 'token_'), ('post', 'post_anyStatus_', 'post_status_')
        ) as prefix ("table", "from", "to")
        join pg_constraint on conrelid = prefix."table"::regclass and starts_with(conname, "from")
    loop
      execute format('alter table %s rename constraint %I to %I',
        renamed."table", renamed.name, renamed."newName");
    end loop; end $$`,
  'alter sequence if exists "likeOfDiscussion_seq_seq" rename to "postLike_seq_seq"',
]

/** Removes custom statuses. Posts that were public through one already have the status `active`. */
const REMOVE_OTHER_STATUSES = [
  `update post set status = 'inactive' where status not in ('active', 'inactive')`,
  `update "deletedPost" set status = 'inactive' where status not in ('active', 'inactive')`,
  `delete from "siteValue" where name = 'publicStatuses'`,
]

/** Imported bcrypt and scrypt hashes are no longer supported: such accounts lose their password. */
const FORGET_OTHER_HASHES = `update "user"
  set "passwordHash" = null, "passwordUpdatedAt" = null, "passwordSetBy" = ''
  where "passwordHash" not like '$argon2%'`

/**
 * Converts a new SQLite database back to the tables and columns of the version of 2026-11-28. The
 * backup that is made before a PostgreSQL database is converted can then be restored by that
 * version.
 */
export async function makeOldDatabase(db: Database): Promise<void> {
  const time = new Date().toISOString()
  await db.transaction().execute(async (tx) => {
    await runStatements(tx, OLD_TABLES_AND_COLUMNS)
    await sql`delete from kysely_migration`.execute(tx)
    for (const name of OLD_MIGRATIONS)
      await sql`insert into kysely_migration (name, timestamp) values (${name}, ${time})`.execute(
        tx,
      )
  })
}

const declaredTable = (name: string) => `create table "${name}" (
  seq integer primary key autoincrement,
  key text not null unique,
  definition text not null,
  "isListed" integer not null,
  "createdAt" text not null,
  "updatedAt" text not null
)`

const declaredTrigger = (table: string, event: string) =>
  `create trigger "public_${table}_${event}" after ${event} on "${table}" begin
    update "publicVersion" set version = version + 1; end`

const DECLARED = ['declaredAttribute', 'declaredIndex']

/** `isDue` and `searchState` were unused then. */
const OLD_TABLES_AND_COLUMNS = [
  ...DECLARED.map(declaredTable),
  ...DECLARED.flatMap((table) =>
    ['insert', 'update', 'delete'].map((event) => declaredTrigger(table, event)),
  ),
  `create table "dueDrawing" (
    "storedName" text primary key,
    "bucketId" text not null,
    "fileId" text not null,
    "userId" text not null,
    "dueAt" text not null,
    tries integer not null
  )`,
  'create index "dueDrawingByTime" on "dueDrawing" ("dueAt")',
  `create table "searchState" (
    id integer primary key,
    version text not null,
    "doneFrom" bigint not null
  )`,
  `alter table "postExtra" add column spellings text not null default ''`,
  `alter table "deletedPost" add column spellings text not null default ''`,
  'alter table "postText" add column "cleanDigest" text',
  'alter table "postText" add column "textsDigest" text',
  'alter table "postText" add column "codeDigest" text',
  'alter table "searchPost" add column "isDue" integer not null default 1',
  'create index "searchDue" on "searchPost" (seq) where "isDue" = 1',
  `create trigger "public_searchPost_insert" after insert on "searchPost"
    when (new."isDue" = 0 and new.status = 'active') begin
    update "publicVersion" set version = version + 1; end`,
]
