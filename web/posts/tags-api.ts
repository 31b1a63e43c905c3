// The calls about tags. Knows nothing of screens.
import type { TagList } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import { type Result, resultOf } from '../api/result.ts'

/**
 * Tags in use, those of the most posts first.
 *
 * @param startsWith in any spelling; empty for the tags that are used most
 */
export function findTags(
  { client, settings }: Api,
  { startsWith, limit }: { startsWith: string; limit: number },
): Promise<Result<TagList>> {
  const path = `/databases/${settings.databaseId}/collections/${settings.collectionId}/tags`
  const asked = { ...(startsWith ? { startsWith } : {}), limit: String(limit) }
  const call = client.call('get', new URL(client.config.endpoint + path), {}, asked)
  return resultOf(call as Promise<unknown> as Promise<TagList>)
}
