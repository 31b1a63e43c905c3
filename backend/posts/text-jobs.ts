// What is made of a stored text besides showing it: the words that the index takes, and how many
// came and went. Runs at once or in a thread (text-work.ts). Knows no database.
import type { RefusalType } from '#contract/errors.ts'
import { plainText } from '#contract/plain-text.ts'
import { countWords, readWords } from '#contract/words.ts'
import { distinctWords, type IndexedWord } from '../search/tokens.ts'
import type { CodeSample } from './code-samples.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'

/** A text that follows the rules, what it is compared with, and whether it is no HTML. */
export type DerivedAsked = { text: string; base: string; isText: boolean }
export type SplitAsked = Omit<DerivedAsked, 'base'>
export type DerivedText = { words: IndexedWord[]; numbers: WordNumbers }

/** One for each sample; null for one that stays as it is. */
export type Highlighted = (string | null)[]

export type TextAsked =
  | { samples: CodeSample[] }
  | { html: string; addresses: AddressNeeds }
  | DerivedAsked
  | SplitAsked
export type CleanAnswer = { clean: string } | { refusal: [type: RefusalType, message: string] }
export type TextAnswer = Highlighted | CleanAnswer | DerivedText | IndexedWord[]

export function deriveText({ base, ...split }: DerivedAsked): DerivedText {
  return { words: splitText(split), numbers: compareWords(base, split.text) }
}

export function splitText({ text, isText }: SplitAsked): IndexedWord[] {
  return distinctWords(isText ? text : plainText(text))
}

export type WordNumbers = { words: number; wordsAdded: number; wordsRemoved: number }

/**
 * How many words a text has, and how many came and went against the one before, wherever they
 * stand: a paragraph that only moved counts for nothing. The cost grows with the texts alone.
 */
export function compareWords(before: string, after: string): WordNumbers {
  if (before === '') {
    const count = countWords(after)
    return { words: count, wordsAdded: count, wordsRemoved: 0 }
  }
  const left = new Map<string, number>()
  for (const word of readWords(before)) left.set(word, (left.get(word) ?? 0) + 1)
  const words = readWords(after)
  let wordsAdded = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count > 0) left.set(word, count - 1)
    else wordsAdded += 1
  }
  let wordsRemoved = 0
  for (const count of left.values()) wordsRemoved += count
  return { words: words.length, wordsAdded, wordsRemoved }
}
