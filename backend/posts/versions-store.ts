// Versions of posts in SQL (table `postVersion`). Knows no rule. Reads a text only where its name
// says so.
import type { Insertable, Selectable } from 'kysely'
import { compiledOnce } from '../database/compiled.ts'
import type { Database, PostVersionTable } from '../database/schema.ts'

export type NewVersion = Omit<Insertable<PostVersionTable>, 'seq' | 'deletedId'>
export type VersionRow = Omit<
  Selectable<PostVersionTable>,
  'body' | 'sizeBytes' | 'postId' | 'deletedId'
>

const SHOWN = [
  'seq',
  'id',
  'title',
  'kind',
  'restoredFrom',
  'words',
  'wordsAdded',
  'wordsRemoved',
  'textBytes',
  'createdAt',
  'savedAt',
] as const

export async function insertVersion(tx: Database, version: NewVersion): Promise<void> {
  await insertOne(tx, version)
}

const insertOne = compiledOnce((tx, version: NewVersion) =>
  tx.insertInto('postVersion').values(version),
)

export async function changeVersion(
  tx: Database,
  id: string,
  changes: Partial<Omit<NewVersion, 'id' | 'postId'>>,
): Promise<void> {
  await changeOne(tx, { ...changes, id })
}

const changeOne = compiledOnce((tx, { id, ...changes }: Partial<NewVersion> & { id: string }) =>
  tx.updateTable('postVersion').set(changes).where('id', '=', id),
)

/** Newest first. */
export async function listVersions(
  db: Database,
  postId: string,
  limit: number,
): Promise<VersionRow[]> {
  return (await listNewest(db, { postId, limit })).rows
}

const listNewest = compiledOnce((db, { postId, limit }: { postId: string; limit: number }) =>
  db
    .selectFrom('postVersion')
    .select(SHOWN)
    .where('postId', '=', postId)
    .orderBy('seq', 'desc')
    .limit(limit),
)

export async function findVersion(
  db: Database,
  { postId, id }: { postId: string; id: string },
): Promise<VersionRow | undefined> {
  return await db
    .selectFrom('postVersion')
    .select(SHOWN)
    .where('id', '=', id)
    .where('postId', '=', postId)
    .executeTakeFirst()
}

/** The stored text; undefined when the version has gone. */
export async function findText(db: Database, id: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('postVersion')
    .select('body')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.body
}

/** The newest first. */
export async function listSizes(
  tx: Database,
  postId: string,
): Promise<{ id: string; sizeBytes: number }[]> {
  return (await listAllSizes(tx, { postId })).rows
}

const listAllSizes = compiledOnce((tx, { postId }: { postId: string }) =>
  tx
    .selectFrom('postVersion')
    .select(['id', 'sizeBytes'])
    .where('postId', '=', postId)
    .orderBy('seq', 'desc'),
)

export async function deleteVersions(tx: Database, ids: string[]): Promise<void> {
  await tx.deleteFrom('postVersion').where('id', 'in', ids).execute()
}

/** The versions of a post go with it into the bin. */
export async function moveToDeleted(
  tx: Database,
  postId: string,
  deletedId: string,
): Promise<void> {
  await tx
    .updateTable('postVersion')
    .set({ postId: null, deletedId })
    .where('postId', '=', postId)
    .execute()
}

export async function moveToPost(tx: Database, deletedId: string, postId: string): Promise<void> {
  await tx
    .updateTable('postVersion')
    .set({ postId, deletedId: null })
    .where('deletedId', '=', deletedId)
    .execute()
}

export async function listIdsOfDeleted(tx: Database, deletedId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('postVersion')
    .select('id')
    .where('deletedId', '=', deletedId)
    .execute()
  return rows.map(({ id }) => id)
}

export type OwnedVersion = { seq: number; postId: string; versionId: string; createdAt: string }

/** Without their texts; those of deleted posts under the id that the post had. */
export async function listVersionsOf(
  db: Database,
  userId: string,
  { after, limit }: { after: number; limit: number },
): Promise<OwnedVersion[]> {
  return await db
    .selectFrom('postVersion')
    .leftJoin('post', 'post.id', 'postVersion.postId')
    .leftJoin('deletedPost', 'deletedPost.id', 'postVersion.deletedId')
    .select(['postVersion.seq', 'postVersion.id as versionId', 'postVersion.createdAt'])
    .select((eb) =>
      eb.fn
        .coalesce('postVersion.postId', 'deletedPost.postId', eb.val(''))
        .$castTo<string>()
        .as('postId'),
    )
    .where((eb) => eb.or([eb('post.userId', '=', userId), eb('deletedPost.userId', '=', userId)]))
    .where('postVersion.seq', '>', after)
    .orderBy('postVersion.seq')
    .limit(limit)
    .execute()
}

/** Posts that were not changed since they were written. */
export async function listPostsWithoutVersion(
  db: Database,
  userId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ seq: number; id: string; createdAt: string }[]> {
  return await db
    .selectFrom('post')
    .select(['seq', 'id', 'createdAt'])
    .where('userId', '=', userId)
    .where('seq', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('postVersion').select('seq').whereRef('postVersion.postId', '=', 'post.id'),
        ),
      ),
    )
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function findWithText(
  db: Database,
  id: string,
): Promise<(VersionRow & { body: Uint8Array }) | undefined> {
  return await db
    .selectFrom('postVersion')
    .select([...SHOWN, 'body'])
    .where('id', '=', id)
    .executeTakeFirst()
}
