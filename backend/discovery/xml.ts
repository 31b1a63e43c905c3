// Writes XML: escapes text and removes characters that XML 1.0 cannot hold. The packages for this
// leave control characters in and take a third of a second for each megabyte.

/** A piece of finished XML. */
export type Xml = { xml: string }

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would otherwise normalise it to other white space.
  '\r': '&#13;',
}

/**
 * Removes lone surrogates and characters that XML 1.0 cannot hold even when escaped.
 *
 * @source XML 1.0, "Char"
 */
export function withoutUnprintable(text: string): string {
  return text.toWellFormed().replace(/[[\p{Cc}--[\t\n\r\x7f-\x9f]]\ufffe\uffff]/gv, '')
}

type Piece = string | number | Xml | Xml[] | undefined

/** An XML template: texts are escaped, undefined pieces left out. */
export function xml(template: TemplateStringsArray, ...pieces: Piece[]): Xml {
  return { xml: String.raw({ raw: template }, ...pieces.map(writePiece)) }
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root.xml}\n`
}

/** @param name never user input, because it is not escaped */
export function element(name: string, text: string | number): Xml {
  return { xml: `<${name}>${escapeText(text, /[&<>\r]/g)}</${name}>` }
}

function writePiece(piece: Piece): string {
  if (piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(writePiece).join('')
  if (typeof piece === 'object') return piece.xml
  return escapeText(piece, /[&<>"\r]/g)
}

function escapeText(text: string | number, special: RegExp): string {
  return withoutUnprintable(String(text)).replace(
    special,
    (character) => ESCAPES[character] ?? character,
  )
}
