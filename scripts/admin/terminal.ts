// Output and questions of the commands. Names and titles are user input: they must not move the
// cursor or change the writing direction.
import { createInterface } from 'node:readline/promises'
import { SettingError } from '../../backend/settings/setting-definitions.ts'

/** Control and format characters, except the two joiners that scripts and emoji need. */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu

/** Text written by a user, on one line; `-` when nothing is left. */
export function plain(text: string): string {
  return text.replaceAll(UNSAFE, ' ').trim() || '-'
}

export function toLine(cells: string[]): string {
  return cells.map(plain).join('\t')
}

/**
 * Asks for the word `yes`, unless the option --yes was given.
 *
 * @throws SettingError for another answer, or without a terminal to ask in
 */
export async function confirm(
  question: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<void> {
  if (isConfirmed) return
  if (!process.stdin.isTTY) throw new SettingError(`${question} Nobody is here to ask: say --yes`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`${question} Type "yes": `)
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new SettingError('Nothing was deleted.')
}
