// Where bodies are text (`BLOG_CONTENT=text`), the app shows them as HTML that says the same letter
// for letter. Its form edits the text itself.
import { textToHtml } from '#contract/text-bodies.ts'
import type { Api } from '../api/client.ts'

type Settings = Pick<Api['settings'], 'hasTextBodies'>

export function shownBody({ hasTextBodies }: Settings, stored: string): string {
  return hasTextBodies ? textToHtml(stored) : stored
}

/** A version for reading. */
export function withShownBody<Held extends { content: string }>(
  settings: Settings,
  held: Held,
): Held {
  return { ...held, content: shownBody(settings, held.content) }
}
