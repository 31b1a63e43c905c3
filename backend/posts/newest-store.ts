// The newest posts with what a feed shows of them, in SQL. Knows no rule: who may read comes in as
// a scope.
import { sql } from 'kysely'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { compiledOnce } from '../database/compiled.ts'
import { isOneOf, listParameter } from '../database/dialect.ts'
import type { Filter } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import type { PostScope } from './access.ts'
import { ownImage, userAvatar } from './asked-parts-store.ts'
import { findSeqs, newestFirst } from './found-posts-store.ts'
import { TAGS } from './naming.ts'
import { inScope } from './post-scope-store.ts'
import type { PostRow } from './store.ts'

/** Which posts: all, those of one author, or those of one tag, by its key. */
export type PostSource = { userId?: string; tag?: string }

export type NewestRow = Pick<
  PostRow,
  'seq' | 'id' | 'title' | 'userId' | 'userName' | 'createdAt' | 'updatedAt'
> & {
  /** Empty for none that is there. */
  imageId: string
  avatarId: string
  contentBytes: number
}

export type Newest = {
  source: PostSource
  scope: PostScope
  limit: number
  contentBucketId: string
  avatarBucketId: string
}

/** Newest first, with the sizes of their bodies in the place of these. */
export async function listNewest(
  db: Database,
  { source, scope, limit, contentBucketId, avatarBucketId }: Newest,
): Promise<NewestRow[]> {
  const seqs = await findSeqs(db, {
    query: newestFirst({ filters: filtersOf(source), limit }),
    scope,
  })
  const avatar = { bucketId: avatarBucketId, readers: ['any' as const] }
  const rows = await db
    .selectFrom('post')
    .leftJoin('user', 'user.id', 'post.userId')
    .select([
      'post.seq',
      'post.id',
      'post.title',
      'post.userId',
      'post.createdAt',
      'post.updatedAt',
    ])
    .select((eb) => eb.fn.coalesce('user.name', sql.lit(UNKNOWN_USER_NAME)).as('userName'))
    .select([
      ownImage(contentBucketId).as('imageId'),
      userAvatar(avatar).as('avatarId'),
      sql<number>`octet_length(${sql.ref('post.content')})`.as('contentBytes'),
    ])
    .where(isOneOf(db, sql.ref('post.seq'), listParameter(db, seqs)))
    .orderBy('post.createdAt', 'desc')
    .orderBy('post.seq')
    .execute()
  return rows.map((row) => ({ ...row, contentBytes: Number(row.contentBytes) }))
}

function filtersOf({ userId, tag }: PostSource): Filter[] {
  const equal = (attribute: string, value: string | undefined): Filter[] =>
    value === undefined ? [] : [{ method: 'equal', attribute, values: [value] }]
  return [...equal('userid', userId), ...equal(TAGS, tag)]
}

/** Of those of these posts that are still in the scope. */
export async function findBodies(
  db: Database,
  { ids, scope }: { ids: string[]; scope: PostScope },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('post')
    // Not as a condition: SQLite would go through an index of the scope, past all other posts.
    .select(['id', sql<string | null>`case when ${inScope(scope)} then content end`.as('content')])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.flatMap(({ id, content }) => (content === null ? [] : [[id, content]])))
}

export type ImageRow = { id: string; mimeType: string; sizeBytes: number }

/** Those of these images that everybody may see. */
export async function findPublicImages(
  db: Database,
  { bucketId, ids }: { bucketId: string; ids: string[] },
): Promise<Map<string, ImageRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .select(['id', 'mimeType', 'sizeBytes'])
    .where('bucketId', '=', bucketId)
    .where('id', 'in', ids)
    .where('isComplete', '=', 1)
    .where('readers', '=', 'any')
    .execute()
  return new Map(rows.map((row) => [row.id, { ...row, sizeBytes: Number(row.sizeBytes) }]))
}

/** The avatar of a person that everybody may see; empty for none. */
export async function findPublicAvatar(
  db: Database,
  avatar: { userId: string; bucketId: string },
): Promise<string> {
  return (await selectPublicAvatar(db, avatar)).rows[0]?.id ?? ''
}

const selectPublicAvatar = compiledOnce(
  (db, { userId, bucketId }: { userId: string; bucketId: string }) =>
    db
      .selectFrom('avatarFile')
      .innerJoin('file', 'file.id', 'avatarFile.fileId')
      .select('file.id')
      .where('avatarFile.userId', '=', userId)
      .where('file.bucketId', '=', bucketId)
      .where('file.isComplete', '=', 1)
      .where('file.readers', '=', 'any')
      .where((eb) => eb.or([eb('file.userId', '=', userId), eb('file.userId', 'is', null)])),
)
