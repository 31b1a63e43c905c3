// The HTML of comments. It is rendered when a comment is saved, and stored with the version of the
// renderer. HTML from another version is not used; the comment is then rendered for each page.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { renderComment } from '#contract/comment-text.ts'
import type { Database } from '../database/schema.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import { listRendered } from './comment-list-store.ts'

/** The source files of the renderer, which run without compilation; its version is their hash. */
const SOURCES = ['comment-text', 'comments', 'web-addresses']
const RENDERER = hash(
  'sha256',
  SOURCES.map((name) =>
    readFileSync(new URL(`../../contract/${name}.ts`, import.meta.url), 'utf8'),
  ).join('\0'),
  'base64url',
).slice(0, 22)

/** The rendered columns of a saved comment. */
export function renderContent(content: string): { html: string; renderer: string } {
  return { html: renderComment(content).html, renderer: RENDERER }
}

/** The HTML of comments, by `seq`. Yields to the event loop between comments that it renders. */
export async function readHtml(
  db: Database,
  comments: { seq: number }[],
): Promise<Map<number, string>> {
  const yieldToEventLoop = makeYieldToEventLoop()
  const htmlBySeq = new Map<number, string>()
  for (const { seq, html, content } of await listRendered(db, comments, RENDERER)) {
    if (html === null) await yieldToEventLoop()
    htmlBySeq.set(seq, html ?? renderComment(content ?? '').html)
  }
  return htmlBySeq
}
