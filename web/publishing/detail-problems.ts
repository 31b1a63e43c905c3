// Which of a post's details the server would refuse.
import {
  CANONICAL_URL_MAX_CHARS,
  EXCERPT_MAX_CHARS,
  META_DESCRIPTION_MAX_CHARS,
  META_TITLE_MAX_CHARS,
} from '#contract/limits.ts'
import { hasMoreCharacters } from '#contract/plain-text.ts'
import type { PostDetails } from '../posts/posts-api.ts'

export const DETAIL_MAX_CHARS = {
  excerpt: EXCERPT_MAX_CHARS,
  metaTitle: META_TITLE_MAX_CHARS,
  metaDescription: META_DESCRIPTION_MAX_CHARS,
  canonicalUrl: CANONICAL_URL_MAX_CHARS,
} as const

export type TextDetail = keyof typeof DETAIL_MAX_CHARS

/** The first detail that is too long or is no address. */
export function findDetailProblem(details: Partial<PostDetails> = {}): TextDetail | undefined {
  const names = Object.keys(DETAIL_MAX_CHARS) as TextDetail[]
  return names.find((name) => isWrong(name, details[name] ?? ''))
}

export function isWrong(name: TextDetail, text: string): boolean {
  if (hasMoreCharacters(text, DETAIL_MAX_CHARS[name])) return true
  return name === 'canonicalUrl' && text !== '' && !isWebAddress(text)
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text)
}
