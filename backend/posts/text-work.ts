// Work on texts in threads of its own, one for code to highlight and one for all else, each one
// piece after the other; people take turns. Short texts are worked on at once: handing them over
// costs more. Inside a transaction nothing waits here: it holds what all others write to.
import { Refusal } from '#contract/errors.ts'
import { insideTransaction } from '../database/transaction.ts'
import { makeBoundedQueue, QueueFull } from '../process/bounded-queue.ts'
import { makeWorkThread } from '../process/work-thread.ts'
import type { IndexedWord } from '../search/tokens.ts'
import type { CodeSample } from './code-samples.ts'
import { invalidContent } from './content-size.ts'
import type { AddressNeeds } from './sanitise-addresses.ts'
import {
  type CleanAnswer,
  type DerivedAsked,
  type DerivedText,
  deriveText,
  type Highlighted,
  type SplitAsked,
  splitText,
  type TextAnswer,
  type TextAsked,
} from './text-jobs.ts'

/**
 * `tooLong`: the samples took more than they may, and would again. `busy`: too much waits, of all
 * or of this author, or the thread does not start.
 */
export type HighlightAnswer = Highlighted | 'tooLong' | 'busy'
/** @param authorId who wrote them: of each author only a few wait */
export type Highlighter = (samples: CodeSample[], authorId: string) => Promise<HighlightAnswer>

export type TextWork = {
  highlight: Highlighter
  /**
   * @param key for whom: of each only a few wait
   * @throws Refusal `document_invalid_structure`, `general_service_disabled` when too much waits
   */
  clean(html: string, addresses: AddressNeeds, key: string): Promise<string>
  /** @throws Refusal `general_service_disabled` */
  derive(asked: DerivedAsked, key: string): Promise<DerivedText>
  /** @throws Refusal `general_service_disabled` */
  split(asked: SplitAsked, key: string): Promise<IndexedWord[]>
}

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

/** @param maxMs how long one piece may take, and the samples of one post; a test hands in less */
export function makeTextWork({
  maxMs = TEXT_MAX_MS,
  highlightMs = HIGHLIGHT_MAX_MS,
} = {}): TextWork {
  const runCode = makeQueuedThread(highlightMs)
  const run = makeQueuedThread(maxMs)
  async function runElseFull(asked: TextAsked, key: string): Promise<TextAnswer> {
    const done = await run(asked, key)
    if (typeof done === 'string') throw new QueueFull(`the thread of texts: ${done}`)
    return done.answer
  }
  return {
    async highlight(samples, authorId) {
      const done = await runCode({ samples }, authorId).catch((error: unknown) => {
        if (error instanceof QueueFull) return 'busy' as const
        throw error
      })
      return typeof done === 'string' ? done : (done.answer as Highlighted)
    },
    async clean(html, addresses, key) {
      const done = await run({ html, addresses }, key)
      if (done === 'tooLong') throw invalidContent('format', 'Cleaning it takes too long')
      if (done === 'busy') throw new QueueFull('the thread of texts does not start')
      const answer = done.answer as CleanAnswer
      if ('refusal' in answer) throw new Refusal(...answer.refusal)
      return answer.clean
    },
    async derive(asked, key) {
      if (!isForThread(asked.text, asked.base)) return deriveText(asked)
      return (await runElseFull(asked, key)) as DerivedText
    },
    async split(asked, key) {
      if (!isForThread(asked.text)) return splitText(asked)
      return (await runElseFull(asked, key)) as IndexedWord[]
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
