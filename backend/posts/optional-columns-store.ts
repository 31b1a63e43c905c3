// Parts of the SELECTs of posts: who may read a post, in the form that the indexes have
// (0100-schema/posts.ts), and the columns that are read only for answers that name them. Also files
// that everybody may see. Decides nothing.

import { type RawBuilder, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import { avatarOf } from '../database/avatars.ts'
import type { Database } from '../database/schema.ts'

/** The buckets of images, and the groups of readers of which one must be able to see an avatar. */
export type ImageSources = { contentBucketId: string; avatarBucketId: string; readers: Readers[] }

/**
 * One look-up by primary key for each row; empty when there is no such image, or not everybody may
 * see it: a hidden image must not show through its colour.
 */
function imageColor({ contentBucketId: bucketId }: ImageSources) {
  return sql<string>`coalesce((select color from file where file.readers = 'any' and ${sql.ref('file.isComplete')} = 1
    and ${sql.ref('file.bucketId')} = ${bucketId} and file.id = ${sql.ref('post.featuredImage')}), '')`
}

/**
 * The featured image where it is a file of the post, by its id, or a file of its author by its
 * address, and nothing else.
 */
function ownImage({ contentBucketId: bucketId }: ImageSources) {
  const cover = sql.ref('post.featuredImage')
  const fileId = sql.ref('postFile.fileId')
  // Cutting a part out changes only a text that holds it; LIKE would need escaping.
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

/** From the derived texts; while these are being regenerated, from the newest version. */
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

/** Columns that are read only for answers that name them. */
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

// --- files that everybody may see

type ImageRow = { id: string; mimeType: string; sizeBytes: number }

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
  return new Map(rows.map((row) => [row.id, row]))
}

/** The avatar of a person that everybody may see; empty for none. */
export async function findPublicAvatar(db: Database, userId: string, avatarBucketId: string) {
  const avatar = avatarOf(sql`${userId}`, { avatarBucketId, readers: ['any'] })
  const { rows } = await sql<{ id: string }>`select ${avatar} as id`.execute(db)
  return rows[0]?.id ?? ''
}
