// Work on texts in threads of its own, one for code to highlight and one for all else, each one
// piece after the other; people take turns. Short texts are worked on at once: handing them over
// costs more. Inside a transaction nothing waits here: it holds what all others write to.
import { Refusal, type RefusalType } from '#contract/errors.ts'
import { countWords, plainText, readWords } from '#contract/plain-text.ts'
import { insideTransaction } from '../database/transaction.ts'
import { makeBoundedQueue, QueueFull } from '../process/bounded-queue.ts'
import { makeWorkThread } from '../process/work-thread.ts'
import { foldWords } from '../search/fold.ts'
import { invalidContent } from './sanitise.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'

/**
 * `tooLong`: the samples took more than they may, and would again. `busy`: too much waits, of all
 * or of this author, or the thread does not start.
 */
export type HighlightAnswer = Highlighted | 'tooLong' | 'busy'
export type TextWork = ReturnType<typeof makeTextWork>

/** Longer texts are worked on in a thread. */
export const TEXT_AT_ONCE_MAX_CHARS = 16_000
/** Then the thread is ended, and the code stays plain. */
const HIGHLIGHT_MAX_MS = 2000
const TEXT_MAX_MS = 20_000
/** Of all, and of one person. */
export const TEXTS_WAITING_MAX = 128
export const TEXTS_WAITING_PER_AUTHOR_MAX = 24

const THREAD = new URL('./text-thread.ts', import.meta.url)
const MEMORY_MB = 256
/** Then the idle thread ends. */
const IDLE_MS = 30_000
const WAIT_MAX_MS = 10_000

/** Too long to be worked on here, unless a transaction would wait for it. */
export function isForThread(...texts: string[]): boolean {
  const chars = texts.reduce((sum, text) => sum + text.length, 0)
  return chars > TEXT_AT_ONCE_MAX_CHARS && !insideTransaction.getStore()
}

/**
 * Of each `key`, a person, only a few pieces wait.
 *
 * @param highlightMs how long the samples of one post may take; a test hands in less
 * @throws (each, but `highlight`) Refusal `general_service_disabled` when too much waits
 */
export function makeTextWork({ highlightMs = HIGHLIGHT_MAX_MS } = {}) {
  const runCode = makeQueuedThread(highlightMs)
  const runText = makeQueuedThread(TEXT_MAX_MS)
  async function run(asked: TextAsked, key: string): Promise<TextAnswer> {
    const done = await runText(asked, key)
    if (done === 'tooLong') throw invalidContent('format', 'Working on it takes too long')
    if (done === 'busy') throw new QueueFull('the thread of texts does not start')
    return done.answer
  }
  return {
    async highlight(samples: CodeSample[], authorId: string): Promise<HighlightAnswer> {
      const done = await runCode({ samples }, authorId).catch((error: unknown) => {
        if (error instanceof QueueFull) return 'busy' as const
        throw error
      })
      return typeof done === 'string' ? done : (done.answer as Highlighted)
    },
    /** @throws Refusal `document_invalid_structure` */
    async clean(html: string, addresses: AddressNeeds, key: string): Promise<string> {
      const answer = (await run({ html, addresses }, key)) as CleanAnswer
      if ('refusal' in answer) throw new Refusal(...answer.refusal)
      return answer.clean
    },
    async derive(asked: DerivedAsked, key: string): Promise<DerivedText> {
      if (!isForThread(asked.text, asked.base)) return deriveText(asked)
      return (await run(asked, key)) as DerivedText
    },
  }
}

function makeQueuedThread(maxMs: number) {
  const thread = makeWorkThread<TextAsked, TextAnswer>(THREAD, {
    ...{ maxMs, idleMs: IDLE_MS, memoryMb: MEMORY_MB },
  })
  const inTurn = makeBoundedQueue({
    atOnce: 1,
    waiting: TEXTS_WAITING_MAX,
    waitingPerKey: TEXTS_WAITING_PER_AUTHOR_MAX,
    waitMaxMs: WAIT_MAX_MS,
  })
  return (asked: TextAsked, key: string) => inTurn(() => thread(asked), { key })
}

/** A text that follows the rules, what it is compared with, and whether it is no HTML. */
export type DerivedAsked = { text: string; base: string; isText: boolean }
/** `words` as the index of words takes them. */
export type DerivedText = { words: string; numbers: WordNumbers }

/** One for each sample; null for one that stays as it is. */
export type Highlighted = (string | null)[]

export type TextAsked =
  | { samples: CodeSample[] }
  | { html: string; addresses: AddressNeeds }
  | DerivedAsked
type CleanAnswer = { clean: string } | { refusal: [type: RefusalType, message: string] }
export type TextAnswer = Highlighted | CleanAnswer | DerivedText

export function deriveText({ text, base, isText }: DerivedAsked): DerivedText {
  const words = foldWords(isText ? text : plainText(text))
  return { words, numbers: compareWords(base, text) }
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

/** Of one sample, and of all samples of a post together: those behind it stay plain. */
export const CODE_SAMPLE_MAX_CHARS = 50_000
const CODE_SAMPLES_MAX_CHARS = 150_000

/** `code` is HTML: escaped text and line breaks. */
export type CodeSample = { language: string; code: string }

/** No two parts next to each other take the same signs: the cost grows with the text alone. */
const SAMPLE =
  /(<pre(?:\s[^<>]*)?>\n?)(\s*<code(?:\s[^<>]*)?>)?([^<]*(?:<br[^<>]*>[^<]*)*)((?:<\/code>\s*)?<\/pre>)/g
const LANGUAGE = /\sclass="(?:[^"]*\s)?language-([^\s"]+)/
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', amp: '&' },
}

/** Those that name a language, in their order; what is beyond the limits is left out. */
export function readSamples(html: string): CodeSample[] {
  const samples: CodeSample[] = []
  replaceSamples(html, (sample) => {
    samples.push(sample)
    return undefined
  })
  return samples
}

/** The body with these in place of its samples, in the order of {@link readSamples}. */
export function putSamples(html: string, highlighted: readonly (string | null)[]): string {
  let at = 0
  return replaceSamples(html, () => highlighted[at++] ?? undefined)
}

function replaceSamples(html: string, replace: (sample: CodeSample) => string | undefined): string {
  if (!html.includes('<pre')) return html
  let left = CODE_SAMPLES_MAX_CHARS
  return html.replace(
    SAMPLE,
    (all: string, pre: string, code: string | undefined, inside: string, end: string) => {
      const language = (LANGUAGE.exec(code ?? '') ?? LANGUAGE.exec(pre))?.[1]
      if (!language || inside.length > Math.min(left, CODE_SAMPLE_MAX_CHARS)) return all
      left -= inside.length
      const shown = replace({ language, code: inside })
      return shown === undefined ? all : `${pre}${code ?? ''}${shown}${end}`
    },
  )
}

/** The code as it was written; undefined for what is no plain text. */
export function plainCode(html: string): string | undefined {
  const text = html.replace(/<br[^<>]*>/g, '\n')
  if (text.includes('<')) return undefined
  let isKnown = true
  const code = text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]+);/gi, (_all, name: string) => {
    const character = characterOf(name)
    if (character === undefined) isKnown = false
    return character ?? ''
  })
  return isKnown ? code : undefined
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name]
  const point = Number(`0${name.slice(1)}`)
  return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}
