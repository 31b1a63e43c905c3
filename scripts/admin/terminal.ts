// What the commands write to a terminal and ask there. Names and titles are other people's words:
// nothing in them may move the cursor or turn the direction of the line.
import { createInterface } from 'node:readline/promises'
import { SettingError } from '../../backend/settings/setting-definitions.ts'

/** Control and format characters, but for the two joiners that scripts and emoji need. */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** Text of a person on one line; `-` when nothing is left. */
export function plain(text: string): string {
  return text.replaceAll(UNSAFE, ' ').trim() || '-'
}

export function toLine(cells: string[]): string {
  return cells.map(plain).join('\t')
}

/**
 * Asks for the word `yes`, unless it was said beforehand.
 *
 * @throws SettingError when the answer is another, or nobody is there to ask
 */
export async function confirm(
  question: string,
  { isAgreed }: { isAgreed: boolean },
): Promise<void> {
  if (isAgreed) return
  if (!process.stdin.isTTY) throw new SettingError(`${question} Nobody is here to ask: say --yes`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} Type "yes": `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new SettingError('Nothing was deleted.')
}
