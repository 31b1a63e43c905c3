// The SQL of where files are used, and of the ids they have had. Private to this folder; returns
// rows.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { compiledOnce } from '../database/compiled.ts'
import { byCodePoint, locked } from '../database/dialect.ts'
import type {
  AvatarFileRow,
  Database,
  FileIdRow,
  PostFileRow,
  VersionFileRow,
} from '../database/schema.ts'
import type { FileRow } from './store.ts'

/** How many values one statement takes. */
const BATCH = 500

/**
 * Claims an id for a new file.
 *
 * @returns false when it is, or was, another owner's
 */
export async function claimId(
  tx: Database,
  claim: Pick<FileIdRow, 'bucketId' | 'id' | 'ownerId' | 'uploadedAt'>,
): Promise<boolean> {
  const claimed = await tx
    .insertInto('fileId')
    .values({ ...claim, releasedAt: '' })
    .onConflict((c) =>
      c
        .columns(['bucketId', 'id'])
        .doUpdateSet({ uploadedAt: claim.uploadedAt, releasedAt: '' })
        .where('fileId.ownerId', 'is not distinct from', claim.ownerId),
    )
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

export async function findId(
  db: Database,
  { bucketId, id }: { bucketId: string; id: string },
): Promise<FileIdRow | undefined> {
  return await db
    .selectFrom('fileId')
    .selectAll()
    .where('bucketId', '=', bucketId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Notes when files were let go; an empty time takes that back. */
export async function setReleased(
  tx: Database,
  { bucketId, ids, releasedAt }: { bucketId: string; ids: string[]; releasedAt: string },
): Promise<void> {
  for (const some of batches(ids))
    await tx
      .updateTable('fileId')
      .set({ releasedAt })
      .where('bucketId', '=', bucketId)
      .where('id', 'in', some)
      .execute()
}

/** The ids of a deleted account are nobody's any more. */
export async function disownIds(tx: Database, userId: string): Promise<void> {
  await tx.updateTable('fileId').set({ ownerId: '' }).where('ownerId', '=', userId).execute()
}

/**
 * Locks the files among these ids until the transaction ends, always in the same order, so that
 * transactions that lock several of them cannot wait for each other.
 */
export async function lockFiles(
  tx: Database,
  bucketId: string,
  ids: Iterable<string>,
): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for (const some of batches([...new Set(ids)].sort())) {
    const [id, ...others] = some
    const found =
      id !== undefined && others.length === 0
        ? (await lockOne(tx, { bucketId, ids: id })).rows
        : await lockQuery(tx, { bucketId, ids: some }).execute()
    rows.push(...found)
  }
  return rows
}

type FilesToLock = { bucketId: string; ids: string | string[] }

function lockQuery(tx: Database, { bucketId, ids }: FilesToLock) {
  const query = tx
    .selectFrom('file')
    .selectAll()
    .where('bucketId', '=', bucketId)
    .where('id', 'in', Array.isArray(ids) ? ids : [ids])
  return locked(tx, query.orderBy(byCodePoint(tx, sql.ref('id'))))
}

/** Most posts show one file. */
const lockOne = compiledOnce((tx, file: FilesToLock) => lockQuery(tx, file))

export async function listPostFiles(tx: Database, postId: string): Promise<PostFileRow[]> {
  return (await findFilesOf(tx, { postId })).rows
}

const findFilesOf = compiledOnce((tx, { postId }: { postId: string }) =>
  tx.selectFrom('postFile').selectAll().where('postId', '=', postId),
)

export async function insertPostFiles(tx: Database, rows: PostFileRow[]): Promise<void> {
  const [row] = rows
  if (row && rows.length === 1) await insertPostFile(tx, row)
  else for (const some of batches(rows)) await tx.insertInto('postFile').values(some).execute()
}

const insertPostFile = compiledOnce((tx, row: PostFileRow) => tx.insertInto('postFile').values(row))

export async function deletePostFiles(
  tx: Database,
  { postId, place, fileIds }: { postId: string; place: string; fileIds: string[] },
): Promise<void> {
  for (const some of batches(fileIds))
    await tx
      .deleteFrom('postFile')
      .where('postId', '=', postId)
      .where('place', '=', place)
      .where('fileId', 'in', some)
      .execute()
}

/** What the texts of these versions show, each once. */
export async function listVersionFiles(tx: Database, versionIds: string[]): Promise<string[]> {
  const found = new Set<string>()
  for (const some of batches(versionIds)) {
    const rows = await tx
      .selectFrom('versionFile')
      .select('fileId')
      .distinct()
      .where('versionId', 'in', some)
      .execute()
    for (const { fileId } of rows) found.add(fileId)
  }
  return [...found]
}

export async function insertVersionFiles(tx: Database, rows: VersionFileRow[]): Promise<void> {
  for (const some of batches(rows)) await tx.insertInto('versionFile').values(some).execute()
}

export async function deleteVersionFiles(
  tx: Database,
  versionId: string,
  fileIds: string[],
): Promise<void> {
  for (const some of batches(fileIds))
    await tx
      .deleteFrom('versionFile')
      .where('versionId', '=', versionId)
      .where('fileId', 'in', some)
      .execute()
}

export async function findAvatar(tx: Database, userId: string): Promise<AvatarFileRow | undefined> {
  return await tx
    .selectFrom('avatarFile')
    .selectAll()
    .where('userId', '=', userId)
    .executeTakeFirst()
}

export async function saveAvatar(
  tx: Database,
  { userId, fileId }: { userId: string; fileId: string | undefined },
): Promise<void> {
  if (fileId === undefined) await tx.deleteFrom('avatarFile').where('userId', '=', userId).execute()
  else
    await tx
      .insertInto('avatarFile')
      .values({ userId, fileId })
      .onConflict((c) => c.column('userId').doUpdateSet({ fileId }))
      .execute()
}

/** Which of these files are used anywhere. */
export async function findUsed(
  tx: Database,
  contentBucketId: string,
  files: Pick<FileRow, 'bucketId' | 'id'>[],
): Promise<Set<string>> {
  const used = new Set<string>()
  for (const some of batches(files)) {
    const rows = await tx
      .selectFrom('file')
      .select('storedName')
      .where('bucketId', 'in', [...new Set(some.map(({ bucketId }) => bucketId))])
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .where(isUsed(contentBucketId))
      .execute()
    for (const { storedName } of rows) used.add(storedName)
  }
  return used
}

/**
 * Whether a file is used. An avatar is looked for in both buckets: some programs keep avatars in
 * the bucket of posts.
 */
export function isUsed(contentBucketId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${isShown(contentBucketId)} or ${isKept(contentBucketId)})`
}

/** By a post as it is now, or as an avatar. */
function isShown(contentBucketId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(exists (select 1 from ${sql.table('avatarFile')}
      where ${sql.ref('avatarFile.fileId')} = file.id)
    or (${sql.ref('file.bucketId')} = ${contentBucketId} and exists (select 1 from ${sql.table('postFile')}
      where ${sql.ref('postFile.fileId')} = file.id)))`
}

/** By a version of a post, or as the cover of a deleted one, whose texts are versions too. */
function isKept(contentBucketId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref('file.bucketId')} = ${contentBucketId} and (
      exists (select 1 from ${sql.table('versionFile')} where ${sql.ref('versionFile.fileId')} = file.id)
      or exists (select 1 from ${sql.table('deletedPost')} where ${sql.ref('deletedPost.featuredImage')} = file.id)))`
}

/**
 * By a version or a deleted post of the one who uploaded the file: nobody takes a file from others
 * by naming it and letting it go.
 */
function isKeptByOwner(contentBucketId: string): RawBuilder<SqlBool> {
  const id = (column: string) => sql.ref(column)
  return sql<SqlBool>`(${id('file.bucketId')} = ${contentBucketId} and (
      exists (select 1 from ${sql.table('versionFile')}
        join ${sql.table('postVersion')} on ${id('postVersion.id')} = ${id('versionFile.versionId')}
        left join ${sql.table('post')} on ${id('post.id')} = ${id('postVersion.postId')}
        left join ${sql.table('deletedPost')} on ${id('deletedPost.id')} = ${id('postVersion.deletedId')}
        where ${id('versionFile.fileId')} = file.id
          and coalesce(${id('post.userId')}, ${id('deletedPost.userId')}) = ${id('file.userId')})
      or exists (select 1 from ${sql.table('deletedPost')}
        where ${id('deletedPost.featuredImage')} = file.id
          and ${id('deletedPost.userId')} = ${id('file.userId')})))`
}

/** Whether a file is its owner's alone: only their versions and deleted posts still show it. */
export async function isWithheld(
  db: Database,
  contentBucketId: string,
  storedName: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('file')
    .select('storedName')
    .where('storedName', '=', storedName)
    .where(isKeptByOwner(contentBucketId))
    .where(({ not }) => not(isShown(contentBucketId)))
    .executeTakeFirst()
  return found !== undefined
}

/** Which of these files are, by their stored names. */
export async function findWithheld(
  tx: Database,
  contentBucketId: string,
  files: Pick<FileRow, 'storedName'>[],
): Promise<Set<string>> {
  const withheld = new Set<string>()
  for (const { storedName } of files)
    if (await isWithheld(tx, contentBucketId, storedName)) withheld.add(storedName)
  return withheld
}

/** Which of these files this person uploaded. */
export async function findOwnIds(
  tx: Database,
  { bucketId, ownerId, ids }: { bucketId: string; ownerId: string; ids: string[] },
): Promise<Set<string>> {
  const own = new Set<string>()
  for (const some of batches(ids)) {
    const rows = await tx
      .selectFrom('file')
      .select('id')
      .where('bucketId', '=', bucketId)
      .where('id', 'in', some)
      .where('userId', '=', ownerId)
      .execute()
    for (const { id } of rows) own.add(id)
  }
  return own
}

/** Whether a deleted post of this person needs the file, for its cover or the text of a version. */
export async function isOfDeletedPost(
  tx: Database,
  { fileId, ownerId }: { fileId: string; ownerId: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('deletedPost')
    .select('id')
    .where('userId', '=', ownerId)
    .where((eb) =>
      eb.or([
        eb('featuredImage', '=', fileId),
        eb.exists(
          eb
            .selectFrom('versionFile')
            .innerJoin('postVersion', 'postVersion.id', 'versionFile.versionId')
            .select('versionFile.fileId')
            .where('versionFile.fileId', '=', fileId)
            .whereRef('postVersion.deletedId', '=', 'deletedPost.id'),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * How many places of posts hold a file against its owner: all of the owner's own posts, and the
 * covers of others. Counts no further than `most`.
 */
export async function countHolding(
  tx: Database,
  { fileId, ownerId, most }: { fileId: string; ownerId: string; most: number },
): Promise<number> {
  const places = await tx
    .selectFrom('postFile')
    .innerJoin('post', 'post.id', 'postFile.postId')
    .select('postFile.place')
    .where('postFile.fileId', '=', fileId)
    .where((eb) => eb.or([eb('postFile.place', '=', 'cover'), eb('post.userId', '=', ownerId)]))
    .limit(most)
    .execute()
  return places.length
}

/**
 * Complete files of people that nothing uses, uploaded and last let go before `before`, among the
 * next ones after `after` in the order of `seq`: so a statement never goes through all files.
 *
 * @returns also how far that was; undefined when there are no more
 */
export async function findUnused(
  db: Database,
  { contentBucketId, before, after }: { contentBucketId: string; before: string; after: number },
): Promise<{ found: FileRow[]; upTo: number | undefined }> {
  const end = await db
    .selectFrom('file')
    .select('seq')
    .where('seq', '>', after)
    .orderBy('seq')
    .offset(BATCH - 1)
    .limit(1)
    .executeTakeFirst()
  const upTo = end === undefined ? undefined : Number(end.seq)
  const found = await db
    .selectFrom('file')
    .innerJoin('fileId', (join) =>
      join.onRef('fileId.bucketId', '=', 'file.bucketId').onRef('fileId.id', '=', 'file.id'),
    )
    .selectAll('file')
    .where('file.userId', 'is not', null)
    .where('file.isComplete', '=', 1)
    .where('file.seq', '>', after)
    .where('file.seq', '<=', upTo ?? Number.MAX_SAFE_INTEGER)
    .where('fileId.uploadedAt', '<', before)
    .where('fileId.releasedAt', '<', before)
    .where(({ not }) => not(isUsed(contentBucketId)))
    .execute()
  return { found, upTo }
}

function batches<Value>(values: Value[]): Value[][] {
  return Array.from({ length: Math.ceil(values.length / BATCH) }, (_, at) =>
    values.slice(at * BATCH, (at + 1) * BATCH),
  )
}
