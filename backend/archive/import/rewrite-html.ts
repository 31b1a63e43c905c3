// Finds and replaces the pictures and links in the HTML of an export, tag by tag: everything else
// of the text stays as it is, and the sanitiser cleans it afterwards.
import { Parser } from 'htmlparser2'
import { escapeHtml } from '#contract/plain-text.ts'

export type Attributes = Record<string, string>

type Rewriting = {
  /** @returns the new attributes; undefined leaves the picture as it is, null only its words */
  picture(attributes: Attributes): Attributes | null | undefined
  /** @returns the new address; undefined leaves the link as it is */
  link(href: string): string | undefined
}

const HAS_TARGET = /<(?:img|a)\s/i

/** @returns the HTML with other pictures and links */
export function rewriteHtml(html: string, { picture, link }: Rewriting): string {
  if (!HAS_TARGET.test(html)) return html
  const pieces: string[] = []
  let from = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const tag = rewriteTag(name, attributes)
        if (tag === undefined) return
        pieces.push(html.slice(from, parser.startIndex), tag)
        from = parser.endIndex + 1
      },
    },
    { decodeEntities: true, recognizeSelfClosing: false },
  )
  const rewriteTag = (name: string, attributes: Attributes): string | undefined => {
    if (name === 'img') {
      const changed = picture(attributes)
      return changed === null
        ? escapeHtml(attributes.alt ?? '')
        : changed && writeTag(name, changed)
    }
    const href = name === 'a' && attributes.href ? link(attributes.href) : undefined
    return href === undefined ? undefined : writeTag(name, { ...attributes, href })
  }
  parser.write(html)
  parser.end()
  pieces.push(html.slice(from))
  return pieces.join('')
}

function writeTag(name: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${written.join('')}>`
}

/** The addresses of the pictures and links in a text, in their order. */
export function findAddresses(html: string): { pictures: string[]; links: string[] } {
  const pictures: string[] = []
  const links: string[] = []
  rewriteHtml(html, {
    picture: ({ src }) => void (src && pictures.push(src)),
    link: (href) => void links.push(href),
  })
  return { pictures, links }
}

const BLOCKS = new Set(['p', 'div', 'blockquote', 'ul', 'ol', 'pre', 'h1', 'h2', 'h3', 'h4'])

const UNSEEN = new Set(['script', 'style', 'template', 'iframe', 'textarea'])

/** The HTML of a comment as text with lines, quotations, code and addresses. */
export function toCommentText(html: string): string {
  let text = ''
  let quotes = 0
  // WordPress makes lines of line breaks when it shows a comment.
  const hasLines = !/<(?:p|br|div)\b/i.test(html)
  const hrefs: string[] = []
  let hidden = 0
  const write = (piece: string) => {
    if (hidden > 0) return
    const isLineStart = text === '' || text.endsWith('\n')
    const quoted = quotes > 0 ? piece.replace(/\n(?=.)/g, '\n> ') : piece
    text += isLineStart && quotes > 0 && piece.trim() !== '' ? `> ${quoted}` : quoted
  }
  const endBlock = () => {
    text = text.trimEnd()
    if (text !== '') text += '\n\n'
  }
  const parser = new Parser({
    onopentag(name, { href = '' }) {
      if (UNSEEN.has(name)) hidden++
      if (name === 'br') text = `${text.trimEnd()}\n`
      else if (name === 'li') text = text === '' ? '- ' : `${text.trimEnd()}\n- `
      else if (name === 'code') write('`')
      else if (BLOCKS.has(name)) endBlock()
      if (name === 'blockquote') quotes++
      if (name === 'a') hrefs.push(href)
    },
    ontext: (piece) => write(hasLines ? piece : piece.replace(/\s+/g, ' ')),
    onclosetag(name) {
      if (UNSEEN.has(name)) hidden--
      if (name === 'code') write('`')
      if (name === 'a') {
        const href = hrefs.pop() ?? ''
        if (/^https?:/i.test(href) && !text.trimEnd().endsWith(href)) write(` ${href} `)
      }
      if (BLOCKS.has(name)) endBlock()
      if (name === 'blockquote') quotes = Math.max(0, quotes - 1)
    },
  })
  parser.write(html)
  parser.end()
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trim()
}
