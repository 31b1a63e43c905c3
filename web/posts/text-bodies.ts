// Where bodies are text (`BLOG_CONTENT=text`), the app shows and edits them as HTML that says the
// same letter for letter, and saves text again. In a browser only.
import { textToHtml } from '#contract/text-bodies.ts'
import type { Api } from '../api/client.ts'

type Settings = Pick<Api['settings'], 'hasTextBodies'>

export function shownBody({ hasTextBodies }: Settings, stored: string): string {
  return hasTextBodies ? textToHtml(stored) : stored
}

export function sentBody({ hasTextBodies }: Settings, html: string): string {
  if (!hasTextBodies) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const lineBreak of body.querySelectorAll('br')) lineBreak.replaceWith('\n')
  return Array.from(body.childNodes, (node) => node.textContent ?? '')
    .map((block) => block.replaceAll('\u00a0', ' ').trimEnd())
    .filter((block) => block !== '')
    .join('\n\n')
}

/** A post or a version as the app holds it. */
export function withShownBody<Held extends { content?: string }>(
  settings: Settings,
  held: Held,
): Held {
  return settings.hasTextBodies && held.content !== undefined
    ? { ...held, content: textToHtml(held.content) }
    : held
}
