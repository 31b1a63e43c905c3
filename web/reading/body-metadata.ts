// Metadata of a post's body: direction, reading time, description. Derived once: the server
// stores it with the post (decision 0064), the browser keeps it while the page is open.
import { use, useMemo } from 'react'
import { findTagLine, withoutTagLine } from '#contract/plain-text.ts'
import type { PostTexts } from '../api/site-settings.ts'
import { directionOf, minutesOf, plainText, truncateText } from '../posts/plain-text.ts'
import { bodyHtml } from './body-html.ts'
import { lettersOf, type StyleLetters } from './reading-fonts.ts'
import { ServedTextsContext } from './server-rendered-body.ts'

const DESCRIPTION_MAX_CHARS = 160
/** So much of a body is looked at; longer ones go on alike. */
const LOOKED_AT_CHARS = 100_000

/** As the server keeps them; the browser needs no letters, its fonts are named already. */
export type KeptTexts = PostTexts & { letters: StyleLetters[] }

/** @param html the cleaned body of a post */
export function describeBody(html: string): PostTexts {
  // A last line of tags is no sentence.
  const whole = findTagLine(html)?.rest ?? html
  const part = beginningOf(whole)
  const text = plainText(part)
  return {
    direction: text ? directionOf(text) : undefined,
    minutes: Math.round(minutesOf(text) * (whole.length / (part.length || 1))) || 1,
    description: truncateText(text, DESCRIPTION_MAX_CHARS),
  }
}

export function describeForServer(html: string): KeptTexts {
  const texts = describeBody(html)
  return { ...texts, letters: lettersOf(beginningOf(html), texts.direction) }
}

/** Without a tag or an entity that was cut off. */
function beginningOf(html: string): string {
  if (html.length <= LOOKED_AT_CHARS) return html
  return html.slice(0, LOOKED_AT_CHARS).replace(/<[^<>]*$|&#?\w{0,10}$/, '')
}

export function usePostTexts(html: string): PostTexts {
  const served = use(ServedTextsContext)
  return useMemo(() => (served?.html === html ? served.texts : describeBody(html)), [served, html])
}

/** The body as a page shows it. @param tags those that stand below it anyway */
export function useShownBody(html: string, tags: string[]): string {
  const served = use(ServedTextsContext)
  const key = tags.join(' ')
  return useMemo(
    () =>
      served?.shown !== undefined && served.html === html
        ? served.shown
        : bodyHtml(withoutTagLine(html, key.split(' '))),
    [served, html, key],
  )
}
