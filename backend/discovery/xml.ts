// XML as text: elements, attributes and text, each escaped, without what XML 1.0 cannot hold. Own
// code because the packages that write XML leave control characters in and take a third of a second
// for each megabyte (decision 0041).

/** A piece of finished XML. */
export type Xml = { xml: string }

type Attributes = Readonly<Record<string, string | number | undefined>>

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Otherwise a reader makes other white space of them.
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
}

/**
 * The text without lone surrogates and what no XML 1.0 document can hold, not even escaped.
 *
 * @source XML 1.0, "Char"
 */
export function withoutUnprintable(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
  )
}

/** @param content texts are escaped; what is undefined is left out */
export function element(
  name: string,
  attributes: Attributes,
  ...content: (string | Xml | undefined)[]
): Xml {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${escapeSigns(String(value), /[&<>"\r\n\t]/g)}"`)
  const inside = content.map((one) => {
    if (one === undefined) return ''
    return typeof one === 'string' ? escapeSigns(one, /[&<>\r]/g) : one.xml
  })
  const start = `<${name}${written.join('')}`
  const body = inside.join('')
  return { xml: body === '' ? `${start}/>` : `${start}>${body}</${name}>` }
}

export function xmlDocument(root: Xml): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${root.xml}\n`
}

function escapeSigns(text: string, signs: RegExp): string {
  return withoutUnprintable(text).replace(signs, (sign) => ESCAPES[sign] ?? sign)
}
