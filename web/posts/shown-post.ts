// Posts as screens show them.
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import type { SiteSettings } from '#contract/site-settings.ts'
import { textToHtml } from '#contract/text-bodies.ts'

type TextBodies = Pick<SiteSettings, 'hasTextBodies'>

/** An author without a name, or an answer that leaves it out, is an unknown one. */
export function withAuthor<Row extends { userName?: string }>(row: Row): Row {
  return row.userName?.trim() ? row : { ...row, userName: UNKNOWN_USER_NAME }
}

// Where bodies are text (`BLOG_CONTENT=text`), the app shows them as HTML that says the same letter
// for letter. Its form edits the text itself.

export function shownBody({ hasTextBodies }: TextBodies, stored: string): string {
  return hasTextBodies ? textToHtml(stored) : stored
}

/** A version for reading. */
export function withShownBody<Held extends { content: string }>(
  settings: TextBodies,
  held: Held,
): Held {
  return { ...held, content: shownBody(settings, held.content) }
}
