// The address of a post's page that people can read: `/post/{id}/{words-of-the-title}`. The id
// alone says which post it is; `/post/{id}` works for ever.

import { truncateAtGrapheme } from './graphemes.ts'
import { isId } from './ids.ts'
import { normaliseUnicode } from './plain-text.ts'
import type { PostDocument } from './posts.ts'
import type { SiteSettings } from './site-settings.ts'

/** Length of the title in the URL of its page, in code points. */
export const TITLE_SEGMENT_MAX_CHARS = 80

/** Apostrophes, and the joiner of letters in scripts of India. */
const INSIDE_WORD = /(?<=\p{L})['’](?=\p{L})|(?<=\p{M})\u200d(?=\p{L})/gu
/** Not a mark alone, such as the one that asks for a coloured sign. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu

/**
 * The words of a title as the end of an address, not percent-encoded: lower case, letters, marks
 * and digits of any script, joined by hyphens, at most `TITLE_SEGMENT_MAX_CHARS` code points.
 *
 * @returns an empty text for a title without a letter or digit
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

/**
 * The path of a post's page, percent-encoded, from the root of the site.
 *
 * @returns without a tail for a title that has no letter or digit
 */
export function postPath({ $id, title }: Pick<PostDocument, '$id' | 'title'>): string {
  const words = titleSegment(title)
  return words === '' ? `/post/${$id}` : `/post/${$id}/${encodeURIComponent(words)}`
}

const POST_PATH = /^\/post\/([^/]+)(?:\/[^/]*)?\/?$/i

/**
 * The id in the path of a post's page, percent-encoded or not, with or without words behind it;
 * undefined for another path.
 */
export function postIdInPath(path: string): string | undefined {
  const [, sent = ''] = POST_PATH.exec(path) ?? []
  try {
    const id = sent.includes('%') ? decodeURIComponent(sent) : sent
    return isId(id) ? id : undefined
  } catch {
    return undefined
  }
}

/**
 * The path that is passed on and that search engines keep. Where only members see lists it is the
 * one with the id alone.
 */
export function publicPath(
  { reading }: Pick<SiteSettings, 'reading'>,
  post: Pick<PostDocument, '$id' | 'title'>,
): string {
  return reading === 'everyone' ? postPath(post) : `/post/${post.$id}`
}

/** Id of a comment's element, and the end of its address. */
export function commentElementId(commentId: string): string {
  return `c-${commentId}`
}

/** What the query of a post's page may ask for: one comment, the replies to one, a page of them. */
export type CommentsQuery = { comment?: string; thread?: string; page?: number }

const PAGE = /^[1-9]\d{0,5}$/

/** @param search a query; what is no id or no number in it asks for nothing */
export function readCommentsQuery(search: string): CommentsQuery {
  const query = new URLSearchParams(search)
  const [comment, thread, page] = ['comment', 'thread', 'comments'].map((name) => query.get(name))
  if (isId(comment)) return { comment }
  return {
    ...(isId(thread) && { thread }),
    ...(page && PAGE.test(page) && { page: Number(page) }),
  }
}

/** The one spelling of such a query; empty for the first page. */
export function writeCommentsQuery({ comment, thread, page = 1 }: CommentsQuery): string {
  const query = new URLSearchParams({
    ...(comment && { comment }),
    ...(thread && { thread }),
    ...(page > 1 && { comments: String(page) }),
  })
  return query.size > 0 ? `?${query}` : ''
}
