// SQL for the uses of files: finds unused files, and files that only the history of posts shows,
// that is, their versions and deleted posts.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isOneOfTexts, listParameter } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'
import type { FileRow } from './store.ts'

/** How many files one statement checks. */
const BATCH = 500

/** @returns the stored names of the files that are used */
export function findUsed(tx: Database, contentBucketId: string, files: FileRow[]) {
  return findFilesWhere(tx, files, isUsed(contentBucketId))
}

/** @returns the stored names of the files that only the history of their owner's posts shows */
export function findWithheld(db: Database, contentBucketId: string, files: FileRow[]) {
  const isInHistory = isUsedInUploaderHistory(contentBucketId)
  const isVisible = isPubliclyVisible(contentBucketId)
  return findFilesWhere(db, files, sql<SqlBool>`(${isInHistory} and not ${isVisible})`)
}

async function findFilesWhere(db: Database, files: FileRow[], condition: RawBuilder<SqlBool>) {
  if (files.length === 0) return new Set<string>()
  const names = files.map(({ storedName }) => storedName)
  const isListed = isOneOfTexts(db, 'storedName', listParameter(db, names))
  const query = db.selectFrom('file').select('storedName').where(isListed).where(condition)
  const rows = await query.execute()
  return new Set(rows.map(({ storedName }) => storedName))
}

/** Whether a file is used. Avatars may be in both buckets: some programs upload them as content. */
export function isUsed(contentBucketId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${isPubliclyVisible(contentBucketId)} or ${isUsedInHistory(contentBucketId)})`
}

/** Whether the current text or cover of a post shows a file, or it is an avatar. */
function isPubliclyVisible(contentBucketId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(exists (select 1 from "avatarFile" where "avatarFile"."fileId" = file.id)
    or (file."bucketId" = ${contentBucketId}
      and exists (select 1 from "postFile" where "postFile"."fileId" = file.id)))`
}

/**
 * Whether a version shows a file, or it is the cover of a deleted post (its texts are versions).
 */
function isUsedInHistory(contentBucketId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(file."bucketId" = ${contentBucketId} and (
    exists (select 1 from "versionFile" where "versionFile"."fileId" = file.id)
    or exists (select 1 from "deletedPost" where "deletedPost"."featuredImage" = file.id)))`
}

/**
 * Whether a version or a deleted post of the uploader shows a file. Those of other users do not
 * count: otherwise they could withhold a file by referring to it.
 */
function isUsedInUploaderHistory(contentBucketId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(file."bucketId" = ${contentBucketId} and (
    exists (select 1 from "versionFile"
      join "postVersion" on "postVersion".id = "versionFile"."versionId"
      left join post on post.id = "postVersion"."postId"
      left join "deletedPost" on "deletedPost".id = "postVersion"."deletedId"
      where "versionFile"."fileId" = file.id
        and coalesce(post."userId", "deletedPost"."userId") = file."userId")
    or exists (select 1 from "deletedPost" where "deletedPost"."featuredImage" = file.id
      and "deletedPost"."userId" = file."userId")))`
}

type OwnFile = { fileId: string; ownerId: string }

/** Whether a deleted post of this user shows the file in its cover or a version. */
export async function isUsedByDeletedPost(tx: Database, { fileId, ownerId }: OwnFile) {
  const { rows } = await sql`select 1 from "deletedPost" where "userId" = ${ownerId} and (
    "featuredImage" = ${fileId} or exists (select 1 from "versionFile"
      join "postVersion" on "postVersion".id = "versionFile"."versionId"
      where "versionFile"."fileId" = ${fileId}
        and "postVersion"."deletedId" = "deletedPost".id)) limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * How many references prevent the owner from deleting a file: in posts of the owner, and as covers
 * of others. Counts up to 2.
 */
export async function countBlockingReferences(
  tx: Database,
  { fileId, ownerId }: OwnFile,
): Promise<number> {
  const references = await tx
    .selectFrom('postFile')
    .innerJoin('post', 'post.id', 'postFile.postId')
    .select('postFile.place')
    .where('postFile.fileId', '=', fileId)
    .where((eb) => eb.or([eb('postFile.place', '=', 'cover'), eb('post.userId', '=', ownerId)]))
    .limit(2)
    .execute()
  return references.length
}

/**
 * Complete files of users that nothing uses, uploaded and last released before `before`, among the
 * next {@link BATCH} files after `after` in the order of `seq`.
 *
 * @returns `lastSeq` is the last `seq` that was checked; undefined when no files are left
 */
export async function findUnused(
  db: Database,
  { contentBucketId, before, after }: { contentBucketId: string; before: string; after: number },
): Promise<{ files: FileRow[]; lastSeq: number | undefined }> {
  const next = db.selectFrom('file').select('seq').where('seq', '>', after).orderBy('seq')
  const page = next.limit(1).offset(BATCH - 1)
  const end = await page.executeTakeFirst()
  const lastSeq = end && Number(end.seq)
  const files = await db
    .selectFrom('file')
    .innerJoin('fileId', (join) =>
      join.onRef('fileId.bucketId', '=', 'file.bucketId').onRef('fileId.id', '=', 'file.id'),
    )
    .selectAll('file')
    .where('file.userId', 'is not', null)
    .where('file.isComplete', '=', 1)
    .where('file.seq', '>', after)
    .where('file.seq', '<=', lastSeq ?? Number.MAX_SAFE_INTEGER)
    .where('fileId.uploadedAt', '<', before)
    .where('fileId.releasedAt', '<', before)
    .where(({ not }) => not(isUsed(contentBucketId)))
    .execute()
  return { files, lastSeq }
}
