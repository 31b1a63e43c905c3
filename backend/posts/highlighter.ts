// Highlights code in a thread of its own; of each author only a few posts wait.
import {
  HIGHLIGHT_IDLE_MS,
  HIGHLIGHT_MAX_MS,
  HIGHLIGHTS_WAITING_MAX,
  HIGHLIGHTS_WAITING_PER_AUTHOR_MAX,
} from '#contract/server-limits.ts'
import { makeWorkThread } from '../process/work-thread.ts'
import type { CodeSample } from './code-samples.ts'

/** One for each sample; null for one that stays as it is. */
export type Highlighted = (string | null)[]
/**
 * `tooLong`: the samples took more than they may, and would again. `busy`: too much waits, of all
 * or of this author, or the thread does not start.
 */
export type HighlightAnswer = Highlighted | 'tooLong' | 'busy'
/** @param authorId who wrote them: of each author only a few wait */
export type Highlighter = (samples: CodeSample[], authorId: string) => Promise<HighlightAnswer>

const THREAD = new URL('./highlight-thread.ts', import.meta.url)
const MEMORY_MB = 128

/** @param maxMs how long the samples of one post may take; a test hands in less */
export function makeHighlighter({ maxMs = HIGHLIGHT_MAX_MS } = {}): Highlighter {
  const work = makeWorkThread<CodeSample[], Highlighted>(THREAD, {
    ...{ maxMs, idleMs: HIGHLIGHT_IDLE_MS, memoryMb: MEMORY_MB },
  })
  /** The authors of what waits. */
  const waiting: string[] = []

  return async (samples, authorId) => {
    const own = waiting.filter((one) => one === authorId).length
    if (waiting.length >= HIGHLIGHTS_WAITING_MAX || own >= HIGHLIGHTS_WAITING_PER_AUTHOR_MAX)
      return 'busy'
    waiting.push(authorId)
    try {
      const done = await work(samples)
      return typeof done === 'string' ? done : done.answer
    } finally {
      waiting.splice(waiting.indexOf(authorId), 1)
    }
  }
}
