// Lists of files, with their SQL: those of a bucket, and all files of a user with their uses and
// their size; also for the export and the deletion of an account.

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { undefinedIfRefused } from '#contract/errors.ts'
import type { FileUse } from '#contract/files.ts'
import { LIST_LIMIT_MAX } from '#contract/limits.ts'
import { containsTextIgnoringCase } from '../database/dialect.ts'
import { type ListAttributes, readPage } from '../database/list-query.ts'
import type { Database } from '../database/schema.ts'
import type { AfterCommit } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { openOriginal } from './blob-store.ts'
import type { FilesContext } from './context.ts'
import { requireCreator, STORED_PER_USER_MAX_BYTES, toModel } from './file-access.ts'
import { findAvatar } from './file-references-store.ts'
import { isUsed } from './file-uses-store.ts'
import * as store from './store.ts'
import { removeIfStillUnused } from './sweep.ts'

export type OwnFilesRequest = { isUnused: boolean; cursor: number | undefined; limit: number }

export async function listOwnFiles(
  context: FilesContext,
  userId: string,
  request: OwnFilesRequest,
) {
  const { isUnused, cursor, limit } = request
  const { db, contentBucketId } = context
  const rows = await findOwnPage(db, {
    userId,
    contentBucketId,
    isUnused,
    before: cursor,
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const used = await store.sumUsage(db, userId)
  return {
    total: used.files,
    unused: await countOwn(db, { userId, contentBucketId, isUnused: true }),
    usedBytes: used.sizeBytes,
    maxBytes: STORED_PER_USER_MAX_BYTES,
    files: await toOwnFiles(context, userId, page),
    next: rows.length > limit ? String(page.at(-1)?.seq ?? '') : '',
  }
}

/** Bytes that a user may still store. */
export async function findRoomOf({ db }: Pick<FilesContext, 'db'>, userId: string) {
  const { sizeBytes } = await store.sumUsage(db, userId)
  return Math.max(0, STORED_PER_USER_MAX_BYTES - sizeBytes)
}

/**
 * Removes this user's complete files that nothing uses, however new.
 *
 * @returns how many
 */
export async function removeOwnUnused(context: FilesContext, userId: string): Promise<number> {
  const scope = { userId, contentBucketId: context.contentBucketId, isUnused: true }
  let removed = 0
  for (let before: number | undefined; ; ) {
    const rows = await findOwnPage(context.db, { ...scope, before, limit: LIST_LIMIT_MAX })
    const last = rows.at(-1)
    if (!last) return removed
    removed += await removeIfStillUnused(context, rows)
    before = last.seq
  }
}

async function toOwnFiles(
  { db, contentBucketId }: FilesContext,
  userId: string,
  rows: store.FileRow[],
) {
  const ids = rows.filter(({ bucketId }) => bucketId === contentBucketId).map(({ id }) => id)
  const uses = await listUses(db, ids, userId)
  const avatarId = await findAvatar(db, userId)
  return rows.map((row) => {
    const { $id, bucketId, $createdAt, name, mimeType, sizeOriginal } = toModel(row)
    const inPosts = bucketId === contentBucketId ? uses.get($id) : undefined
    return {
      $id,
      bucketId,
      $createdAt,
      name,
      mimeType,
      sizeOriginal,
      isComplete: row.isComplete === 1,
      uses: [
        ...(avatarId === $id ? [{ place: 'avatar' } as const] : []),
        ...(inPosts ?? []).map(toUse),
      ],
    }
  })
}

function toUse({ place, postId, title }: UseRow): FileUse {
  if (place === 'elsewhere') return { place }
  return place === 'deleted' ? { place, title } : { place, postId, title }
}

/**
 * All complete files of a user, in both buckets, oldest first. `open` returns undefined for missing
 * bytes, which are logged.
 */
export async function listCompleteFilesOf({ db, blobStore, log }: FilesContext, userId: string) {
  const rows = await store.listFilesOf(db, userId)
  return rows.map((row) => ({
    model: toModel(row),
    open: () =>
      openOriginal({ blobStore, log }, row).catch(undefinedIfRefused('storage_file_not_found')),
  }))
}

/** How many files, and ids of files, one transaction removes. */
const REMOVAL_BATCH = 100

/** The stores that bytes are removed from. */
type Stores = { [Name in 'blobStore' | 'chunks']: Pick<FilesContext[Name], 'remove'> }

/** Removes a batch of a user's files if there are many. @returns whether few files are left */
export async function removeFileBatchOf(
  context: Stores,
  tx: Database,
  afterCommit: AfterCommit,
  userId: string,
) {
  const hasMany = (await store.countIdsOf(tx, userId, REMOVAL_BATCH)) === REMOVAL_BATCH
  if (hasMany) await removeBatch(context, tx, afterCommit, userId)
  return !hasMany
}

/**
 * Removes a batch of files of a user, unfinished uploads too: rows inside the transaction, bytes
 * after its commit. No other user can ever upload under their ids.
 *
 * @returns whether no files are left
 */
async function removeBatch(
  { blobStore, chunks }: Stores,
  tx: Database,
  afterCommit: AfterCommit,
  userId: string,
): Promise<boolean> {
  const removed = await store.deleteFilesOf(tx, userId, REMOVAL_BATCH)
  afterCommit("removal of a user's files", async () => {
    for (const name of removed.files) await blobStore.remove(name)
    for (const name of removed.chunks) await chunks.remove(name)
  })
  if (removed.files.length === REMOVAL_BATCH) return false
  return (await store.disownIds(tx, userId, REMOVAL_BATCH)) < REMOVAL_BATCH
}

/** Removes all files of a user who has few. */
export async function removeFilesOf(
  context: Stores,
  tx: Database,
  afterCommit: AfterCommit,
  userId: string,
) {
  while (!(await removeBatch(context, tx, afterCommit, userId)));
}

/** How many uses of each kind the list names for a file. */
const FILE_USES_SHOWN_MAX = 20

type OwnScope = { userId: string; contentBucketId: string; isUnused: boolean }

/** All files of a user, unfinished uploads too, or only the unused complete ones. */
function selectOwn(db: Database, { userId, contentBucketId, isUnused }: OwnScope) {
  const files = db.selectFrom('file').where('userId', '=', userId)
  if (!isUnused) return files
  return files.where('isComplete', '=', 1).where(({ not }) => not(isUsed(contentBucketId)))
}

/** The files before the cursor `before`, newest first. */
async function findOwnPage(
  db: Database,
  { before, limit, ...scope }: OwnScope & { before: number | undefined; limit: number },
): Promise<store.FileRow[]> {
  let query = selectOwn(db, scope).selectAll('file')
  if (before !== undefined) query = query.where('seq', '<', before)
  return await query.orderBy('seq', 'desc').limit(limit).execute()
}

async function countOwn(db: Database, scope: OwnScope): Promise<number> {
  const { count } = await selectOwn(db, scope)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many versions, or deleted posts, are read for each file. */
const SEARCHED_MAX = 100

/** A use of a file; `postId` is the id of a post, or of a deleted post. */
type UseRow = {
  fileId: string
  place: 'cover' | 'body' | 'version' | 'deleted' | 'elsewhere'
  postId: string
  title: string
  seq: number
}
type UseQuery = (fileId: string, userId: string) => RawBuilder<unknown>

const inOwnPost: UseQuery = (fileId, userId) =>
  sql`select shown."fileId", shown.place, shown."postId", post.title, post.seq
    from "postFile" as shown inner join post on post.id = shown."postId"
    where shown."fileId" = ${fileId} and post."userId" = ${userId} limit ${FILE_USES_SHOWN_MAX}`

/** Versions of posts and of deleted posts that show the file. */
const inVersions = (fileId: string) =>
  sql`(select "versionFile"."fileId", "postVersion"."postId", "postVersion"."deletedId"
    from "versionFile" inner join "postVersion" on "postVersion".id = "versionFile"."versionId"
    where "versionFile"."fileId" = ${fileId} limit ${SEARCHED_MAX}) as shown`

/** In a version of a post that no longer shows the file. */
const inVersion: UseQuery = (fileId, userId) =>
  sql`select shown."fileId", 'version' as place, post.id as "postId", post.title, post.seq
    from ${inVersions(fileId)} inner join post on post.id = shown."postId"
    where post."userId" = ${userId} and not exists (select 1 from "postFile"
      where "postFile"."postId" = post.id and "postFile"."fileId" = ${fileId})`

const DELETED = sql`'deleted' as place, "deletedPost".id as "postId", "deletedPost".title,
  "deletedPost".seq`

const inDeletedText: UseQuery = (fileId, userId) =>
  sql`select shown."fileId", ${DELETED} from ${inVersions(fileId)}
    inner join "deletedPost" on "deletedPost".id = shown."deletedId"
    where "deletedPost"."userId" = ${userId}`

const asDeletedCover: UseQuery = (fileId, userId) =>
  sql`select "deletedPost"."featuredImage" as "fileId", ${DELETED} from "deletedPost"
    where "deletedPost"."featuredImage" = ${fileId} and "deletedPost"."userId" = ${userId}
    limit ${SEARCHED_MAX}`

const inOtherPost: UseQuery = (fileId, userId) =>
  sql`select shown."fileId", 'elsewhere' as place, '' as "postId", '' as title, 0 as seq
    from (select "fileId", "postId" from "postFile" where "fileId" = ${fileId}
      limit ${SEARCHED_MAX}) as shown
    inner join post on post.id = shown."postId" where post."userId" <> ${userId} limit 1`

/**
 * The uses of these files of a user by file id: own posts, then versions and deleted posts, then
 * posts by others; each kind newest first, a cover before a body. The number of rows that are read
 * for a file is bounded.
 */
async function listUses(db: Database, fileIds: string[], userId: string) {
  const find = async (...queries: UseQuery[]): Promise<UseRow[]> => {
    if (fileIds.length === 0) return []
    const bounded = queries.flatMap((query) =>
      fileIds.map((fileId) => sql`select * from (${query(fileId, userId)}) as bounded`),
    )
    const { rows } = await sql<UseRow>`${sql.join(bounded, sql` union `)}`.execute(db)
    const sorted = rows.toSorted(
      (a, b) => Number(b.seq) - Number(a.seq) || (a.place < b.place ? 1 : -1),
    )
    return [...Map.groupBy(sorted, ({ fileId }) => fileId).values()].flatMap((usesOfFile) =>
      usesOfFile.slice(0, FILE_USES_SHOWN_MAX),
    )
  }
  const inPosts = await find(inOwnPost)
  const inHistory = await find(inVersion, inDeletedText, asDeletedCover)
  const uses = [...inPosts, ...inHistory, ...(await find(inOtherPost))]
  return Map.groupBy(uses, ({ fileId }) => fileId)
}

// --- the list of a bucket: files of other users are neither listed nor counted

/** The attributes that queries may name, with their columns. */
const FILE_QUERIES: ListAttributes = {
  name: { type: 'string', column: 'name' },
  signature: { type: 'string', column: 'signature' },
  mimeType: { type: 'string', column: 'mimeType' },
  sizeOriginal: { type: 'integer', column: 'sizeBytes' },
  chunksTotal: { type: 'integer', column: 'chunksTotal' },
  chunksUploaded: { type: 'integer', column: 'chunksUploaded' },
  $id: { type: 'string', column: 'id' },
  $createdAt: { type: 'datetime', column: 'createdAt' },
  $updatedAt: { type: 'datetime', column: 'updatedAt' },
}

/** `search` is a part of the name; ASCII letters match in any case. */
type ListParams = { queries: string[] | undefined; search: string | undefined }

/**
 * One page of a bucket's files: the user's own, or those of all users for the API key.
 *
 * @throws Refusal `storage_bucket_not_found`, `user_unauthorized` for guests, and as
 *   {@link readPage}
 */
export async function listFiles(
  context: FilesContext,
  bucketId: string,
  viewer: Viewer,
  request: ListParams,
) {
  const { queries, search } = request
  requireCreator(context, bucketId, viewer)
  const userId = viewer.role === 'user' ? viewer.userId : undefined
  const conditions: RawBuilder<SqlBool>[] = [sql`${sql.ref('file.bucketId')} = ${bucketId}`]
  if (userId !== undefined) conditions.push(sql`${sql.ref('file.userId')} = ${userId}`)
  if (search !== undefined)
    conditions.push(containsTextIgnoringCase(context.db, sql.ref('file.name'), search))
  const { total, rows } = await readPage<store.FileRow>(context.db, {
    table: 'file',
    attributes: FILE_QUERIES,
    seq: sql.ref('file.seq'),
    queries,
    role: userId === undefined ? 'key' : 'user',
    scope: sql<SqlBool>`(${sql.join(conditions, sql` and `)})`,
  })
  return { total, files: rows.map(toModel) }
}

/** The bytes of a user's files, unfinished uploads included. */
export async function measureFilesOf(db: Database, userId: string): Promise<number> {
  return (await store.sumUsage(db, userId)).sizeBytes
}
