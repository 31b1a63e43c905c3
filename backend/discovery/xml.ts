// XML as text, escaped, without what XML 1.0 cannot hold. Own code because the packages that write
// XML leave control characters in and take a third of a second for each megabyte.

/** A piece of finished XML. */
export type Xml = { xml: string }

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Otherwise a reader makes other white space of it.
  '\r': '&#13;',
}

/**
 * The text without lone surrogates and what no XML 1.0 document can hold, not even escaped.
 *
 * @source XML 1.0, "Char"
 */
export function withoutUnprintable(text: string): string {
  return text.toWellFormed().replace(/[[\p{Cc}--[\t\n\r\x7f-\x9f]]\ufffe\uffff]/gv, '')
}

type Piece = string | number | Xml | Xml[] | undefined

/** A template of XML, in which texts are escaped and what is undefined is left out. */
export function xml(template: TemplateStringsArray, ...pieces: Piece[]): Xml {
  return { xml: String.raw({ raw: template }, ...pieces.map(written)) }
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root.xml}\n`
}

/** @param name is no text of anybody */
export function element(name: string, text: string | number): Xml {
  return { xml: `<${name}>${escaped(text, /[&<>\r]/g)}</${name}>` }
}

function written(piece: Piece): string {
  if (piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(written).join('')
  if (typeof piece === 'object') return piece.xml
  return escaped(piece, /[&<>"\r]/g)
}

function escaped(text: string | number, signs: RegExp): string {
  return withoutUnprintable(String(text)).replace(signs, (sign) => ESCAPES[sign] ?? sign)
}
