// Runs tasks in a thread, one after the other, each with a time limit. The thread starts when it is
// needed and ends when it is idle. Independent of the tasks.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/**
 * `tooLong`: the task exceeded its limit of time or memory, and would again. `busy`: the thread did
 * not start.
 */
export type ThreadResult<Answer> = { answer: Answer } | 'tooLong' | 'busy'
export type WorkThread<Task, Answer> = (task: Task) => Promise<ThreadResult<Answer>>

/** Loading the thread takes a moment, longer on a busy host; it does not count towards `maxMs`. */
const START_MAX_MS = 20_000

type Thread = { worker: Worker; isReady: Promise<unknown> }

/**
 * @param file posts `ready`, then one message as the answer to each task
 * @param options time limit of a task, idle time after which the thread ends, its memory
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
    // Running out of memory counts as `tooLong`.
    const answer = isStarted
      ? await withTimeout(maxMs, runTask<Task, Answer>(worker, task)).catch(() => undefined)
      : undefined
    if (answer === undefined) end()
    return answer ?? (isStarted ? 'tooLong' : 'busy')
  }

  return async (task) => {
    const answer = last.then(() => work(task))
    // A failed start fails only the task that needed it.
    last = answer.catch(() => undefined)
    return await answer
  }
}

/** @param onEnd is also called when the idle thread ends by itself */
function startThread(file: URL, memoryMb: number, onEnd: (worker: Worker) => void): Thread {
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
  worker.unref()
  // `runTask` handles the error; without this listener it would end the process.
  worker.on('error', () => undefined)
  worker.once('exit', () => onEnd(worker))
  const isReady = once(worker, 'message')
  return { worker, isReady }
}

/** `busy` when the thread ends without an answer. @throws its error, such as out of memory */
async function runTask<Task, Answer>(worker: Worker, task: Task) {
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
