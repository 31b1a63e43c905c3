// What typed signs mean: emphasis by the flanking rules of CommonMark, code, links, starts of
// lines, breaks and fences. Works on the text before the caret.

import { Lexer, type Token, type Tokens } from 'marked'
import { marked } from './markdown-html.ts'

/** `# ` makes the largest heading there is: the page's title is its only `h1`. */
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
/** How many signs stand before the words. */
const SIZES: Record<string, number> = { em: 1, strong: 2, del: 2, link: 1, image: 2 }

export type Format = 'em' | 'strong' | 's' | 'code' | 'a'
/** Where the signs around some words begin and end: `open` and `close` are first and last sign. */
export type Span = {
  format: Format
  open: [from: number, to: number]
  close: [from: number, to: number]
  address?: string
}

/** The signs of an opening fence and the language it names, which may be none. */
export function readFence(line: string): { fence: string; name: string } | undefined {
  const [, fence, name = ''] = FENCE.exec(line) ?? []
  return fence === undefined ? undefined : { fence, name }
}

/**
 * The code before a closing fence, which has the signs of the opening one, or more of them;
 * undefined when the text does not end with one.
 */
export function readFencedCode(text: string, fence: string): string | undefined {
  const [end, signs] = FENCE_END.exec(text) ?? []
  return end !== undefined && signs?.startsWith(fence) ? text.slice(0, -end.length) : undefined
}

/** A line of its own that parts two scenes: three or more of `*`, `-` or `_`. */
export const isThematicBreak = (line: string): boolean => BREAK.test(line)

/**
 * The words whose closing signs were completed by what was typed last. A run of signs is complete
 * with the next sign behind it; backticks and the bracket of a link are at once.
 *
 * @param typed  how many signs at the end of the text are new
 */
export function findCompletedSpan(
  text: string,
  { typed, isLineDone = false }: { typed: number; isLineDone?: boolean },
): Span | undefined {
  const since = text.length - typed
  return findSpans(text, { isDone: isLineDone }).find(({ format, close }) => {
    // The last sign of them completes it, not the end of the line.
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
 * Finds all emphasis and code of a text as in pasted Markdown, in the order in which it closes.
 * Until the text is done, what stands behind an open backtick may become code.
 */
export function findSpans(text: string, { isDone }: { isDone: boolean }): Span[] {
  // Signs without width, at which the editor puts the caret, belong to the word before them.
  const shown = text.replace(/[\uFEFF\u200B]/g, '\u2060')
  const spans: Span[] = []
  let end = text.length
  function read(tokens: readonly Token[], from: number): void {
    let at = from
    for (const token of tokens) {
      const format = FORMATS[token.type]
      const size = token.type === 'codespan' ? runAt(shown, at) : (SIZES[token.type] ?? 0)
      const close = at + token.raw.length
      // Within a word a backtick is an apostrophe.
      const isWord = format === 'code' && /\w/.test(shown[at - 1] ?? '')
      if (format && !isWord)
        spans.push({ format, open: [at, at + size], close: [close - size, close] })
      // An address alone is a link, too: it has no signs.
      if (isLink(token) && token.raw.startsWith('[')) {
        const end = token.tokens.reduce((sum, { raw }) => sum + raw.length, at + 1)
        spans.push({ format: 'a', open: [at, at + 1], close: [end, close], address: token.href })
      }
      if (token.type === 'text' && !isDone) end = Math.min(end, openBacktick(shown, at, close))
      if ('tokens' in token && token.tokens && format !== 'code') read(token.tokens, at + size)
      at = close
    }
  }
  read(new Lexer(marked.defaults).inlineTokens(shown), 0)
  return spans
    .filter(({ close }) => close[1] <= end)
    .sort((one, other) => one.close[0] - other.close[0])
}

function isLink(token: Token): token is Tokens.Link {
  return token.type === 'link'
}

function runAt(text: string, at: number): number {
  return /^`*/.exec(text.slice(at))?.[0].length ?? 0
}

function openBacktick(text: string, from: number, to: number): number {
  const found = /(?<!\w)`+(?=\S)/.exec(text.slice(0, to).slice(from))
  return found ? from + found.index : text.length
}
