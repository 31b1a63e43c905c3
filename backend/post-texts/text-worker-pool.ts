// Processes texts in two worker threads, one for highlighting and one for everything else. Each
// processes one text at a time; their queues alternate between authors.
import { Refusal, type RefusalType } from '#contract/errors.ts'
import { makeBoundedQueue, QueueFull } from '../process/bounded-queue.ts'
import { makeWorkThread } from '../process/work-thread.ts'
import type { WordAnalysis, WordsTask } from '../search/fold-words.ts'
import { invalidContent } from './sanitise.ts'
import type { AddressOptions } from './sanitise-urls.ts'

/**
 * `tooLong`: the samples took longer than allowed, and would again. `busy`: the queue, or this
 * author's share of it, is full, or the thread does not start.
 */
export type HighlightAnswer = Highlighted | 'tooLong' | 'busy'
export type TextWorkerPool = ReturnType<typeof makeTextWorkerPool>

/** After this time the thread is stopped, and the code stays plain. */
const HIGHLIGHT_MAX_MS = 2000
const TEXT_MAX_MS = 20_000
/** Texts in the queue: of all authors, and of one author. */
export const TEXTS_WAITING_MAX = 128
export const TEXTS_WAITING_PER_AUTHOR_MAX = 24

const THREAD = new URL('./text-worker.ts', import.meta.url)
const MEMORY_MB = 256
/** After this time an idle thread ends. */
const IDLE_MS = 30_000
const WAIT_MAX_MS = 10_000

/**
 * The queue accepts only a few texts for each `key`, the id of an author.
 *
 * @param highlightMs how long the samples of one post may take; tests pass less
 * @throws (each but `highlight`) Refusal `general_service_disabled` when the queue is full
 */
export function makeTextWorkerPool({ highlightMs = HIGHLIGHT_MAX_MS } = {}) {
  const runHighlight = makeQueuedThread(highlightMs)
  const runText = makeQueuedThread(TEXT_MAX_MS)
  async function run(task: TextTask, key: string): Promise<TextAnswer> {
    const result = await runText(task, key)
    if (result === 'tooLong') throw invalidContent('format', 'Working on it takes too long')
    if (result === 'busy') throw new QueueFull('the text worker does not start')
    return result.answer
  }
  return {
    async highlight(samples: CodeSample[], authorId: string): Promise<HighlightAnswer> {
      const result = await runHighlight({ samples }, authorId).catch((error: unknown) => {
        if (error instanceof QueueFull) return 'busy' as const
        throw error
      })
      return typeof result === 'string' ? result : (result.answer as Highlighted)
    },
    /** @throws Refusal `document_invalid_structure` */
    async clean(html: string, addresses: AddressOptions, key: string): Promise<string> {
      const answer = (await run({ html, addresses }, key)) as CleanAnswer
      if ('refusal' in answer) throw new Refusal(...answer.refusal)
      return answer.clean
    },
    analyseWords: (task: WordsTask, key: string) => run(task, key) as Promise<WordAnalysis>,
  }
}

function makeQueuedThread(maxMs: number) {
  const thread = makeWorkThread<TextTask, TextAnswer>(THREAD, {
    maxMs,
    idleMs: IDLE_MS,
    memoryMb: MEMORY_MB,
  })
  const enqueue = makeBoundedQueue({
    concurrency: 1,
    waiting: TEXTS_WAITING_MAX,
    waitingPerKey: TEXTS_WAITING_PER_AUTHOR_MAX,
    waitMaxMs: WAIT_MAX_MS,
  })
  return (task: TextTask, key: string) => enqueue(() => thread(task), { key })
}

/** The HTML of each sample; null for a sample that stays plain. */
export type Highlighted = (string | null)[]

/** `code` is HTML: escaped text and line breaks. */
export type CodeSample = { language: string; code: string }
export type TextTask =
  | { samples: CodeSample[] }
  | { html: string; addresses: AddressOptions }
  | WordsTask
type CleanAnswer = { clean: string } | { refusal: [type: RefusalType, message: string] }
export type TextAnswer = Highlighted | CleanAnswer | WordAnalysis
