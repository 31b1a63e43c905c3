// Parses typed Markdown in the text before the caret: emphasis by the flanking rules of CommonMark,
// code, links, starts of lines, thematic breaks and fences.

import { Lexer, type Token, type Tokens } from 'marked'
import { marked } from './markdown-html.ts'

/** `# ` is an `h2`, the largest heading in a post: the page's title is its only `h1`. */
export const LINE_STARTS: Record<string, string> = {
  '# ': 'h2',
  '## ': 'h2',
  '### ': 'h3',
  '#### ': 'h4',
  '##### ': 'h4',
  '###### ': 'h4',
  '1. ': 'ol',
  '* ': 'ul',
  '- ': 'ul',
  '> ': 'blockquote',
}

const FENCE = /^(`{3,}|~{3,})\s*([\w+#.-]*)\s*$/
const FENCE_END = /(?:^|\n)(`{3,}|~{3,})[ \t]*$/
const BREAK = /^ {0,3}([*_-]) *(?:\1 *){2,}$/
const FORMATS: Record<string, Format> = {
  em: 'em',
  strong: 'strong',
  del: 's',
  codespan: 'code',
}
/** The number of marker characters before the words. */
const SIZES: Record<string, number> = { em: 1, strong: 2, del: 2, link: 1, image: 2 }

export type Format = 'em' | 'strong' | 's' | 'code' | 'a'
/** The positions of the opening and the closing markers around some words. */
export type Span = {
  format: Format
  open: [from: number, to: number]
  close: [from: number, to: number]
  address?: string
}

/** The characters of an opening fence, and its language, which may be "". */
export function readFence(line: string): { fence: string; name: string } | undefined {
  const [, fence, name = ''] = FENCE.exec(line) ?? []
  return fence === undefined ? undefined : { fence, name }
}

/**
 * The code before a closing fence, which is at least as long as the opening one; undefined if the
 * text does not end with one.
 */
export function readFencedCode(text: string, fence: string): string | undefined {
  const [end, closingFence] = FENCE_END.exec(text) ?? []
  return end !== undefined && closingFence?.startsWith(fence)
    ? text.slice(0, -end.length)
    : undefined
}

/** A thematic break: three or more of `*`, `-` or `_`. */
export const isThematicBreak = (line: string): boolean => BREAK.test(line)

/**
 * The words whose closing marker was completed by the last typed text. A run of the same character
 * is complete when a different one follows; backticks and the bracket of a link are complete at
 * once.
 *
 * @param typed the number of new characters at the end of the text
 */
export function findCompletedSpan(
  text: string,
  { typed, isLineDone = false }: { typed: number; isLineDone?: boolean },
): Span | undefined {
  const since = text.length - typed
  return findSpans(text, { isDone: isLineDone }).find(({ format, close }) => {
    // The last character completes code and links, not the end of the line.
    if (format === 'code' || format === 'a') return close[1] > since
    const end = endOfRun(text, close)
    return end >= since && (isLineDone || end < text.length)
  })
}

function endOfRun(text: string, [from]: Span['close']): number {
  let end = from
  while (text[end] === text[from]) end++
  return end
}

/**
 * Finds all emphasis, code and links in a text, by the rules for pasted Markdown and in the order
 * of the closing markers. Until the line is complete, text after an open backtick may still become
 * code.
 */
export function findSpans(text: string, { isDone }: { isDone: boolean }): Span[] {
  // The zero-width characters at which the editor puts the caret belong to the word before them.
  const shown = text.replace(/[\uFEFF\u200B]/g, '\u2060')
  const spans: Span[] = []
  let end = text.length
  function read(tokens: readonly Token[], from: number): void {
    let position = from
    for (const token of tokens) {
      const format = FORMATS[token.type]
      const size = token.type === 'codespan' ? runAt(shown, position) : (SIZES[token.type] ?? 0)
      const close = position + token.raw.length
      // Within a word a backtick is an apostrophe.
      const isWord = format === 'code' && /\w/.test(shown[position - 1] ?? '')
      if (format && !isWord)
        spans.push({ format, open: [position, position + size], close: [close - size, close] })
      // A bare address is a link, too, but has no markers.
      if (isLink(token) && token.raw.startsWith('[')) {
        const end = token.tokens.reduce((sum, { raw }) => sum + raw.length, position + 1)
        spans.push({
          format: 'a',
          open: [position, position + 1],
          close: [end, close],
          address: token.href,
        })
      }
      if (token.type === 'text' && !isDone)
        end = Math.min(end, openBacktick(shown, position, close))
      if ('tokens' in token && token.tokens && format !== 'code')
        read(token.tokens, position + size)
      position = close
    }
  }
  read(new Lexer(marked.defaults).inlineTokens(shown), 0)
  return spans
    .filter(({ close }) => close[1] <= end)
    .sort((first, second) => first.close[0] - second.close[0])
}

function isLink(token: Token): token is Tokens.Link {
  return token.type === 'link'
}

function runAt(text: string, position: number): number {
  return /^`*/.exec(text.slice(position))?.[0].length ?? 0
}

function openBacktick(text: string, from: number, to: number): number {
  const match = /(?<!\w)`+(?=\S)/.exec(text.slice(0, to).slice(from))
  return match ? from + match.index : text.length
}
