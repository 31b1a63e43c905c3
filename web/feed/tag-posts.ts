// The data of a tag's page: its active posts, a page at a time.
import { Query } from 'appwrite'
import { isTagKey, tagKey, tagsOf } from '#contract/plain-text.ts'
import { type Api, type Result, succeed } from '../api/client.ts'
import { type PostPage, readPostPage } from '../posts/posts-api.ts'

/** `name` is the tag as it is written in its newest post. */
export type TagPosts = PostPage & { name: string }

const EMPTY_PAGE: PostPage = { posts: [], total: 0, before: 0, isLast: true, newer: undefined }

/** @param key the tag in the address of the page */
export async function loadTagPosts(
  api: Api,
  key: string,
  after: string | undefined,
): Promise<Result<TagPosts>> {
  if (!isTagKey(key)) return succeed({ ...EMPTY_PAGE, name: key })
  // The client's `Query` has no `contains`.
  const page = await readPostPage(api, [Query.equal('tags', [key])], after)
  if (!page.ok) return page
  const names = page.value.posts.flatMap(tagsOf)
  const name = names.find((tag) => tagKey(tag) === key) ?? key
  return succeed({ ...page.value, name })
}
