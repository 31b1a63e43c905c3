// How much HTML is looked at to clean it: bounds before any work on it. Knows no rule of cleaning.
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
