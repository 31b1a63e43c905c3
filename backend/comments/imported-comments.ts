// Comments that are imported with their post from another blog: their writers have no account here,
// only a name. No rules of sent comments about rights, duplicates and times apply to them.
import { renderComment } from '#contract/comment-text.ts'
import { COMMENT_MAX_CHARS, COMMENT_MAX_LINES } from '#contract/comments.ts'
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { NAME_MAX_CHARS } from '#contract/limits.ts'
import { hasMoreCharacters } from '#contract/plain-text.ts'
import { isVisible, withoutBidiControls } from '#contract/visible-text.ts'
import type { Database } from '../database/schema.ts'
import { lockPost } from '../post-texts/post-texts-store.ts'
import { renderContent } from './comment-html.ts'
import * as store from './store.ts'

export type ImportedComment = {
  id: string
  /** The comment at the top of its thread; empty at the top level. */
  parentId: string
  name: string
  content: string
  createdAt: string
}

const UNSEEN = /[[\p{Cc}--[\t\n]]\u2028\u2029]/gv

/** The text within the limits of comments; empty if nothing of it can be seen. */
export function fitCommentText(text: string): { content: string; isCut: boolean } {
  const lines = text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(UNSEEN, '')
  const whole = lines.toWellFormed().trim()
  if (!isVisible(whole)) return { content: '', isCut: false }
  if (!hasMoreCharacters(whole, COMMENT_MAX_CHARS) && !renderComment(whole).exceeded)
    return { content: whole, isCut: false }
  let content = whole
    .split('\n')
    .slice(0, COMMENT_MAX_LINES - 1)
    .join('\n')
  content = truncateAtGrapheme(content, COMMENT_MAX_CHARS - 1)
  while (renderComment(`${content}…`).exceeded)
    content = truncateAtGrapheme(content, Math.floor(content.length / 2))
  return { content: `${content.trimEnd()}…`, isCut: true }
}

export function fitCommentName(name: string): string {
  const line = withoutBidiControls(name.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ')).trim()
  return isVisible(line) ? truncateAtGrapheme(line, NAME_MAX_CHARS) : ''
}

/** Adds comments to a post, in their order; the first comment of a thread comes before others. */
export async function addImportedComments(
  tx: Database,
  postId: string,
  comments: ImportedComment[],
): Promise<void> {
  await lockPost(tx, { id: postId })
  const { seq: discussionSeq } = await store.lockDiscussion(tx, postId)
  for (const { id, parentId, name, content, createdAt } of comments)
    await store.insertNamedComment(
      tx,
      {
        id,
        discussionSeq,
        parentId,
        userId: null,
        place: await store.takePosition(tx, discussionSeq, parentId),
        status: 'shown',
        hasLinks: 1,
        digest: '',
        createdAt,
        updatedAt: createdAt,
        content,
        ...renderContent(content),
      },
      name,
    )
}

/** Removes an imported comment, unless it has replies. @returns whether it is gone */
export async function removeImportedComment(tx: Database, id: string): Promise<boolean> {
  const comment = await store.findStored(tx, id)
  if (!comment) return true
  if (comment.parentId === '' && (await store.hasReplies(tx, comment))) return false
  await store.deleteComment(tx, id)
  return true
}
