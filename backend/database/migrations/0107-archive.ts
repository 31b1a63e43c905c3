// Imports and exports, and what remembers where imported things came from.
import { cacheTagTriggers, sequenceColumn } from '../migration-steps.ts'

export const statements = (isPostgres: boolean): string[] => [
  ...RUNS,
  // One row for each thing that an import made, so that it is not made twice, and can be undone.
  `create table "importedItem" (
    ${sequenceColumn(isPostgres)},
    owner text not null,
    source text not null,
    kind text not null,
    key text not null,
    "runId" text not null,
    "targetId" text not null,
    digest text not null default '',
    constraint "importedItemKey" unique (owner, source, kind, key)
  )`,
  'create index "importedItemByRun" on "importedItem" ("runId", kind, seq)',
  'create index "importedItemByTarget" on "importedItem" ("targetId")',

  `create table "oldAddress" (
    address text primary key,
    "postId" text not null references post (id) on delete cascade,
    "runId" text not null
  )`,
  'create index "oldAddressByPost" on "oldAddress" ("postId")',
  'create index "oldAddressByRun" on "oldAddress" ("runId")',

  `create table "unclaimedUser" (
    "userId" text primary key references "user" (id) on delete cascade,
    email text not null,
    "runId" text not null
  )`,

  `create table "commentAuthor" (
    "commentSeq" bigint primary key references comment (seq) on delete cascade,
    name text not null
  )`,
  ...['insert', 'delete'].flatMap((event) =>
    cacheTagTriggers(isPostgres, {
      table: 'oldAddress',
      event,
      raises: [`select 'link:' || ${event === 'insert' ? 'new' : 'old'}."postId" as tag`],
    }),
  ),
]

const RUNS = [
  `create table "archiveRun" (
    id text primary key,
    kind text not null,
    "userId" text references "user" (id) on delete cascade,
    "byId" text not null,
    "byName" text not null,
    state text not null,
    request text not null,
    "sizeBytes" bigint not null default 0,
    progress text not null default '',
    result text not null default '',
    problem text not null default '',
    worker text not null default '',
    "aliveUntil" text not null,
    attempts integer not null default 0,
    "createdAt" text not null,
    "startedAt" text not null default '',
    "endedAt" text not null default '',
    "expiresAt" text not null
  )`,
  'create index "archiveRunByUser" on "archiveRun" ("userId", kind, id)',

  `create table "archivePiece" (
    "runId" text not null references "archiveRun" (id) on delete cascade,
    number integer not null,
    "storedName" text not null unique,
    "sizeBytes" bigint not null,
    constraint "archivePieceKey" primary key ("runId", number)
  )`,

  `create table "importIssue" (
    "runId" text not null references "archiveRun" (id) on delete cascade,
    number integer not null,
    what text not null,
    name text not null,
    reason text not null,
    post text not null,
    detail text not null,
    constraint "importIssueKey" primary key ("runId", number)
  )`,
]
