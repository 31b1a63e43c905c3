// Whether a stored post says what was sent. Knows nothing of calls.

import { sentTagsOf, tagKey, tagsOf } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import { plainText } from '../posts/plain-text.ts'
import type { PostData } from '../posts/posts-api.ts'

/** The same post in words and elements; the server's cleaning may have changed attributes. */
export function isSameText(post: PostDocument, data: PostData): boolean {
  const isSameRest =
    post.title === data.title &&
    post.status === data.status &&
    post.featuredImage === data.featuredImage &&
    isSameTags(post, data)
  return isSameRest && isSameContent(post.content, data.content)
}

/** Those of the post's last line count as the post's, whoever sent them. */
export function isSameTags(post: PostDocument, { tags }: { tags?: string[] | undefined }): boolean {
  if (!tags) return true
  const keys = new Set(tags.map(tagKey))
  const stored = new Set(tagsOf(post).map(tagKey))
  return (
    tags.every((tag) => stored.has(tagKey(tag))) &&
    sentTagsOf(post).every((tag) => keys.has(tagKey(tag)))
  )
}

export function isSameContent(one: string, other: string): boolean {
  return plainText(one) === plainText(other) && elementsOf(one) === elementsOf(other)
}

/** Without `span`: the server colours code. */
function elementsOf(html: string): string {
  return (html.match(/<\/?(?!span\b)[a-z0-9]+/gi) ?? []).join('')
}
