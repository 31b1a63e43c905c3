// Metadata of a post's body: direction, reading time, description. Derived once: the server stores
// it with the post (decision 0064), the browser memoises it while the page is open.
import { use, useMemo } from 'react'
import { findTagLine, withoutTagLine } from '#contract/plain-text.ts'
import type { BodyMetadata } from '../api/page-data.ts'
import { directionOf, minutesOf, plainText, truncateText } from '../posts/plain-text.ts'
import { bodyHtml } from './body-html.ts'
import { lettersOf, type StyleCharacters } from './reading-fonts.ts'
import { ServedBodyContext } from './server-rendered-body.ts'

const DESCRIPTION_MAX_CHARS = 160
/** Only this much of a body is analysed. */
const ANALYSED_MAX_CHARS = 100_000

/** The metadata that the server stores. Only the server needs `letters`, for the page's fonts. */
export type StoredBodyMetadata = BodyMetadata & { letters: StyleCharacters[] }

/** @param html the cleaned body of a post */
export function deriveBodyMetadata(html: string): BodyMetadata {
  // A last line of tags is not part of the text.
  const whole = findTagLine(html)?.rest ?? html
  const part = beginningOf(whole)
  const text = plainText(part)
  return {
    direction: text ? directionOf(text) : undefined,
    minutes: Math.round(minutesOf(text) * (whole.length / (part.length || 1))) || 1,
    description: truncateText(text, DESCRIPTION_MAX_CHARS),
  }
}

export function deriveStoredMetadata(html: string): StoredBodyMetadata {
  const texts = deriveBodyMetadata(html)
  return { ...texts, letters: lettersOf(beginningOf(html), texts.direction) }
}

/** The part of a body that is analysed, without an incomplete tag or entity at its end. */
function beginningOf(html: string): string {
  if (html.length <= ANALYSED_MAX_CHARS) return html
  return html.slice(0, ANALYSED_MAX_CHARS).replace(/<[^<>]*$|&#?\w{0,10}$/, '')
}

export function useBodyMetadata(html: string): BodyMetadata {
  const served = use(ServedBodyContext)
  return useMemo(
    () => (served?.html === html ? served.metadata : deriveBodyMetadata(html)),
    [served, html],
  )
}

/** The body as the page shows it. @param tags the tags shown below the text */
export function useBodyHtml(html: string, tags: string[]): string {
  const served = use(ServedBodyContext)
  const key = tags.join(' ')
  return useMemo(
    () =>
      served?.pageHtml !== undefined && served.html === html
        ? served.pageHtml
        : bodyHtml(withoutTagLine(html, key.split(' '))),
    [served, html, key],
  )
}
