// Detects whether a text is Markdown. Prose with a stray asterisk, number sign or underscore is
// not, nor is code: marks that prose never has suffice alone, others only together.

import { isThematicBreak } from './typed-markdown.ts'

/** Points from which on a text counts as Markdown. */
const ENOUGH = 2
/** The share of lines from which on a text counts as code. */
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
const STRONG = /(?<![\w*\\])\*\*(?=[^\s*])(?:[^*\n]*[^\s*\\])?\*\*(?![\w*])/
const STRONG_BY_UNDERSCORES = /(?<![\w_\\])__(?=[^\s_])(?=[^_\n]* )[^_\n]*[^\s_]__(?![\w_])/
const STRIKETHROUGH = /(?<![\w~\\])~~(?=[^\s~])[^~\n]*[^\s~]~~(?![\w~])/
const CODE = /(?<![`\\\w])`(?=[^\s`])[^`\n]*[^\s`]`(?![`\w])|(?<![`\\\w])`[^\s`]`(?![`\w])/
const EMPHASIS = /(?<![\w*\\])\*(?=[^\s*])[^*\n]*[^\s*]\*(?![\w*])/
const EMPHASIS_BY_UNDERSCORES = /(?<![\w_\\/])_(?=[^\s_])[^_\n]*[^\s_]_(?![\w_])/
const TASK = /^\s*[-*+] \[[ xX]\] \S/
const ITEM = /^\s{0,12}([-*+]|\d{1,3}[.)]) +\S/
const QUOTE = /^ {0,3}> ?\S/
const QUOTATION = /^ {0,3}> \S/

/** Beginnings of texts in other languages that share marks with Markdown. */
const FOREIGN =
  /^\s*(?:<(?:!doctype|html|\?xml|\?php|svg)\b|\{\\rtf|%!PS|diff --git |@@ -|\/\*|#!|[{[]\s*["{[\]}])/i
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:import|export|from|const|let|var|function|def|class|return|public|private|#include|#define|package|using|fn|func|if \(|for \(|while \(|\}|\/\/|\/\*|\*\/|<\/?[a-z][\w-]*(?:\s[^>]*)?>$|\$ )|=>\s*$|^\s*[\w.-]+\(.*\)\s*$|^\s*(?:- )?[\w.-]+:(?:\s+\S+)?$/

/** True if its writer probably meant the text as Markdown. */
export function looksLikeMarkdown(text: string): boolean {
  const normalised = text.replace(/\r\n?/g, '\n')
  const lines = normalised.split('\n')
  if (hasClosedFence(lines)) return true
  if (FOREIGN.test(normalised) || isCode(normalised)) return false
  if (TABLE.test(normalised)) return true
  return scoreLineStarts(lines) + scoreWithinLines(normalised) >= ENOUGH
}

/** A closing fence is a line of its own, with at least as many signs as the opening one. */
function hasClosedFence(lines: readonly string[]): boolean {
  const shortestOpening = new Map<string, number>()
  for (const line of lines) {
    const [, signs = '', rest = ''] = FENCE.exec(line) ?? []
    const [sign] = signs
    if (sign === undefined) continue
    const opening = shortestOpening.get(sign) ?? Number.POSITIVE_INFINITY
    if (rest.trim() === '' && signs.length >= opening) return true
    shortestOpening.set(sign, Math.min(opening, signs.length))
  }
  return false
}

function isCode(text: string): boolean {
  const filledLines = text.split('\n').filter((line) => line.trim() !== '')
  const code = filledLines.filter((line) => CODE_LINE.test(line) && !TASK.test(line))
  return filledLines.length > 1 && code.length / filledLines.length >= CODE_SHARE
}

/** The points of marks within lines. */
function scoreWithinLines(text: string): number {
  const sure = [LINK, REFERENCE, STRONG, STRIKETHROUGH, CODE].filter((sign) =>
    sign.test(text),
  ).length
  const likely = [EMPHASIS, EMPHASIS_BY_UNDERSCORES, STRONG_BY_UNDERSCORES].filter((sign) =>
    sign.test(text),
  )
  return ENOUGH * sure + likely.length
}

/** The points of marks at the start of lines. */
function scoreLineStarts(lines: readonly string[]): number {
  let points = 0
  let hasLooseHeading = false
  const lastAt = lines.findLastIndex((line) => line.trim() !== '')
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]?.trim() ?? ''
    const after = lines[index + 1]?.trim() ?? ''
    const heading = scoreHeading(line, { before, after, isLast: index >= lastAt })
    // Counted once: several of them are probably comments of a script.
    if (heading === 1) hasLooseHeading = true
    else points += heading
    if (TASK.test(line)) points += ENOUGH
    else if (isNextItem(lines[index - 1] ?? '', line)) points += ENOUGH
    if (QUOTE.test(line))
      points += QUOTE.test(before) || (QUOTATION.test(line) && before === '') ? ENOUGH : 1
    if (isSceneBreak(line, { before, after, isLast: index >= lastAt }) && lastAt > 0)
      points += ENOUGH
    if (/^ {0,3}={3,}\s*$/.test(line) && before !== '') points += ENOUGH
    if (/^ {0,3}-{3,}\s*$/.test(line) && before !== '' && after === '' && !before.includes(':'))
      points += 1
  }
  return points + (hasLooseHeading ? 1 : 0)
}

type Around = { before: string; after: string; isLast: boolean }

/**
 * A break between two paragraphs, or before the first or after the last one. Dashes right below a
 * line make it a heading.
 */
function isSceneBreak(line: string, { before, after, isLast }: Around): boolean {
  if (!isThematicBreak(line)) return false
  return !line.includes('-') || (before === '' && (after === '' || isLast))
}

/** A lone `# ` also occurs in prose and in scripts. */
function scoreHeading(line: string, { before, after, isLast: isEnd }: Around): number {
  const [, signs] = /^ {0,3}(#{1,6}) +\S/.exec(line) ?? []
  if (!signs || before.startsWith('#') || (after.startsWith('# ') && signs.length === 1)) return 0
  if (signs.length > 1) return ENOUGH
  return before === '' && after === '' && !isEnd ? ENOUGH : 1
}

/** Two consecutive items of the same kind and in order. */
function isNextItem(before: string, line: string): boolean {
  const [, first = ''] = ITEM.exec(before) ?? []
  const [, second = ''] = ITEM.exec(line) ?? []
  if (!first || !second) return false
  const [firstNumber, secondNumber] = [first, second].map((sign) => Number.parseInt(sign, 10))
  if (Number.isNaN(firstNumber)) return first === second || /^\s+/.test(line)
  return firstNumber === 1 ? secondNumber === 1 || secondNumber === 2 : Number.isNaN(secondNumber)
}
