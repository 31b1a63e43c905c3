// What an author decides about a post beside its text: excerpt, words in its URL, texts for search
// engines, and where it was published first. Stored as one JSON object; a post without any of it
// has none.

import { DETAIL_MAX_CHARS } from '#contract/limits.ts'
import { titleSegment } from '#contract/post-url.ts'
import type { PostDocument } from '#contract/posts.ts'
import { cleanLine, isVisible } from '#contract/visible-text.ts'
import { invalidFormat, readCleaned } from './attributes.ts'

export type DetailName = keyof typeof DETAIL_MAX_CHARS
export const DETAIL_NAMES = Object.keys(DETAIL_MAX_CHARS) as DetailName[]
export type PostDetails = Pick<PostDocument, DetailName>
/** The sent texts; an empty one removes the stored one. */
export type DetailChanges = Partial<Record<DetailName, string>>

export function isDetailName(name: string): name is DetailName {
  return Object.hasOwn(DETAIL_MAX_CHARS, name)
}

/**
 * The stored form of a sent text: one line. Words in a URL get the form of the words of a title.
 *
 * @param value null or an empty text for none
 * @throws Refusal `document_invalid_structure`
 */
export function readDetail(name: DetailName, value: unknown): string {
  if (value === null) return ''
  const toOneLine = (text: string) => cleanLine(text.replace(/\s+/g, ' '))
  const text = readCleaned(name, value, DETAIL_MAX_CHARS[name], toOneLine)
  if (/\p{Cc}/u.test(text)) throw invalidFormat(name, 'a text without control characters')
  if (!isVisible(text)) return ''
  if (name === 'addressWords') return readAddressWords(text)
  return name === 'canonicalUrl' ? readCanonicalUrl(text) : text.toWellFormed()
}

function readAddressWords(text: string): string {
  const words = titleSegment(text)
  if (words === '') throw invalidFormat('addressWords', 'a text with letters or digits')
  return words
}

function readCanonicalUrl(text: string): string {
  const url = URL.parse(text)
  const isUsable =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    url.href.length <= DETAIL_MAX_CHARS.canonicalUrl
  if (!isUsable) throw invalidFormat('canonicalUrl', 'an absolute http or https URL')
  return url.href
}

/** @returns the new details as JSON; empty for none */
export function applyDetailChanges(stored: string, changes: DetailChanges): string {
  const details = { ...parseDetails(stored), ...changes }
  const kept = DETAIL_NAMES.filter((name) => details[name])
  if (kept.length === 0) return ''
  return JSON.stringify(Object.fromEntries(kept.map((name) => [name, details[name]])))
}

export function parseDetails(stored: string): PostDetails {
  return stored === '' ? {} : (JSON.parse(stored) as PostDetails)
}
