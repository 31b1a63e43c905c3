// Which of a post's details the server would refuse.
import { DETAIL_MAX_CHARS } from '#contract/limits.ts'
import { hasMoreCharacters } from '#contract/plain-text.ts'
import type { PostDetails } from '../posts/posts-api.ts'

/** Words in a URL are cut, not refused. */
export type TextDetail = Exclude<keyof typeof DETAIL_MAX_CHARS, 'addressWords'>

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
  const url = /^https?:\/\/[^\s/]/i.test(text) ? URL.parse(text) : null
  return url !== null && url.username + url.password === ''
}
