// Files: uploads and the chunks of unfinished ones, whose id each is, and avatars.
import { sequenceColumn } from '../../migration-steps.ts'
import { raiseVersion, raiseVersionAlways } from './public-version.ts'

export const createFiles = (isPostgres: boolean): string[] => [
  `create table file (
    ${sequenceColumn(isPostgres)},
    id text not null,
    "bucketId" text not null,
    "userId" text,
    name text not null,
    "mimeType" text not null,
    "sizeBytes" bigint not null,
    signature text not null,
    width integer not null,
    height integer not null,
    color text not null,
    "chunksTotal" integer not null,
    "chunksUploaded" integer not null,
    "isComplete" integer not null,
    "storedName" text not null unique,
    permissions text not null,
    readers text not null,
    "createdAt" text not null,
    "updatedAt" text not null,
    constraint "fileKey" unique ("bucketId", id)
  )`,
  'create index "fileByUser" on file ("userId", "createdAt")',

  `create table "fileChunk" (
    "bucketId" text not null,
    "fileId" text not null,
    "chunkIndex" integer not null,
    "storedName" text not null unique,
    constraint "fileChunkKey" primary key ("bucketId", "fileId", "chunkIndex"),
    constraint "fileChunkOf" foreign key ("bucketId", "fileId")
      references file ("bucketId", id) on delete cascade
  )`,

  `create table "fileId" (
    "bucketId" text not null,
    id text not null,
    "ownerId" text,
    "uploadedAt" text not null,
    "releasedAt" text not null,
    constraint "fileIdKey" primary key ("bucketId", id)
  )`,
  'create index "fileIdByOwner" on "fileId" ("ownerId")',

  `create table "avatarFile" (
    "userId" text primary key references "user" (id) on delete cascade,
    "fileId" text not null
  )`,
  'create index "avatarFileByFile" on "avatarFile" ("fileId")',

  raiseVersion(isPostgres, 'file', 'insert', 'new."isComplete" = 1'),
  raiseVersion(
    isPostgres,
    'file',
    'update of name, readers, "isComplete", "storedName", color, "userId"',
    'new."isComplete" = 1',
  ),
  raiseVersion(isPostgres, 'file', 'delete', 'old."isComplete" = 1'),
  ...raiseVersionAlways(isPostgres, 'avatarFile'),
]
