// The ids of headings, derived from their words, so that links can lead to the parts of a post.
// They are in the shown text only: a stored body has none.
import { normaliseUnicode, plainText } from '#contract/plain-text.ts'

/** No other id of a page begins with it. */
const PREFIX = 'h-'
const SLUG_MAX_CHARS = 60
// Bounded: in cleaned HTML each heading has an end tag.
const HEADING = /<(h[1-6])((?: [^<>]*)?)>([\s\S]*?)(?=<\/\1>)/g

/** Adds an id to each heading that has words; equal words get a number. */
export function addHeadingIds(html: string): string {
  const counts = new Map<string, number>()
  return html.replace(HEADING, (all, name: string, attributes: string, inside: string) => {
    const slug = slugOf(inside)
    if (slug === '') return all
    let id = slug
    while (counts.has(id)) {
      const count = (counts.get(slug) ?? 1) + 1
      counts.set(slug, count)
      id = `${slug}-${count}`
    }
    counts.set(id, 1)
    return `<${name} id="${PREFIX}${id}"${attributes}>${inside}`
  })
}

function slugOf(html: string): string {
  const words = normaliseUnicode(plainText(html)).toLowerCase()
  const slug = words.match(/[\p{L}\p{N}\p{M}]+/gu)?.join('-') ?? ''
  return [...slug].slice(0, SLUG_MAX_CHARS).join('').replace(/-$/, '')
}
