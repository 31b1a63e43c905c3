// The HTML of comments: rendered when they are saved, and stored with the version of the code that
// did it. What another version has rendered, or none, is rendered for each answer.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { renderComment, withoutLinks } from '#contract/comment-text.ts'
import { makeTurns } from '../database/transaction.ts'

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
export function render(content: string): { html: string; renderer: string } {
  return { html: renderComment(content).html, renderer: RENDERER }
}

type Rendered = { content: string; html: string; renderer: string }

/** Rows with the HTML of this version. Old ones do not hold the event loop, however many. */
export async function withPresentHtml<Row extends Rendered>(rows: Row[]): Promise<Row[]> {
  const turns = makeTurns()
  const present: Row[] = []
  for (const row of rows) {
    const isStale = row.renderer !== RENDERER
    if (isStale) await turns()
    present.push(isStale ? { ...row, ...render(row.content) } : row)
  }
  return present
}

/** @param html as `withPresentHtml` has it */
export function htmlOf({ html }: Rendered, hasLinks: boolean): string {
  return hasLinks ? html : withoutLinks(html)
}
