// A post as everybody may see it. What this room tells is kept by caches and other sites, so it is
// always a guest's view, whoever asks.
import { Refusal } from '#contract/errors.ts'
import { isId } from '#contract/ids.ts'
import type { PostDocument } from '#contract/posts.ts'
import { GUEST } from '../http/viewer.ts'
import type { Posts } from '../posts/posts.ts'

export type PostsNeeds = { posts: Pick<Posts, 'read' | 'deriveTexts'> }

/** What cards and descriptions say of a post. */
export type PublicPost = Pick<
  PostDocument,
  '$id' | '$createdAt' | '$updatedAt' | 'title' | 'userid' | 'userName'
> &
  Required<Pick<PostDocument, 'userAvatar' | 'ownImage'>>

const FIELDS = [
  ...['$id', '$createdAt', '$updatedAt', 'title', 'userid', 'userName'],
  ...['userAvatar', 'ownImage', 'shownTitle'],
]

/**
 * @param id as it was asked for
 * @throws Refusal `document_not_found`, also for a post that guests may not read
 */
export async function readPublicPost({ posts }: PostsNeeds, id: string): Promise<PublicPost> {
  if (!isId(id)) throw new Refusal('document_not_found')
  const { shownTitle, ...post } = (await posts.read(GUEST, id, [select(FIELDS)])) as PostDocument
  return { ...post, title: shownTitle || post.title } as PublicPost
}

/** Its text as pages show it. @throws as `readPublicPost` */
export async function readPublicBody({ posts }: PostsNeeds, id: string): Promise<string> {
  const { highlightedContent } = await posts.read(GUEST, id, [select(['highlightedContent'])])
  return highlightedContent ?? ''
}

function select(values: string[]): string {
  return JSON.stringify({ method: 'select', values })
}
