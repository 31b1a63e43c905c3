// The text of a comment, taken apart: paragraphs, line breaks, `code`, quotations and links, and
// nothing else. One pass over the text, however it is made.

/** `href` is a whole http or https address; `text` names its host and path. */
export type CommentPiece = string | { code: string } | { href: string; text: string }
/** Pieces of one line. */
export type CommentLine = CommentPiece[]
/** Lines that belong together; a quotation holds paragraphs of its own. */
export type CommentBlock = { lines: CommentLine[] } | { quoted: CommentLine[][] }

const QUOTE = /^>[ \t]?/
const SCHEME = /https?:\/\//iy
/** What ends an address wherever it stands. */
const AFTER_ADDRESS = /[\s<>"`\u201c\u201d\u00ab\u00bb]/
/** What a sentence puts behind an address. */
const TRAILING = ".,;:!?'*_~\u2019\u2026\u3002\u3001\u060c\u061b\u061f"
const CLOSING: Record<string, string> = { ')': '(', ']': '[', '}': '{' }

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
    } else if (isStart(line, at)) {
      const end = endOfAddress(line, at)
      const link = linkOf(line.slice(at, end))
      if (link) put(link, at, end)
      at = end - 1
    }
  }
  if (from < line.length) pieces.push(line.slice(from))
  return pieces
}

function isStart(line: string, at: number): boolean {
  if (line[at] !== 'h' && line[at] !== 'H') return false
  SCHEME.lastIndex = at
  return SCHEME.test(line) && !/[\p{L}\p{N}]/u.test(line[at - 1] ?? '')
}

/** Where the address that begins there ends: before what the sentence around it needs. */
function endOfAddress(line: string, start: number): number {
  let end = start
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 }
  for (; end < line.length && !AFTER_ADDRESS.test(line[end] ?? ''); end++) {
    const sign = line[end] ?? ''
    const opening = CLOSING[sign]
    if (sign in open) open[sign] = (open[sign] ?? 0) + 1
    else if (opening) open[opening] = (open[opening] ?? 0) - 1
  }
  for (; end > start + 1; end--) {
    const last = line[end - 1] ?? ''
    const opening = CLOSING[last]
    // One that nothing in the address opens belongs to the sentence.
    const isOutside = opening !== undefined && (open[opening] ?? 0) < 0
    if (!isOutside && !TRAILING.includes(last)) break
    if (isOutside) open[opening] = (open[opening] ?? 0) + 1
  }
  return end
}

/** What is shown names the true host, whatever the address makes of itself. */
function linkOf(sent: string): { href: string; text: string } | undefined {
  const url = URL.parse(sent)
  if (!url?.hostname || url.username || url.password) return undefined
  const behind = sent.slice(sent.indexOf('//') + 2)
  const path = behind.slice(behind.search(/[/?#\\]|$/))
  return { href: url.href, text: url.host + (path === '/' ? '' : path) }
}
