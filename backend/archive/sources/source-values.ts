// Values of exports in the form that `SourcePost` has them.
import type { SourcePost } from './source.ts'

export type Values = Record<string, unknown>

export const LINE_MAX_CHARS = 20_000
const YEAR_MIN = 1970
const YEAR_MAX = 9999

/** One line of plain text; a far too long one is cut. */
export function lineOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value)
    .slice(0, LINE_MAX_CHARS)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** The first of these values that is not empty, on one line. */
export function lineAt(values: Values, ...keys: string[]): string {
  return keys.map((key) => lineOf(values[key])).find(Boolean) ?? ''
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Without values for anything but an object. */
export function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {}
}

/** @returns undefined for what is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text that is no valid address stays as it is. */
export function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** A date as ISO 8601 in UTC; one without a time zone counts as UTC. Empty when it is none. */
export function toIsoDate(text: string): string {
  const value = text.trim()
  const isPlain = /^\d{4}-\d{1,2}-\d{1,2}(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/.test(value)
  const [day = '', time = '00:00'] = value.split(/[ T]/)
  const padded = `${day.replace(/\b\d\b/g, '0$&')}T${time.replace(/^\d:/, '0$&')}Z`
  // Of 2014, Ghost wrote milliseconds.
  if (/^\d{13}$/.test(value)) return new Date(Number(value)).toISOString()
  const isZoned = isPlain || /(?:[zZ]|[A-Z]{3}|[+-]\d{2}:?\d{2})\)?$/.test(value)
  const date = new Date(isPlain ? padded : isZoned ? value : `${value} UTC`)
  const year = date.getUTCFullYear()
  return year >= YEAR_MIN && year <= YEAR_MAX ? date.toISOString() : ''
}

/** The first of these values that is a date. */
export function dateAt(values: Values, ...keys: string[]): string {
  return keys.map((key) => toIsoDate(lineOf(values[key]))).find(Boolean) ?? ''
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
