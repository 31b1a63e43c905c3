// Highlights code in a thread of its own, one post after the other, each within a limit of time.
// The thread is started when it is needed and ends when it is not.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import {
  HIGHLIGHT_IDLE_MS,
  HIGHLIGHT_MAX_MS,
  HIGHLIGHTS_WAITING_MAX,
  HIGHLIGHTS_WAITING_PER_AUTHOR_MAX,
} from '#contract/server-limits.ts'
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
const THREAD_LIMITS = { maxOldGenerationSizeMb: 128 }
/** Reading its files takes a moment, longer on a busy machine; that is not the sample's fault. */
const START_MAX_MS = 20_000

type Thread = { worker: Worker; isReady: Promise<unknown> }

/** @param maxMs how long the samples of one post may take; a test hands in less */
export function makeHighlighter({ maxMs = HIGHLIGHT_MAX_MS } = {}): Highlighter {
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined
  /** The authors of what waits. */
  const waiting: string[] = []
  let last: Promise<unknown> = Promise.resolve()

  function end(): void {
    void thread?.worker.terminate()
    thread = undefined
  }

  async function work(samples: CodeSample[]): Promise<HighlightAnswer> {
    clearTimeout(idle)
    idle = setTimeout(end, HIGHLIGHT_IDLE_MS + START_MAX_MS)
    idle.unref()
    thread ??= startThread((ended) => {
      if (thread?.worker === ended) thread = undefined
    })
    const { worker, isReady } = thread
    const isStarted = (await within(START_MAX_MS, isReady).catch(() => undefined)) !== undefined
    // Out of memory is one more way to be too much.
    const answer = isStarted
      ? await within(maxMs, ask(worker, samples)).catch(() => undefined)
      : undefined
    if (answer === undefined) end()
    return answer ?? (isStarted ? 'tooLong' : 'busy')
  }

  return async (samples, authorId) => {
    const own = waiting.filter((one) => one === authorId).length
    if (waiting.length >= HIGHLIGHTS_WAITING_MAX || own >= HIGHLIGHTS_WAITING_PER_AUTHOR_MAX)
      return 'busy'
    waiting.push(authorId)
    const before = last
    const answer = before.then(() => work(samples))
    last = answer
    try {
      return await answer
    } finally {
      waiting.splice(waiting.indexOf(authorId), 1)
    }
  }
}

/** @param onEnd also when it ends by itself, while nothing is asked */
function startThread(onEnd: (worker: Worker) => void): Thread {
  const worker = new Worker(THREAD, { resourceLimits: THREAD_LIMITS })
  worker.unref()
  // Whoever waits for an answer hears of it, too; without a listener it would end the process.
  worker.on('error', () => undefined)
  worker.once('exit', () => onEnd(worker))
  const isReady = once(worker, 'message')
  return { worker, isReady }
}

/** `busy` when the thread ends without an answer. @throws what it failed of, such as memory */
async function ask(worker: Worker, samples: CodeSample[]): Promise<Highlighted | 'busy'> {
  const over = new AbortController()
  const answered = once(worker, 'message', over).then(([answer]) => answer as Highlighted)
  const ended = once(worker, 'exit', over).then(() => 'busy' as const)
  worker.postMessage(samples)
  try {
    return await Promise.race([answered, ended])
  } finally {
    over.abort()
  }
}

/** undefined when the time is over. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  const over = new AbortController()
  const late = delay(ms, undefined, { signal: over.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
