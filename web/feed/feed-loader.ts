// The initial data of the feed: its first page, and the beginning of the newest post's text.
import { type Api, type Result, succeed } from '../api/client.ts'
import { addPage, emptyList, type ListState } from '../lists/post-lists.ts'
import { excerptOf } from '../posts/plain-text.ts'
import { findExcerptSource, listFeed, type PostPage, readPostPage } from '../posts/posts-api.ts'

const EXCERPT_MAX_CHARS = 360
/** On narrower screens the lead card shows no excerpt, and the text is not fetched. */
const EXCERPT_SCREEN = '(min-width: 64em)'

export type InitialFeed = Omit<ListState, 'viewerId'>

/** @param after id of the post after which the feed begins; undefined for the newest posts */
export async function loadFeed(api: Api, after: string | undefined): Promise<Result<InitialFeed>> {
  const page = await listFeed(api, after)
  if (!page.ok) return page
  const list = emptyList({ list: 'feed', viewerId: '', after })
  const { viewerId: _none, ...feed } = addPage(list, page.value)
  return withExcerpt(api, feed, after)
}

/** A page of the list for visitors; the first page has an excerpt of the newest post. */
export type OpenFeed = PostPage & { excerpt?: string }

export async function loadOpenFeed(api: Api, after: string | undefined): Promise<Result<OpenFeed>> {
  const page = await readPostPage(api, [], after)
  return page.ok ? withExcerpt(api, page.value, after) : page
}

async function withExcerpt<Page extends Pick<PostPage, 'posts'>>(
  api: Api,
  page: Page,
  after: string | undefined,
): Promise<Result<Page & { excerpt?: string }>> {
  const excerpt = after === undefined ? await findExcerpt(api, page.posts[0]?.$id) : undefined
  return succeed({ ...page, ...(excerpt ? { excerpt } : {}) })
}

/** The excerpt of the post that leads the feed; undefined if the call fails. */
async function findExcerpt(api: Api, postId: string | undefined): Promise<string | undefined> {
  const post = postId === undefined ? undefined : await findExcerptSource(api, postId)
  return post ? post.excerpt || excerptOf(post.content, EXCERPT_MAX_CHARS) || undefined : undefined
}

/** The excerpt of the post that leads the list, if the screen has room for it. */
export async function findLeadExcerpt(
  api: Api,
  { posts: [lead] }: Pick<ListState, 'posts'>,
): Promise<string | undefined> {
  return lead && matchMedia(EXCERPT_SCREEN).matches ? await findExcerpt(api, lead.$id) : undefined
}
