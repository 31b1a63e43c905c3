// A feed as both formats say it: what it is called, and its posts with full addresses. Knows no
// format.
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { postPath } from '#contract/post-address.ts'
import type { NewestPost } from '../posts/newest.ts'
import { makeTurns } from '../process/turns.ts'
import { type FeedHtmlNeeds, feedHtml } from './feed-html.ts'

export type FeedNeeds = FeedHtmlNeeds & {
  siteName: string
  contentBucketId: string
  avatarBucketId: string
  /** Is told of changes, and tells who follows. */
  hubUrl: string | undefined
}

export type FeedSubject = {
  /** The path of the page that lists the same posts, empty for the site. */
  parent: string
  title: string
  about: string
  /** Id of an avatar; empty for none. */
  avatarId?: string
}

export type FeedItem = ReturnType<typeof toItem>
export type Feed = Awaited<ReturnType<typeof makeFeed>>

/** Of a feed without posts. */
const NEVER = new Date(0).toISOString()

export async function makeFeed(
  needs: FeedNeeds,
  { title, about, avatarId = '', parent }: FeedSubject,
  posts: NewestPost[],
) {
  const { publicUrl, hubUrl } = needs
  const times = posts.map(({ updatedAt }) => updatedAt).sort()
  const turns = makeTurns()
  const items: FeedItem[] = []
  for (const post of posts) {
    items.push(toItem(needs, post))
    await turns()
  }
  return {
    title,
    about,
    iconUrl: faceUrl(needs, avatarId) ?? `${publicUrl}/icon-512.png`,
    pageUrl: publicUrl + (parent || '/post'),
    atomUrl: `${publicUrl}${parent}/feed.xml`,
    jsonUrl: `${publicUrl}${parent}/feed.json`,
    hubUrl,
    updatedAt: times.at(-1) ?? NEVER,
    items,
  }
}

function toItem(needs: FeedNeeds, post: NewestPost) {
  const { publicUrl, contentBucketId } = needs
  const { id, title, html, userId, userName, avatarId, cover, tags } = post
  const url = publicUrl + postPath({ $id: id, title })
  return {
    /** The address of the post that never changes, whatever its title. */
    id: `${publicUrl}/post/${id}`,
    ...{ url, title, tags },
    html: html === undefined ? undefined : feedHtml(needs, html, url),
    author: {
      name: userName || UNKNOWN_USER_NAME,
      url: `${publicUrl}/author/${userId}`,
      avatarUrl: faceUrl(needs, avatarId),
    },
    publishedAt: post.createdAt,
    updatedAt: post.updatedAt,
    cover: cover && {
      url: fileUrl(needs, contentBucketId, cover.id),
      mimeType: cover.mimeType,
      sizeBytes: cover.sizeBytes,
    },
  }
}

function faceUrl(needs: FeedNeeds, avatarId: string): string | undefined {
  return avatarId === '' ? undefined : fileUrl(needs, needs.avatarBucketId, avatarId)
}

function fileUrl({ publicUrl, projectId }: FeedNeeds, bucketId: string, id: string): string {
  return `${publicUrl}/v1/storage/buckets/${bucketId}/files/${id}/view?project=${projectId}`
}
