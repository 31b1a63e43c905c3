// Parses the text of a comment (paragraphs, line breaks, `code`, quotations and links, nothing
// else) and renders it as HTML, in time linear in its length. The server re-renders a comment
// when this file has changed since the comment was saved.
import { COMMENT_MAX_ELEMENTS, COMMENT_MAX_HTML_CHARS, COMMENT_MAX_LINES } from './comments.ts'
import { truncateAtGrapheme } from './graphemes.ts'
import { endOfAddress, isAddressStart } from './web-addresses.ts'

/** `href` is an absolute http or https URL; `text` shows its host and path. */
export type CommentPiece = string | { code: string } | { href: string; text: string }
/** Pieces of one line. */
export type CommentLine = CommentPiece[]
/** Lines that belong together; a quotation holds paragraphs of its own. */
export type CommentBlock = { lines: CommentLine[] } | { quoted: CommentLine[][] }

const QUOTE = /^>[ \t]?/

/** @param text as it was written, of any length */
export function parseComment(text: string): CommentBlock[] {
  const blocks: CommentBlock[] = []
  let paragraph: CommentLine[] | undefined
  let quoted: CommentLine[][] | undefined
  for (const line of text.replaceAll('\r\n', '\n').split(/[\n\r]/)) {
    const isQuoted = line.startsWith('>')
    const words = isQuoted ? line.replace(QUOTE, '') : line
    if (!isQuoted !== !quoted) {
      quoted = isQuoted ? [] : undefined
      if (quoted) blocks.push({ quoted })
      paragraph = undefined
    }
    if (words.trim() === '') paragraph = undefined
    else if (paragraph) paragraph.push(parseLine(words))
    else {
      paragraph = [parseLine(words)]
      if (quoted) quoted.push(paragraph)
      else blocks.push({ lines: paragraph })
    }
  }
  return blocks.filter((block) => 'lines' in block || block.quoted.length > 0)
}

function parseLine(line: string): CommentLine {
  const pieces: CommentLine = []
  /** A backtick at or after this index has no closing one. */
  const lastTick = line.lastIndexOf('`')
  let from = 0
  const put = (piece: CommentPiece, start: number, end: number) => {
    if (start > from) pieces.push(line.slice(from, start))
    pieces.push(piece)
    from = end
  }
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '`' && index < lastTick) {
      const end = line.indexOf('`', index + 1)
      if (end > index + 1) put({ code: line.slice(index + 1, end) }, index, end + 1)
      index = end
    } else if (isAddressStart(line, index)) {
      const end = endOfAddress(line, index)
      const link = linkOf(line.slice(index, end))
      if (link) put(link, index, end)
      index = end - 1
    }
  }
  if (from < line.length) pieces.push(line.slice(from))
  return pieces
}

/** The shown text begins with the real host, even if the URL is written to hide it. */
function linkOf(written: string): { href: string; text: string } | undefined {
  const url = URL.parse(written)
  if (!url?.hostname || url.username || url.password) return undefined
  const afterScheme = written.slice(written.indexOf('//') + 2)
  const path = afterScheme.slice(afterScheme.search(/[/?#\\]|$/))
  return { href: url.href, text: url.host + (path === '/' ? '' : path) }
}

// --- as HTML

export type RenderedComment = {
  html: string
  /** The limit that the text exceeds; the rest of the text is left out. */
  exceeded: 'lines' | 'elements' | 'size' | undefined
}

/** Stops at the limits of one comment. */
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

/** Collects HTML, and ignores everything once a limit is reached. */
class Output {
  html = ''
  exceeded: 'elements' | 'size' | undefined
  elements = 0

  /** @param addContent adds the content of the element */
  addElement(open: string, close: string, addContent: () => void): void {
    if (this.exceeded || !this.hasRoom(open.length + close.length, 1)) return
    this.html += open
    addContent()
    this.html += close
  }
  addParagraph(lines: CommentLine[]): void {
    this.addElement('<p dir="auto">', '</p>', () => {
      for (const [index, line] of lines.entries()) {
        if (index > 0) this.addElement('<br>', '', () => {})
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
const UNESCAPED = Object.fromEntries(
  Object.entries(ESCAPES).map(([character, escaped]) => [escaped, character]),
)
const LONGEST_ESCAPE = '&amp;'.length

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character)
}

/** Rendered HTML without its links: their text stays. */
export function withoutLinks(html: string): string {
  return html.replace(/<\/?a\b[^>]*>/g, '')
}

/** The plain text, line by line, of rendered HTML, which may be cut off. */
export function renderedText(html: string): string {
  return html
    .replace(/<(?:br|\/p)>/g, '\n')
    .replace(/<[^<>]*(?:>|$)/g, '')
    .replace(/&(?:amp|lt|gt);/g, (escaped) => UNESCAPED[escaped] ?? '')
    .trim()
}

/** Whether rendered HTML has more than plain text and line breaks. */
export function hasFormatting(html: string): boolean {
  return /<(?:a|code|blockquote)\b/.test(html)
}
