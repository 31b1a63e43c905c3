// The files that a post shows: those whose address is in its body, in an image, a player or a link
// (cleaned HTML has only one form of such addresses), and those that extra attributes name by
// address or id.
import { isId } from '#contract/ids.ts'
import type { Database } from '../database/schema.ts'
import { FILES_PER_USER_MAX } from '../files/file-access.ts'
import { findOwnFiles, isUsableImage } from '../files/files.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { invalidFormat, invalidStructure, parseExtras } from './attributes.ts'

/** Different files that a post may show: as many as a user may store. */
export const FILES_IN_BODY_MAX = FILES_PER_USER_MAX

const FILE_ADDRESS =
  /\/v1\/storage\/buckets\/([^/"'\s]+)\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)(?![\w.-])/g

/** Ids of files of the content bucket, each once. */
export function findShownFiles(content: string, contentBucketId: string): string[] {
  // Fast path: most texts show no file.
  if (!content.includes('/v1/storage/buckets/')) return []
  const ids = new Set<string>()
  for (const [, bucketId, id = ''] of content.matchAll(FILE_ADDRESS))
    if (bucketId === contentBucketId) ids.add(id)
  return [...ids]
}

type PostWithFiles = { userId: string; content: string; featuredImage: string; attributes: string }

/**
 * The ids of the files that a post shows: those whose address is in its body, its featured image or
 * its extra attributes, and files of its author whose id is in an extra attribute.
 *
 * @throws Refusal `document_invalid_structure` when there are too many
 */
export async function listShownFiles(
  context: PostsContext,
  tx: Database,
  { userId: ownerId, content, featuredImage, attributes }: PostWithFiles,
): Promise<string[]> {
  const idsInText = findShownFiles(
    [content, featuredImage, attributes].join('\n'),
    context.contentBucketId,
  )
  if (idsInText.length > FILES_IN_BODY_MAX)
    throw invalidStructure(
      `Attribute "content" has invalid format. It must show no more than ${FILES_IN_BODY_MAX} different files`,
    )
  if (attributes === '') return idsInText
  const values = Object.values(parseExtras(attributes)).flat()
  const ids = [...new Set(values.filter((value) => typeof value === 'string' && isId(value)))]
  const idsInExtras =
    ids.length === 0 ? [] : await findOwnFiles(context, tx, { ownerId, ids: ids as string[] })
  return [...new Set([...idsInText, ...idsInExtras])]
}

type FeaturedImage = { fileId: string; ownerId: string }

/**
 * The featured image of a post; empty for none. The API key may use images of all users.
 *
 * @throws Refusal `document_invalid_structure` unless it is a complete image of the owner
 */
export async function readFeaturedImage(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  image: FeaturedImage,
): Promise<string> {
  if (image.fileId === '') return ''
  const fileId = await findFeaturedImage(context, tx, viewer, image)
  if (fileId !== undefined) return fileId
  throw invalidFormat('featuredImage', 'the id of a complete image of the author')
}

/** @returns undefined unless it is a complete image of the owner; older releases stored any text */
export async function findFeaturedImage(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  { fileId, ownerId }: FeaturedImage,
): Promise<string | undefined> {
  const uploader = viewer.role === 'key' ? undefined : ownerId
  const isUsable = isId(fileId) && (await isUsableImage(context, tx, fileId, uploader))
  return isUsable ? fileId : undefined
}
