// Readable URLs of posts: `/post/{id}/{words-of-the-title}`. Only the id identifies the post;
// `/post/{id}` works for ever.

import { truncateAtGrapheme } from './graphemes.ts'
import { isId } from './ids.ts'
import { normaliseUnicode } from './plain-text.ts'
import type { PostDocument } from './posts.ts'
import type { SiteSettings } from './site-settings.ts'

/** Length of the title in the URL of its page, in code points. */
export const TITLE_SEGMENT_MAX_CHARS = 80

/** Apostrophes, and the zero-width joiner in scripts of India. */
const INSIDE_WORD = /(?<=\p{L})['’](?=\p{L})|(?<=\p{M})\u200d(?=\p{L})/gu
/** Not a mark alone, such as a variation selector. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * The words of a title as the last segment of a URL, not percent-encoded: lower case, letters,
 * marks and digits of any script, joined by hyphens, at most `TITLE_SEGMENT_MAX_CHARS` code points.
 *
 * @returns an empty text for a title without letters and digits
 */
export function titleSegment(title: string): string {
  const words =
    normaliseUnicode(title, 'NFKC').toLowerCase().replace(INSIDE_WORD, '').match(WORD) ?? []
  let address = ''
  for (const word of words) {
    const longer = address === '' ? word : `${address}-${word}`
    if ([...longer].length > TITLE_SEGMENT_MAX_CHARS) break
    address = longer
  }
  return address || truncateAtGrapheme(words[0] ?? '', TITLE_SEGMENT_MAX_CHARS)
}

/** What the URL of a post is made of; in answers to `select`, missing words are null. */
export type PostAddress = Pick<PostDocument, '$id' | 'title'> & {
  addressWords?: string | null | undefined
}

/** The author's own words, or those of the title: the last segment of a post's URL, not encoded. */
export function addressSegment({ title, addressWords }: Omit<PostAddress, '$id'>): string {
  return addressWords || titleSegment(title)
}

/** The path of an active page such as "About", percent-encoded. */
export function pagePath(page: Omit<PostAddress, '$id'>): string {
  return `/${encodeURIComponent(addressSegment(page))}`
}

/**
 * The path of a post's page, percent-encoded, from the root of the site.
 *
 * @returns without the last segment for a title without letters and digits
 */
export function postPath({ $id, ...address }: PostAddress): string {
  const words = addressSegment(address)
  return words === '' ? `/post/${$id}` : `/post/${$id}/${encodeURIComponent(words)}`
}

const POST_PATH = /^\/post\/([^/]+)(?:\/[^/]*)?\/?$/i

/**
 * The post id in the path of its page, percent-encoded or not, with or without words after it;
 * undefined for other paths.
 */
export function postIdInPath(path: string): string | undefined {
  const [, segment = ''] = POST_PATH.exec(path) ?? []
  try {
    const id = segment.includes('%') ? decodeURIComponent(segment) : segment
    return isId(id) ? id : undefined
  } catch {
    return undefined
  }
}

/**
 * The path for sharing and for search engines: without the words of the title where only members
 * see lists.
 */
export function publicPath(
  { reading }: Pick<SiteSettings, 'reading'>,
  post: PostAddress & { page?: boolean | null | undefined },
): string {
  if (post.page) return pagePath(post)
  return reading === 'everyone' ? postPath(post) : `/post/${post.$id}`
}

/** Id of a comment's element, which is the fragment of its URL. */
export function commentElementId(commentId: string): string {
  return `c-${commentId}`
}

/** The comments that the query of a post's page requests: a comment, a thread, or a page. */
export type CommentsQuery = { comment?: string; thread?: string; page?: number }

const PAGE = /^[1-9]\d{0,5}$/

/** @param search a query; invalid ids and numbers are ignored */
export function readCommentsQuery(search: string): CommentsQuery {
  const query = new URLSearchParams(search)
  const [comment, thread, page] = ['comment', 'thread', 'comments'].map((name) => query.get(name))
  if (isId(comment)) return { comment }
  return {
    ...(isId(thread) && { thread }),
    ...(page && PAGE.test(page) && { page: Number(page) }),
  }
}

/** The canonical form of the query; empty for the first page. */
export function writeCommentsQuery({ comment, thread, page = 1 }: CommentsQuery): string {
  const query = new URLSearchParams({
    ...(comment && { comment }),
    ...(thread && { thread }),
    ...(page > 1 && { comments: String(page) }),
  })
  return query.size > 0 ? `?${query}` : ''
}
