// A body in HTML as plain text. Works on text, without a DOM, so that the server can use it too.

const BLOCK_TAGS =
  /<\/?(?:p|div|h[1-6]|li|ul|ol|tr|td|th|table|br|hr|blockquote|pre|figure|figcaption|section|article)\b[^<>]*>/gi

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
}

function characterOf(code: number): string {
  return Number.isInteger(code) && code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function decodeEntity(whole: string, name: string): string {
  if (name.startsWith('#x') || name.startsWith('#X'))
    return characterOf(Number.parseInt(name.slice(2), 16))
  if (name.startsWith('#')) return characterOf(Number(name.slice(1)))
  return ENTITIES[name] ?? whole
}

/**
 * The text of an HTML body, with one space between blocks. It is not escaped: never show it as
 * HTML.
 */
export function plainText(html: string): string {
  return withoutHidden(html)
    .replace(BLOCK_TAGS, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(#?\w+);/g, decodeEntity)
    .replace(/\s+/g, ' ')
    .trim()
}

/** Scripts and style sheets are no text; cleaned bodies have none. */
function withoutHidden(html: string): string {
  if (!/<\/(?:script|style)/i.test(html)) return html
  return html.replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
}
