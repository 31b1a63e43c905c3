// The text of a comment: paragraphs, line breaks, `code`, quotations and links, and nothing else;
// and the HTML that pages show of it. One pass over the text, however it is made. The server
// renders a comment again when this file has changed since it was saved.
import { COMMENT_MAX_ELEMENTS, COMMENT_MAX_HTML_CHARS, COMMENT_MAX_LINES } from './comments.ts'
import { truncateAtGrapheme } from './graphemes.ts'
import { endOfAddress, isAddressStart } from './web-addresses.ts'

/** `href` is a whole http or https address; `text` names its host and path. */
export type CommentPiece = string | { code: string } | { href: string; text: string }
/** Pieces of one line. */
export type CommentLine = CommentPiece[]
/** Lines that belong together; a quotation holds paragraphs of its own. */
export type CommentBlock = { lines: CommentLine[] } | { quoted: CommentLine[][] }

const QUOTE = /^>[ \t]?/

/** @param text as it was written, of any length */
export function parseComment(text: string): CommentBlock[] {
  const blocks: CommentBlock[] = []
  let open: CommentLine[] | undefined
  let quoted: CommentLine[][] | undefined
  for (const line of text.replaceAll('\r\n', '\n').split(/[\n\r]/)) {
    const isQuoted = line.startsWith('>')
    const words = isQuoted ? line.replace(QUOTE, '') : line
    if (!isQuoted !== !quoted) {
      quoted = isQuoted ? [] : undefined
      if (quoted) blocks.push({ quoted })
      open = undefined
    }
    if (words.trim() === '') open = undefined
    else if (open) open.push(parseLine(words))
    else {
      open = [parseLine(words)]
      if (quoted) quoted.push(open)
      else blocks.push({ lines: open })
    }
  }
  return blocks.filter((block) => 'lines' in block || block.quoted.length > 0)
}

function parseLine(line: string): CommentLine {
  const pieces: CommentLine = []
  /** From here on nothing closes a sign of code. */
  const lastTick = line.lastIndexOf('`')
  let from = 0
  const put = (piece: CommentPiece, start: number, end: number) => {
    if (start > from) pieces.push(line.slice(from, start))
    pieces.push(piece)
    from = end
  }
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '`' && at < lastTick) {
      const end = line.indexOf('`', at + 1)
      if (end > at + 1) put({ code: line.slice(at + 1, end) }, at, end + 1)
      at = end
    } else if (isAddressStart(line, at)) {
      const end = endOfAddress(line, at)
      const link = linkOf(line.slice(at, end))
      if (link) put(link, at, end)
      at = end - 1
    }
  }
  if (from < line.length) pieces.push(line.slice(from))
  return pieces
}

/** What is shown names the true host, whatever the address makes of itself. */
function linkOf(sent: string): { href: string; text: string } | undefined {
  const url = URL.parse(sent)
  if (!url?.hostname || url.username || url.password) return undefined
  const behind = sent.slice(sent.indexOf('//') + 2)
  const path = behind.slice(behind.search(/[/?#\\]|$/))
  return { href: url.href, text: url.host + (path === '/' ? '' : path) }
}

// --- as HTML

export type RenderedComment = {
  html: string
  /** The limit that the text exceeds; what is behind it is left out. */
  exceeded: 'lines' | 'elements' | 'size' | undefined
}

/** No further than the limits of one comment. */
export function renderComment(text: string): RenderedComment {
  const lines = text.split('\n', COMMENT_MAX_LINES + 1)
  const hasMoreLines = lines.length > COMMENT_MAX_LINES
  const output = new Output()
  const blocks = parseComment(lines.slice(0, COMMENT_MAX_LINES).join('\n'))
  for (const block of blocks)
    if ('lines' in block) output.addParagraph(block.lines)
    else
      output.addElement('<blockquote>', '</blockquote>', () => {
        for (const paragraph of block.quoted) output.addParagraph(paragraph)
      })
  const exceeded = output.exceeded ?? (hasMoreLines ? 'lines' : undefined)
  return { html: output.html + (exceeded ? '<p>…</p>' : ''), exceeded }
}

/** HTML as it grows: adds nothing more once a limit is reached. */
class Output {
  html = ''
  exceeded: 'elements' | 'size' | undefined
  elements = 0

  /** @param addContent adds what is inside */
  addElement(open: string, close: string, addContent: () => void): void {
    if (this.exceeded || !this.hasRoom(open.length + close.length, 1)) return
    this.html += open
    addContent()
    this.html += close
  }
  addParagraph(lines: CommentLine[]): void {
    this.addElement('<p dir="auto">', '</p>', () => {
      for (const [at, line] of lines.entries()) {
        if (at > 0) this.addElement('<br>', '', () => {})
        for (const piece of line) this.addPiece(piece)
      }
    })
  }
  private addPiece(piece: CommentPiece): void {
    if (typeof piece === 'string') this.addText(piece)
    else if ('code' in piece) this.addElement('<code>', '</code>', () => this.addText(piece.code))
    else
      this.addElement(
        `<a class="link" href="${escapeText(piece.href).replaceAll('"', '%22')}" rel="nofollow ugc">`,
        '</a>',
        () => this.addText(piece.text),
      )
  }
  private addText(text: string): void {
    if (this.exceeded) return
    const escaped = escapeText(text)
    if (this.hasRoom(escaped.length, 0)) {
      this.html += escaped
      return
    }
    const room = COMMENT_MAX_HTML_CHARS - this.html.length
    this.html += escapeText(
      truncateAtGrapheme(text, Math.max(0, Math.floor(room / LONGEST_ESCAPE))).toWellFormed(),
    )
  }
  private hasRoom(chars: number, elements: number): boolean {
    this.elements += elements
    if (this.elements > COMMENT_MAX_ELEMENTS) this.exceeded = 'elements'
    else if (this.html.length + chars > COMMENT_MAX_HTML_CHARS) this.exceeded = 'size'
    return this.exceeded === undefined
  }
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const SIGNS = Object.fromEntries(Object.entries(ESCAPES).map(([sign, escaped]) => [escaped, sign]))
const LONGEST_ESCAPE = '&amp;'.length

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (sign) => ESCAPES[sign] ?? sign)
}

/** Rendered HTML without its links: their addresses stay as text. */
export function withoutLinks(html: string): string {
  return html.replace(/<\/?a\b[^>]*>/g, '')
}

/** The words of rendered HTML, or of the beginning of some, on lines as they were written. */
export function renderedText(html: string): string {
  return html
    .replace(/<(?:br|\/p)>/g, '\n')
    .replace(/<[^<>]*(?:>|$)/g, '')
    .replace(/&(?:amp|lt|gt);/g, (escaped) => SIGNS[escaped] ?? '')
    .trim()
}

/** Whether rendered HTML looks other than what was typed. */
export function hasFormatting(html: string): boolean {
  return /<(?:a|code|blockquote)\b/.test(html)
}
