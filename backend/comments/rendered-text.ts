// The HTML of comments: rendered when they are saved, and stored with the version of the code that
// did it. What another version has rendered, or none, is rendered for each answer.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { renderComment, withoutLinks } from '#contract/comment-text.ts'

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

export function htmlOf(
  stored: { content: string; html: string; renderer: string },
  hasLinks: boolean,
): string {
  const { content, renderer } = stored
  const { html } = renderer === RENDERER ? stored : renderComment(content)
  return hasLinks ? html : withoutLinks(html)
}
