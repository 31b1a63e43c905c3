// The comments of a page as structured data for search engines, to be added to that of the post.

import type { Comment } from 'schema-dts'
import { renderedText } from '#contract/comment-text.ts'
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { commentElementId } from '#contract/post-url.ts'
import type { InitialComments } from '../comments/use-comments.ts'

/** Only this many comments of a page are described; the page's markup has all of them. */
const DESCRIBED_MAX = 50
/** Longer texts are cut. */
const TEXT_MAX_CHARS = 200
/** Only this much of a comment's HTML is parsed for its text. */
const HTML_MAX_CHARS = 4000

/** @param address the address of the post */
export function commentStructuredData(address: string, comments: InitialComments) {
  if (!comments || comments.state === 'off') return {}
  const shown = comments.comments.filter(({ status }) => status === 'shown')
  return {
    commentCount: comments.total,
    comment: shown.slice(0, DESCRIBED_MAX).map(
      ({ $id, $createdAt, userName, html = '' }): Comment => ({
        '@type': 'Comment',
        url: `${address}#${commentElementId($id)}`,
        dateCreated: $createdAt,
        author: { '@type': 'Person', name: userName },
        text: truncateAtGrapheme(renderedText(html.slice(0, HTML_MAX_CHARS)), TEXT_MAX_CHARS),
      }),
    ),
  }
}
