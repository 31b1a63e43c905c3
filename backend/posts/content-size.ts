// What is known of HTML before it is cleaned: whether it is more than is looked at, and whether it
// holds anything that could be cleaned. Knows no rule of cleaning.
import { Refusal } from '#contract/errors.ts'
import { CONTENT_SENT_MAX_CHARS, CONTENT_TAGS_MAX } from '#contract/limits.ts'

const OBJECT = /^<(?:img|iframe|video|audio|pre|table)\b/i
/** The longest of their names with its sign. */
const OBJECT_CHARS = 8

/**
 * @param objectsMax of what is sent; posts from before the bound may hold more
 * @throws Refusal `document_invalid_structure` for what no post can be
 */
export function checkSize(html: string, objectsMax = Number.POSITIVE_INFINITY): void {
  if (html.length > CONTENT_SENT_MAX_CHARS)
    throw invalidContent(
      'type',
      `Value must be a valid string and no longer than ${CONTENT_SENT_MAX_CHARS} chars as it is sent`,
    )
  let [tags, objects] = [0, 0]
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at + 1)) {
    if (++tags > CONTENT_TAGS_MAX)
      throw invalidContent('format', `Value must hold no more than ${CONTENT_TAGS_MAX} tags`)
    if (OBJECT.test(html.slice(at, at + OBJECT_CHARS)) && ++objects > objectsMax)
      throw invalidContent(
        'format',
        `Value must hold no more than ${objectsMax} images, players, code samples and tables`,
      )
  }
}

export function invalidContent(what: 'type' | 'format', rule: string): Refusal {
  return new Refusal(
    'document_invalid_structure',
    `Invalid document structure: Attribute "content" has invalid ${what}. ${rule}`,
  )
}

const PLAIN_MAX_CHARS = 20_000
/** No sign of HTML, no control character but line feeds and tabs, no half of a pair. */
const TEXT = '[^<>&\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\p{Cs}]*'
/** Each part begins with another sign than the one before may end with: no text is tried twice. */
const EMPHASISED = `<(em|strong|b|i|u|s)>${TEXT}</\\2>`
const BLOCK = `<(p|h[1-6])>${TEXT}(?:${EMPHASISED}${TEXT})*</\\1>`
const PLAIN = new RegExp(`^(?:${BLOCK}\\n?)+$`, 'u')

/**
 * Whether cleaning would change nothing: paragraphs and headings of letters, some of them
 * emphasised, without any attribute. Most short posts are such, and cleaning is dear. False says
 * nothing.
 */
export function isPlainHtml(html: string): boolean {
  return html.length <= PLAIN_MAX_CHARS && PLAIN.test(html)
}
