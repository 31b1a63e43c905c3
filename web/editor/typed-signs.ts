// What typed signs mean: emphasis by the flanking rules of CommonMark, code, links, starts of
// lines, breaks and fences. Works on the text before the caret; knows no editor.

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
const LINK = /(!?)\[([^[\]\n]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)$/
/** Escaped signs, addresses and runs of signs; nothing in an address is a sign. */
const SIGNS = /\\[^\w\s]|(?:https?:\/\/|www\.)\S*[^\s*_~.,:;!?)\]]|`+|\*+|_+|~+/g
const PUNCTUATION = /[\p{P}\p{S}]/u
const INVISIBLE = /[\uFEFF\u200B]/

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
export function readFenced(text: string, fence: string): string | undefined {
  const [end, signs] = FENCE_END.exec(text) ?? []
  return end !== undefined && signs?.startsWith(fence) ? text.slice(0, -end.length) : undefined
}

/** A line of its own that parts two scenes: three or more of `*`, `-` or `_`. */
export const isBreak = (line: string): boolean => BREAK.test(line)

/**
 * The words whose closing signs were completed by what was typed last. A run of signs is complete
 * with the next sign behind it; backticks and the bracket of a link are at once.
 *
 * @param typed  how many signs at the end of the text are new
 */
export function findTyped(
  text: string,
  { typed, isLineDone = false }: { typed: number; isLineDone?: boolean },
): Span | undefined {
  const since = text.length - typed
  return (
    // The bracket completes it, not the end of the line.
    (typed > 0 ? findLink(text) : undefined) ??
    findSpans(text, { isDone: isLineDone }).find(({ format, close }) => {
      if (format === 'code') return close[1] > since
      const end = endOfRun(text, close)
      return end >= since && (isLineDone || end < text.length)
    })
  )
}

function findLink(text: string): Span | undefined {
  const found = LINK.exec(text)
  const [, isImage, words = '', address] = found ?? []
  if (!found || isImage || !address) return undefined
  const close = found.index + 1 + words.length
  return {
    format: 'a',
    open: [found.index, found.index + 1],
    close: [close, text.length],
    address,
  }
}

function endOfRun(text: string, [from]: Span['close']): number {
  let end = from
  while (text[end] === text[from]) end++
  return end
}

type Run = { sign: string; at: number; left: number; length: number; canClose: boolean }

/**
 * All emphasis and code of a text, in the order in which it closes; until the text is done, what
 * stands behind an open backtick may become code.
 *
 * @source CommonMark 0.31, "Emphasis and strong emphasis", "Code spans"; GFM "Strikethrough", of
 *   which only two tildes count: one is "about". Backticks keep the flanking rules, too, so that
 *   two of them in prose stay.
 */
export function findSpans(text: string, { isDone }: { isDone: boolean }): Span[] {
  const spans: Span[] = []
  let openers: Run[] = []
  let codeEnd = 0
  for (const { 0: signs, index: at } of text.matchAll(SIGNS)) {
    const [sign = ''] = signs
    if (at < codeEnd || !/[*_~`]/.test(sign)) continue
    const { canOpen, canClose } = flank(text, at, signs.length)
    if (sign === '`') {
      const close = canOpen ? findCodeEnd(text, at + signs.length, signs.length) : undefined
      if (close) spans.push({ format: 'code', open: [at, at + signs.length], close })
      else if (canOpen && !isDone) break
      codeEnd = close?.[1] ?? 0
      continue
    }
    const run: Run = { sign, at, left: signs.length, length: signs.length, canClose }
    while (canClose && run.left > 0) {
      const opener = openers.findLast((one) => matches(one, run, canOpen))
      if (!opener) break
      const size = Math.min(opener.left, run.left, 2)
      const from = at + run.length - run.left
      run.left -= size
      opener.left -= size
      const first = opener.at + opener.left
      const format = sign === '~' ? 's' : size === 2 ? 'strong' : 'em'
      spans.push({ format, open: [first, first + size], close: [from, from + size] })
      openers = openers.slice(0, openers.indexOf(opener) + (opener.left > 0 ? 1 : 0))
    }
    if (canOpen && run.left > 0) openers.push(run)
  }
  return spans
}

/** The next run of as many backticks that can close. */
function findCodeEnd(text: string, from: number, length: number): Span['close'] | undefined {
  for (const { 0: signs, index } of text.slice(from).matchAll(/`+/g)) {
    const at = from + index
    if (signs.length === length && flank(text, at, length).canClose) return [at, at + length]
  }
  return undefined
}

function matches(opener: Run, closer: Run, canOpen: boolean): boolean {
  if (opener.sign !== closer.sign) return false
  if (opener.sign === '~') return opener.left === 2 && closer.left === 2
  const total = opener.length + closer.length
  return !(opener.canClose || canOpen) || total % 3 !== 0 || opener.length % 3 === 0
}

function flank(text: string, at: number, length: number) {
  const before = kindOf(neighbour(text, at, -1))
  const after = kindOf(neighbour(text, at + length - 1, 1))
  const isLeft = after === 'word' || (after === 'punctuation' && before !== 'word')
  const isRight = before === 'word' || (before === 'punctuation' && after !== 'word')
  // Within a word an underscore is a letter, and a backtick an apostrophe.
  const isStrict = /[_`]/.test(text[at] ?? '')
  return {
    canOpen: isLeft && (!isStrict || !isRight || before === 'punctuation'),
    canClose: isRight && (!isStrict || !isLeft || after === 'punctuation'),
  }
}

/** The next visible sign in a direction; signs outside the first plane are two. */
function neighbour(text: string, at: number, step: 1 | -1): string {
  let next = at + step
  while (INVISIBLE.test(text[next] ?? '')) next += step
  const isHalf = /[\uDC00-\uDFFF]/.test(text[next] ?? '') && step === -1
  return String.fromCodePoint(text.codePointAt(isHalf ? next - 1 : next) ?? 0x20)
}

function kindOf(sign: string): 'space' | 'punctuation' | 'word' {
  if (/\s/.test(sign)) return 'space'
  return PUNCTUATION.test(sign) ? 'punctuation' : 'word'
}
