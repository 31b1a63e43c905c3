// Runs work in a thread, one piece after the other, each with a time limit. The thread starts when
// it is needed and ends when it is idle. Independent of the work.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/**
 * `tooLong`: the work exceeded its limit of time or memory, and would again. `busy`: the thread
 * does not start.
 */
export type ThreadResult<Answer> = { answer: Answer } | 'tooLong' | 'busy'
export type WorkThread<Task, Answer> = (task: Task) => Promise<ThreadResult<Answer>>

/** Loading the thread takes a moment, longer on a busy host; it does not count as work. */
const START_MAX_MS = 20_000

type Thread = { worker: Worker; isReady: Promise<unknown> }

/**
 * @param file says `ready`, then answers each message with one of its own
 * @param options how long one piece may take, when the idle thread ends, and its memory
 */
export function makeWorkThread<Task, Answer>(
  file: URL,
  { maxMs, idleMs, memoryMb }: { maxMs: number; idleMs: number; memoryMb: number },
): WorkThread<Task, Answer> {
  let thread: Thread | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function end(): void {
    void thread?.worker.terminate()
    thread = undefined
  }

  async function work(task: Task): Promise<ThreadResult<Answer>> {
    clearTimeout(idle)
    idle = setTimeout(end, idleMs + START_MAX_MS)
    idle.unref()
    thread ??= startThread(file, memoryMb, (ended) => {
      if (thread?.worker === ended) thread = undefined
    })
    const { worker, isReady } = thread
    const isStarted =
      (await withTimeout(START_MAX_MS, isReady).catch(() => undefined)) !== undefined
    // Out of memory is one more way to be too much.
    const answer = isStarted
      ? await withTimeout(maxMs, ask<Task, Answer>(worker, task)).catch(() => undefined)
      : undefined
    if (answer === undefined) end()
    return answer ?? (isStarted ? 'tooLong' : 'busy')
  }

  return async (asked) => {
    const answer = last.then(() => work(asked))
    // A thread that could not be made fails its own caller alone.
    last = answer.catch(() => undefined)
    return await answer
  }
}

/** @param onEnd also when it ends by itself, while nothing is asked */
function startThread(file: URL, memoryMb: number, onEnd: (worker: Worker) => void): Thread {
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  worker.unref()
  // `ask` handles it, too; without a listener here it would end the process.
  worker.on('error', () => undefined)
  worker.once('exit', () => onEnd(worker))
  const isReady = once(worker, 'message')
  return { worker, isReady }
}

/** `busy` when the thread ends without an answer. @throws what it failed of, such as memory */
async function ask<Task, Answer>(worker: Worker, task: Task) {
  const over = new AbortController()
  const answered = once(worker, 'message', over).then(([answer]) => ({ answer: answer as Answer }))
  const ended = once(worker, 'exit', over).then(() => 'busy' as const)
  worker.postMessage(task)
  try {
    return await Promise.race([answered, ended])
  } finally {
    over.abort()
  }
}

/** @returns undefined when the time is over */
export async function withTimeout<Value>(
  ms: number,
  work: Promise<Value>,
): Promise<Value | undefined> {
  const over = new AbortController()
  const late = delay(ms, undefined, { signal: over.signal }).catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
