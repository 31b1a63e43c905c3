// Detects whether a text is Markdown. Prose with a stray asterisk, number sign or underscore is
// not, nor is code. A mark that never occurs in prose is enough on its own; weaker marks count only
// in combination.

import { isThematicBreak } from './typed-markdown.ts'

/** The score at which a text counts as Markdown. */
const MARKDOWN_SCORE_MIN = 2
/** The share of lines at which a text counts as code. */
const CODE_SHARE = 0.3

// Each pattern reads a character a bounded number of times, so that no input makes it slow.
const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/
const TABLE =
  /^(?=[^\n]*\|)[^\n]*\n[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/m
const ADDRESS = String.raw`(?:https?:\/\/|mailto:|\/|\.{1,2}\/|#|www\.|[\w-]+\.(?:md|html?|png|jpe?g|gif|webp))`
const LINK = new RegExp(
  String.raw`!?\[[^\]\n]{0,300}\]\(<?${ADDRESS}[^)\s]*>?(?:\s+["'][^\n]*["'])?\)`,
  'i',
)
const REFERENCE = /^ {0,3}\[[^\]^\n]+\]:\s+<?(?:https?:\/\/|\/|mailto:)\S+/im
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]{1,40}\]: \S/m
const STRONG = /(?<![\w*\\])\*\*(?=[^\s*])(?:[^*\n]*[^\s*\\])?\*\*(?![\w*])/
const STRONG_BY_UNDERSCORES = /(?<![\w_\\])__(?=[^\s_])(?=[^_\n]* )[^_\n]*[^\s_]__(?![\w_])/
const STRIKETHROUGH = /(?<![\w~\\])~~(?=[^\s~])[^~\n]*[^\s~]~~(?![\w~])/
const CODE = /(?<![`\\\w])`(?=[^\s`])[^`\n]*[^\s`]`(?![`\w])|(?<![`\\\w])`[^\s`]`(?![`\w])/
const EMPHASIS = /(?<![\w*\\])\*(?=[^\s*])[^*\n]*[^\s*]\*(?![\w*])/
const EMPHASIS_BY_UNDERSCORES = /(?<![\w_\\/])_(?=[^\s_])[^_\n]*[^\s_]_(?![\w_])/
const TASK = /^\s*[-*+] \[[ xX]\] \S/
const ITEM = /^\s{0,12}([-*+]|\d{1,3}[.)]) +\S/
const QUOTE = /^ {0,3}> ?\S/
const QUOTE_WITH_SPACE = /^ {0,3}> \S/

/**
 * The beginnings of texts in other formats and programming languages that share marks with
 * Markdown.
 */
