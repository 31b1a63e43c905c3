// Bodies that hold nothing that could be cleaned: paragraphs and headings of letters, some of them
// emphasised, without any attribute. Most short posts are such, and cleaning is dear. Knows nothing
// of what is cleaned in all others.

const MAX_CHARS = 20_000
/** No sign of HTML, no control character but line feeds and tabs, no half of a pair. */
const TEXT = '[^<>&\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\p{Cs}]*'
/** Each part begins with another sign than the one before may end with: no text is tried twice. */
const EMPHASISED = `<(em|strong|b|i|u|s)>${TEXT}</\\2>`
const BLOCK = `<(p|h[1-6])>${TEXT}(?:${EMPHASISED}${TEXT})*</\\1>`
const PLAIN = new RegExp(`^(?:${BLOCK}\\n?)+$`, 'u')

/** Whether cleaning would change nothing. False says nothing. */
export function isPlainHtml(html: string): boolean {
  return html.length <= MAX_CHARS && PLAIN.test(html)
}
