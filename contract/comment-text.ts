// The text of a comment, taken apart: paragraphs, line breaks, `code`, quotations and links, and
// nothing else. One pass over the text, however it is made.
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

/** Whether it would look other than it was typed. */
export function hasMarks(blocks: CommentBlock[]): boolean {
  return blocks.some(
    (block) => 'quoted' in block || block.lines.some((line) => line.some(isNoText)),
  )
}

function isNoText(piece: CommentPiece): boolean {
  return typeof piece !== 'string'
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
