// Bodies that are no HTML (`BLOG_CONTENT=text`): stored and answered untouched. Only what our own
// pages show of them is HTML, with every sign escaped.
import { findTagLineOfText } from '#contract/tags.ts'
import { textToHtml } from '#contract/text-bodies.ts'
import { invalidFormat } from '../collections/declared.ts'
import type { BodyCleaner } from './clean-again.ts'
import type { HighlightedBodies } from './highlighted-bodies.ts'
import { makeTextWork } from './text-work.ts'

export function makeTextBodies(): BodyCleaner {
  return {
    work: makeTextWork(),
    cleanAhead: async () => (text) => {
      // PostgreSQL cannot store it.
      if (text.includes('\0')) throw invalidFormat('content', 'text without the character NUL')
      return text.toWellFormed()
    },
    noteClean: async () => {},
    show: async (_tx, _postId, text) => text,
    cleanKept: async (text) => text,
    tagLine: (text) => findTagLineOfText(text)?.words ?? [],
  }
}

/** What pages show of texts. */
export const SHOWN_TEXTS: HighlightedBodies = {
  prepare: () => {},
  show: async (_post, text) => textToHtml(text),
  showUnsaved: async (_authorId, text) => textToHtml(text),
}