const OTHER_FORMAT_START =
  /^\s*(?:<(?:!doctype|html|\?xml|\?php|svg)\b|\{\\rtf|%!PS|diff --git |@@ -|\/\*|#!|[{[]\s*["{[\]}])/i
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:import|export|from|const|let|var|function|def|class|return|public|private|#include|#define|package|using|fn|func|if \(|for \(|while \(|\}|\/\/|\/\*|\*\/|<\/?[a-z][\w-]*(?:\s[^>]*)?>$|\$ )|=>\s*$|^\s*[\w.-]+\(.*\)\s*$|^\s*(?:- )?[\w.-]+:(?:\s+\S+)?$/

/** Whether the writer probably meant the text as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  const normalised = text.replace(/\r\n?/g, '\n')
  const lines = normalised.split('\n')
  if (hasClosedFence(lines)) return true
  if (OTHER_FORMAT_START.test(normalised) || isCode(normalised)) return false
  if (TABLE.test(normalised)) return true
  return scoreLineStarts(lines) + scoreWithinLines(normalised) >= MARKDOWN_SCORE_MIN
}

/** A closing fence is a line of its own, with at least as many characters as the opening one. */
function hasClosedFence(lines: readonly string[]): boolean {
  const shortestOpening = new Map<string, number>()
  for (const line of lines) {
    const [, marker = '', rest = ''] = FENCE.exec(line) ?? []
    const [character] = marker
    if (character === undefined) continue
    const opening = shortestOpening.get(character) ?? Number.POSITIVE_INFINITY
    if (rest.trim() === '' && marker.length >= opening) return true
    shortestOpening.set(character, Math.min(opening, marker.length))
  }
  return false
}

function isCode(text: string): boolean {
  const filledLines = text.split('\n').filter((line) => line.trim() !== '')
  const code = filledLines.filter((line) => CODE_LINE.test(line) && !TASK.test(line))
  return filledLines.length > 1 && code.length / filledLines.length >= CODE_SHARE
}

/** The points for marks within lines. */
function scoreWithinLines(text: string): number {
  const sureCount = [LINK, REFERENCE, FOOTNOTE, STRONG, STRIKETHROUGH, CODE].filter((pattern) =>
    pattern.test(text),
  ).length
  const likelyCount = [EMPHASIS, EMPHASIS_BY_UNDERSCORES, STRONG_BY_UNDERSCORES].filter((pattern) =>
    pattern.test(text),
  ).length
  return MARKDOWN_SCORE_MIN * sureCount + likelyCount
}

/** The points for marks at the start of lines. */
function scoreLineStarts(lines: readonly string[]): number {
  let points = 0
  let hasWeakHeading = false
  const lastFilledIndex = lines.findLastIndex((line) => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    const previous = lines[index - 1]?.trim() ?? ''
    const next = lines[index + 1]?.trim() ?? ''
    const heading = scoreHeading(line, { previous, next, isLast: index >= lastFilledIndex })
    // Counted once: several of them are probably comments in a script.
    if (heading === 1) hasWeakHeading = true
    else points += heading
    if (TASK.test(line)) points += MARKDOWN_SCORE_MIN
    else if (isNextItem(lines[index - 1] ?? '', line)) points += MARKDOWN_SCORE_MIN
    if (QUOTE.test(line))
      points +=
        QUOTE.test(previous) || (QUOTE_WITH_SPACE.test(line) && previous === '')
          ? MARKDOWN_SCORE_MIN
          : 1
    if (
      isSceneBreak(line, { previous, next, isLast: index >= lastFilledIndex }) &&
      lastFilledIndex > 0
    )
      points += MARKDOWN_SCORE_MIN
    if (/^ {0,3}={3,}\s*$/.test(line) && previous !== '') points += MARKDOWN_SCORE_MIN
    if (/^ {0,3}-{3,}\s*$/.test(line) && previous !== '' && next === '' && !previous.includes(':'))
      points += 1
  }
  return points + (hasWeakHeading ? 1 : 0)
}

type Neighbours = { previous: string; next: string; isLast: boolean }

/**
 * Whether the line is a break between two paragraphs, before the first or after the last one.
 * Dashes directly below a line make that line a heading instead.
 */
function isSceneBreak(line: string, { previous, next, isLast }: Neighbours): boolean {
  if (!isThematicBreak(line)) return false
  return !line.includes('-') || (previous === '' && (next === '' || isLast))
}

/** A lone `# ` gets fewer points, because it also occurs in prose and in scripts. */
function scoreHeading(line: string, { previous, next, isLast }: Neighbours): number {
  const [, marker] = /^ {0,3}(#{1,6}) +\S/.exec(line) ?? []
  if (!marker || previous.startsWith('#') || (next.startsWith('# ') && marker.length === 1))
    return 0
  if (marker.length > 1) return MARKDOWN_SCORE_MIN
  return previous === '' && next === '' && !isLast ? MARKDOWN_SCORE_MIN : 1
}

/** Whether two lines are consecutive items, of the same kind and in order. */
function isNextItem(previous: string, line: string): boolean {
  const [, first = ''] = ITEM.exec(previous) ?? []
  const [, second = ''] = ITEM.exec(line) ?? []
  if (!first || !second) return false
  const [firstNumber, secondNumber] = [first, second].map((marker) => Number.parseInt(marker, 10))
  if (Number.isNaN(firstNumber)) return first === second || /^\s+/.test(line)
  return firstNumber === 1 ? secondNumber === 1 || secondNumber === 2 : Number.isNaN(secondNumber)
}
