// What a page says of a post's body besides showing it, made of the whole body once: the server
// keeps it beside the post (decision 0024), and the browser for as long as the page is open.
import { createContext, use, useMemo } from 'react'
import { findTagLine } from '#contract/tags.ts'
import { cutText, minutesOf, plainText } from '../posts/plain-text.ts'
import { type Direction, directionOf } from '../posts/text-direction.ts'
import { lettersOf, type StyleLetters } from './reading-fonts.ts'

const DESCRIPTION_MAX_CHARS = 160
/** Enough to tell its language from. */
const SAMPLE_CHARS = 4000

export type BodyTexts = {
  /** undefined for a body without words. */
  direction: Direction | undefined
  minutes: number
  description: string
  sample: string
}
/** As the server keeps them; the browser needs no letters, its fonts are named already. */
export type KeptTexts = BodyTexts & { letters: StyleLetters[] }

/** @param html the cleaned body of a post */
export function describeBody(html: string): BodyTexts {
  // A last line of tags is no sentence.
  const text = plainText(findTagLine(html)?.rest ?? html)
  return {
    direction: text ? directionOf(text) : undefined,
    minutes: minutesOf(text),
    description: cutText(text, DESCRIPTION_MAX_CHARS),
    // Never half of a surrogate pair.
    sample: text.slice(0, SAMPLE_CHARS).toWellFormed(),
  }
}

export function describeForServer(html: string): KeptTexts {
  return { ...describeBody(html), letters: lettersOf(html) }
}

/** What the server has kept of the one body that its page shows. */
export const KeptTextsContext = createContext<{ html: string; texts: BodyTexts } | undefined>(
  undefined,
)

export function useBodyTexts(html: string): BodyTexts {
  const kept = use(KeptTextsContext)
  return useMemo(() => (kept?.html === html ? kept.texts : describeBody(html)), [kept, html])
}
