// Columns of posts that are read only when `select` names them, and public images, in SQL.

import { type RawBuilder, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import { avatarOf } from '../database/avatars.ts'
import type { Database } from '../database/schema.ts'

/** The buckets of images; an avatar must be visible to one of the groups of readers. */
export type ImageSources = { contentBucketId: string; avatarBucketId: string; readers: Readers[] }

/**
 * The colour of the featured image; empty unless it is public: a hidden image must not reveal its
 * colour. One look-up by primary key for each row.
 */
function imageColor({ contentBucketId: bucketId }: ImageSources) {
  return sql<string>`coalesce((select color from file where file.readers = 'any' and ${sql.ref('file.isComplete')} = 1
    and ${sql.ref('file.bucketId')} = ${bucketId} and file.id = ${sql.ref('post.featuredImage')}), '')`
}

/**
 * The id of the featured image, if the attribute is the id of a file of the post, or the address of
 * a file of its author; otherwise empty.
 */
function ownImage({ contentBucketId: bucketId }: ImageSources) {
  const cover = sql.ref('post.featuredImage')
  const fileId = sql.ref('postFile.fileId')
  // `replace` changes only a text that contains the address; LIKE would need escaping.
  const address = sql`'/storage/buckets/' || cast(${bucketId} as text) || '/files/' || ${fileId} || '/'`
  const isNamed = sql`(${sql.ref('postFile.place')} = 'cover' and ${fileId} = ${cover}
    or ${sql.ref('postFile.place')} = 'body' and ${sql.ref('file.userId')} = ${sql.ref('post.userId')}
    and replace(${cover}, ${address}, '') <> ${cover})`
  return sql<string>`coalesce((select file.id from ${sql.table('postFile')} join file on file.id = ${sql.ref('postFile.fileId')}
    where ${sql.ref('postFile.postId')} = post.id and ${isNamed} and ${sql.ref('file.bucketId')} = ${bucketId}
    and ${sql.ref('file.isComplete')} = 1 order by file.id limit 1), '')`
}

function userAvatar(sources: ImageSources) {
  return avatarOf(sql.ref('post.userId'), sources)
}

/** The number of words; from the newest version while the derived texts are regenerated. */
function words() {
  return sql<number>`coalesce(
    (select words from ${sql.table('postText')} where ${sql.ref('postText.postId')} = post.id),
    (select words from ${sql.table('postVersion')} where ${sql.ref('postVersion.postId')} = post.id
      order by ${sql.ref('postVersion.seq')} desc limit 1), 0)`
}

/** The number of visible comments. */
function comments() {
  return sql<number>`coalesce((select shown from discussion
    where ${sql.ref('discussion.postId')} = post.id), 0)`
}

export const OPTIONAL_COLUMN_NAMES = [
  'imageColor',
  'userAvatar',
  'ownImage',
  'words',
  'comments',
] as const

export type OptionalColumn = (typeof OPTIONAL_COLUMN_NAMES)[number]

export const OPTIONAL_COLUMNS: Record<
  OptionalColumn,
  (sources: ImageSources) => RawBuilder<unknown>
> = {
  imageColor,
  userAvatar,
  ownImage,
  words,
  comments,
}

// --- public images

type ImageRow = { id: string; mimeType: string; sizeBytes: number }

/** The images with these ids that everybody may see, by id. */
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
  return new Map(rows.map((row) => [row.id, row]))
}

/** The id of a user's avatar, if everybody may see it; otherwise empty. */
export async function findPublicAvatar(db: Database, userId: string, avatarBucketId: string) {
  const avatar = avatarOf(sql`${userId}`, { avatarBucketId, readers: ['any'] })
  const { rows } = await sql<{ id: string }>`select ${avatar} as id`.execute(db)
  return rows[0]?.id ?? ''
}
