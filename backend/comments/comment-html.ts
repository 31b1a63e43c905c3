// The HTML of comments: rendered when they are saved, and stored with the version of the code that
// did it. What another version has rendered, or none, is rendered for each page.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { renderComment } from '#contract/comment-text.ts'
import type { Database } from '../database/schema.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import { listRendered } from './comment-list-store.ts'

/** The source files, which run as they are (decision 0008): whatever changes them changes this. */
const SOURCES = ['comment-text', 'comments', 'web-addresses']
const RENDERER = hash(
  'sha256',
  SOURCES.map((name) =>
    readFileSync(new URL(`../../contract/${name}.ts`, import.meta.url), 'utf8'),
  ).join('\0'),
  'base64url',
).slice(0, 22)

/** The columns of a comment that is written. */
export function renderContent(content: string): { html: string; renderer: string } {
  return { html: renderComment(content).html, renderer: RENDERER }
}

/** The HTML of comments, by their numbers. Old ones do not hold the event loop, however many. */
export async function readHtml(
  db: Database,
  comments: { seq: number }[],
): Promise<Map<number, string>> {
  const yieldNow = makeYieldToEventLoop()
  const texts = new Map<number, string>()
  for (const { seq, html, content } of await listRendered(db, comments, RENDERER)) {
    if (html === null) await yieldNow()
    texts.set(seq, html ?? renderComment(content ?? '').html)
  }
  return texts
}
