// The calls about tags. Knows nothing of screens.
import type { TagList } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import type { Result } from '../api/result.ts'
import { callCollection } from './collection-call.ts'

/**
 * Tags in use, those of the most posts first.
 *
 * @param startsWith in any spelling; empty for the tags that are used most
 */
export function findTags(
  api: Api,
  { startsWith, limit }: { startsWith: string; limit: number },
): Promise<Result<TagList>> {
  const asked = { ...(startsWith ? { startsWith } : {}), limit: String(limit) }
  return callCollection(api, 'get', '/tags', asked)
}
