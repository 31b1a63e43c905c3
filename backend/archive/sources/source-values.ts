// Values of exports in the form that `SourcePost` has them.
import { plainText } from '#contract/plain-text.ts'
import { convertHtml } from './convert-html.ts'
import { type SourcePost, SourceProblem } from './source.ts'

const LINE_MAX_CHARS = 20_000
const YEAR_MIN = 1970
const YEAR_MAX = 9999

/** Titles and the like, written in HTML, as plain text; far too long ones are cut. */
export function lineOfHtml(html: string): string {
  try {
    return lineOf(plainText(convertHtml(html.slice(0, LINE_MAX_CHARS))))
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error
    return ''
  }
}

/** One line of plain text; a far too long one is cut. */
export function lineOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value)
    .slice(0, LINE_MAX_CHARS)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** A date as ISO 8601 in UTC; one without a time zone counts as UTC. Empty when it is none. */
export function toIsoDate(text: string): string {
  const value = text.trim()
  const isPlain = /^\d{4}-\d{1,2}-\d{1,2}(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/.test(value)
  const [day = '', time = '00:00'] = value.split(/[ T]/)
  const padded = `${day.replace(/\b\d\b/g, '0$&')}T${time.replace(/^\d:/, '0$&')}Z`
  const date = new Date(isPlain ? padded : value)
  const year = date.getUTCFullYear()
  return year >= YEAR_MIN && year <= YEAR_MAX ? date.toISOString() : ''
}

/** The path of an address, with its query if `hasQuery`; empty for none. */
export function pathOf(address: string, base: string, hasQuery = false): string {
  const url = address === '' ? undefined : URL.parse(address, base || 'http://localhost/')
  if (!url || !/^https?:$/.test(url.protocol)) return ''
  return hasQuery ? url.pathname + url.search : url.pathname
}

/** Without doubles and empty ones. */
export function distinct(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== ''))]
}

/** A post of which a source then says what it knows. */
export function emptyPost(key: string): SourcePost {
  return {
    key,
    kind: 'post',
    title: '',
    html: '',
    status: 'draft',
    publishedAt: '',
    createdAt: '',
    updatedAt: '',
    authors: [],
    tags: [],
    excerpt: '',
    cover: undefined,
    url: '',
    addresses: [],
    addressWords: '',
    metaTitle: '',
    metaDescription: '',
    canonicalUrl: '',
    areCommentsClosed: false,
  }
}
