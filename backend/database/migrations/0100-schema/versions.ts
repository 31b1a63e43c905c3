// Versions of posts, and deleted posts that their author can still restore.
import { sequenceColumn } from '../../migration-steps.ts'
import { raiseVersionAlways } from './public-version.ts'

export const createVersions = (isPostgres: boolean): string[] => [
  `create table "deletedPost" (
    ${sequenceColumn(isPostgres)},
    id text not null unique,
    "postId" text not null,
    "userId" text not null references "user" (id) on delete cascade,
    title text not null,
    "featuredImage" text not null,
    status text not null,
    permissions text not null,
    readers text not null,
    "isHidden" integer not null,
    "isRemoved" integer not null default 0,
    attributes text not null default '',
    tags text not null default '',
    "createdAt" text not null,
    "updatedAt" text not null,
    "publishedAt" text not null default '',
    "deletedAt" text not null,
    content text not null
  )`,
  'create index "deletedPostByUser" on "deletedPost" ("userId", "deletedAt", seq)',
  'create index "deletedPostByPost" on "deletedPost" ("postId")',
  'create index "deletedPostByImage" on "deletedPost" ("featuredImage")',
  'create index "deletedPostByTime" on "deletedPost" ("deletedAt")',
  'create index "postRemoved" on "deletedPost" (seq) where "isRemoved" = 1',

  // `body` is last: lists do not read it.
  `create table "postVersion" (
    ${sequenceColumn(isPostgres)},
    id text not null unique,
    "postId" text references post (id) on delete cascade,
    "deletedId" text references "deletedPost" (id) on delete cascade,
    title text not null,
    kind text not null,
    "restoredFrom" text not null,
    words integer not null,
    "wordsAdded" integer not null,
    "wordsRemoved" integer not null,
    "textBytes" integer not null,
    "sizeBytes" integer not null,
    "createdAt" text not null,
    "savedAt" text not null,
    body ${isPostgres ? 'bytea' : 'blob'} not null,
    constraint "postVersionOfOne" check (("postId" is null) <> ("deletedId" is null))
  )`,
  'create index "postVersionByPost" on "postVersion" ("postId", seq)',
  'create index "postVersionByDeleted" on "postVersion" ("deletedId", seq)',

  `create table "versionFile" (
    "versionId" text not null references "postVersion" (id) on delete cascade,
    "fileId" text not null,
    constraint "versionFileKey" primary key ("versionId", "fileId")
  )`,
  'create index "versionFileByFile" on "versionFile" ("fileId")',
  ...raiseVersionAlways(isPostgres, 'versionFile'),
]
