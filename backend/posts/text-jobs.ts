// What is made of a stored text besides showing it: the words that the index takes, and how many
// came and went. Runs at once or in a thread (text-work.ts). Knows no database.
import type { RefusalType } from '#contract/errors.ts'
import { plainText } from '#contract/plain-text.ts'
import { distinctWords, type IndexedWord } from '../search/tokens.ts'
import type { CodeSample } from './code-samples.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'
import { compareWords, type WordNumbers } from './versions-text.ts'

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
