// Checks the sent `data` of a comment, and refuses the first fault. Independent of SQL and of the
// viewer.
import { renderComment } from '#contract/comment-text.ts'
import {
  COMMENT_MAX_CHARS,
  COMMENT_MAX_ELEMENTS,
  COMMENT_MAX_HTML_CHARS,
  COMMENT_MAX_LINES,
} from '#contract/comments.ts'
import { isId } from '#contract/ids.ts'
import { hasMoreCharacters } from '#contract/plain-text.ts'
import { isVisible } from '#contract/visible-text.ts'
import { invalidFormat, invalidStructure, invalidType, type SentData } from '../posts/attributes.ts'

/** A sent text may be longer than the stored one, from which control characters are removed. */
const SENT_MAX_CHARS = 4 * COMMENT_MAX_CHARS
const UNSEEN = /[[\p{Cc}--[\t\n]]\u2028\u2029]/gv

/** @throws Refusal `document_invalid_structure` */
export function readNewComment(sent: SentData) {
  refuseUnknown(sent, ['postId', 'parentId', 'content', 'userId', 'userName'])
  return {
    /** Must be the id of the caller; a sent name is ignored. */
    userId: readReference(sent, 'userId'),
    postId: readReference(sent, 'postId') ?? missing('postId'),
    parentId: readReference(sent, 'parentId') ?? '',
    content: readText(sent.content ?? missing('content')),
  }
}

/** Reads a change of the text or of the status. @throws Refusal `document_invalid_structure` */
export function readChange(sent: SentData): { content: string } | { isHidden: boolean } {
  refuseUnknown(sent, ['content', 'status'])
  const { content, status } = sent
  if ((content === undefined) === (status === undefined))
    throw invalidStructure('Either "content" or "status" changes')
  if (content !== undefined) return { content: readText(content) }
  if (status !== 'hidden' && status !== 'shown')
    throw invalidFormat('status', 'one of (hidden, shown)')
  return { isHidden: status === 'hidden' }
}

function refuseUnknown(sent: SentData, known: string[]): void {
  const unknown = Object.keys(sent).find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalidStructure(`Unknown attribute: "${unknown}"`)
}

function missing(name: string): never {
  throw invalidStructure(`Missing required attribute "${name}"`)
}

function readReference(sent: SentData, name: string): string | undefined {
  const value = sent[name] ?? ''
  if (value === '') return undefined
  if (!isId(value)) throw invalidFormat(name, 'a valid id')
  return value
}

function readText(value: unknown): string {
  const rule = `Value must be a valid string and no longer than ${COMMENT_MAX_CHARS} chars`
  if (typeof value !== 'string' || value.length > SENT_MAX_CHARS) throw invalidType('content', rule)
  const lines = value.replace(/\r\n?|[\u2028\u2029]/g, '\n')
  const text = lines.replace(UNSEEN, '').toWellFormed().trim()
  if (hasMoreCharacters(text, COMMENT_MAX_CHARS)) throw invalidType('content', rule)
  if (!isVisible(text))
    throw invalidFormat('content', `1 to ${COMMENT_MAX_CHARS} characters of plain text`)
  const { exceeded } = renderComment(text)
  if (exceeded) throw invalidFormat('content', LIMITS[exceeded])
  return text
}

const LIMITS = {
  lines: `at most ${COMMENT_MAX_LINES} lines`,
  elements: `at most ${COMMENT_MAX_ELEMENTS} paragraphs, line breaks, quotations, links and pieces of code`,
  size: `at most ${COMMENT_MAX_HTML_CHARS} characters as HTML`,
}
