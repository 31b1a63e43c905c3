// What of a post is found only where an answer names it: each is a value in a SELECT of posts.
// Knows no rule.

import { sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'

/** The bucket of the images whose colours are asked for, and who must be able to see an image. */
export type ColorSource = { bucketId: string; readers: Readers }
/** The bucket of the avatars that are asked for, and who must be able to see them: one of these. */
export type AvatarSource = { bucketId: string; readers: Readers[] }

const NOTHING = sql<string>`''`

/** One look-up by primary key for each row; empty when there is no such image. */
export function imageColor(source: ColorSource | undefined) {
  if (!source) return NOTHING
  const { bucketId, readers } = source
  return sql<string>`coalesce((select color from file where file.readers = ${readers} and ${sql.ref('file.isComplete')} = 1
    and ${sql.ref('file.bucketId')} = ${bucketId} and file.id = ${sql.ref('post.featuredImage')}), '')`
}

/**
 * The featured image where it is a file of the post, by its id, or a file of its author by its
 * address, and nothing else.
 */
export function ownImage(bucketId: string | undefined) {
  if (bucketId === undefined) return NOTHING
  const [cover, fileId] = [sql.ref('post.featuredImage'), sql.ref('postFile.fileId')]
  // Cutting a part out changes only a text that holds it; LIKE would need escaping.
  const address = sql`'/storage/buckets/' || cast(${bucketId} as text) || '/files/' || ${fileId} || '/'`
  const isNamed = sql`(${sql.ref('postFile.place')} = 'cover' and ${fileId} = ${cover}
    or ${sql.ref('postFile.place')} = 'body' and ${sql.ref('file.userId')} = ${sql.ref('post.userId')}
    and replace(${cover}, ${address}, '') <> ${cover})`
  return sql<string>`coalesce((select file.id from ${sql.table('postFile')} join file on file.id = ${sql.ref('postFile.fileId')}
    where ${sql.ref('postFile.postId')} = post.id and ${isNamed} and ${sql.ref('file.bucketId')} = ${bucketId}
    and ${sql.ref('file.isComplete')} = 1 order by file.id limit 1), '')`
}

/** One's own upload, or the operator's: nobody shows the face of another person. */
export function userAvatar(source: AvatarSource | undefined) {
  if (!source) return NOTHING
  const { bucketId, readers } = source
  return sql<string>`coalesce((select file.id from ${sql.table('avatarFile')} join file on file.id = ${sql.ref('avatarFile.fileId')}
    where ${sql.ref('avatarFile.userId')} = ${sql.ref('post.userId')} and ${sql.ref('file.bucketId')} = ${bucketId}
    and ${sql.ref('file.isComplete')} = 1 and file.readers in (${sql.join(readers)})
    and (${sql.ref('file.userId')} = ${sql.ref('post.userId')} or ${sql.ref('file.userId')} is null)), '')`
}

/** Counted at the save; of posts whose texts are not made anew yet, with the newest version. */
export const WORDS = sql<number>`coalesce(
  (select words from ${sql.table('postText')} where ${sql.ref('postText.postId')} = post.id),
  (select words from ${sql.table('postVersion')} where ${sql.ref('postVersion.postId')} = post.id
    order by ${sql.ref('postVersion.seq')} desc limit 1), 0)`
