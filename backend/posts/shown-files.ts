// Which files a post body shows: every own file whose address is in it, in an image, a player or a
// link. Reads the cleaned HTML, in which such addresses have one spelling.
import { FILES_IN_BODY_MAX } from '#contract/limits.ts'
import { invalidStructure } from '../collections/declared.ts'

const FILE_ADDRESS =
  /\/v1\/storage\/buckets\/([^/"'\s]+)\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)(?![\w.-])/g

/**
 * @returns ids of files of the content bucket, each once
 * @throws Refusal `document_invalid_structure` when there are too many
 */
export function readShownFiles(content: string, contentBucketId: string): string[] {
  const ids = new Set<string>()
  for (const [, bucketId, id = ''] of content.matchAll(FILE_ADDRESS))
    if (bucketId === contentBucketId) ids.add(id)
  if (ids.size > FILES_IN_BODY_MAX)
    throw invalidStructure(
      `Attribute "content" has invalid format. It must show no more than ${FILES_IN_BODY_MAX} different files`,
    )
  return [...ids]
}
