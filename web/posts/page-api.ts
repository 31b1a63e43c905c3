// What the page of a post asks for besides the post. Knows nothing of screens.
import type { PostsAround } from '#contract/posts.ts'
import type { Api } from '../api/client.ts'
import { callCollection } from './collection-call.ts'

/** What stands after a post; undefined when the call fails. */
export async function findAround(api: Api, slug: string): Promise<PostsAround | undefined> {
  const found = await callCollection<PostsAround>(api, 'get', `/documents/${slug}/around`)
  return found.ok ? found.value : undefined
}

/**
 * A text as its page would show it, with its code highlighted; undefined when the call fails.
 *
 * @param content not saved
 */
export async function findHighlighted(api: Api, content: string): Promise<string | undefined> {
  const asked = { content }
  const found = await callCollection<{ content: string }>(api, 'post', '/highlight', asked)
  return found.ok ? found.value.content : undefined
}
