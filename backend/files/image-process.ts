// Runs work on an image in a child process, which is reused: an image that takes too long, or
// crashes the library, ends that process and nothing else. One queue decides the order of the work
// (decision 0068).
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#contract/errors.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import type { ImageJobs } from './image-child.ts'
import { type Frame, readMessages, writeMessage } from './image-messages.ts'

const FILE = fileURLToPath(new URL('./image-child.ts', import.meta.url))
/** A process whose job takes longer is killed; it also watches itself. */
const WORK_MAX_MS = 30_000
/** After that an idle process ends, which frees its memory. */
const IDLE_MS = 30_000
/**
 * No settings and no secrets of the server. All threads of the library share one arena of memory,
 * so that the next image reuses what the last one has freed.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' }

type Answer = { said?: object; fault?: string }
type Child = { made: ChildProcess; to: Writable; answers: AsyncGenerator<Frame<Answer>> }

/** Each with the timer that ends it. */
const idle = new Map<Child, NodeJS.Timeout>()

/**
 * @throws Refusal `storage_invalid_file` for what cannot be decoded, `general_service_disabled`
 *   when it takes too much time or memory
 */
export async function runImageJob<Name extends keyof ImageJobs>(
  job: Name,
  bytes: Buffer,
  order: Parameters<ImageJobs[Name]>[1],
): Promise<Awaited<ReturnType<ImageJobs[Name]>>> {
  const child = [...idle.keys()].at(-1) ?? startChild()
  clearTimeout(idle.get(child))
  idle.delete(child)
  const { made, to, answers } = child
  const kill = () => made.kill('SIGKILL')
  const timer = setTimeout(kill, WORK_MAX_MS)
  made.ref()
  writeMessage(to, { job, order }, bytes)
  const { value } = await answers.next().finally(() => {
    clearTimeout(timer)
    // An idle process does not keep the server from ending.
    made.unref()
  })
  if (!value) {
    // One that still runs has answered in another form: it is not used again.
    kill()
    throw new Refusal('general_service_disabled', 'The image takes too long to work on.', {
      headers: { 'retry-after': '5' },
      cause: new Error(`The process ended: ${made.signalCode ?? made.exitCode ?? 'unknown'}`),
    })
  }
  const end = () => {
    idle.delete(child)
    kill()
  }
  const hasEnded = made.exitCode !== null || made.signalCode !== null
  if (!hasEnded) idle.set(child, setTimeout(end, IDLE_MS).unref())
  const { said, fault } = value.head
  if (fault !== undefined)
    throw new Refusal('storage_invalid_file', undefined, { cause: new Error(fault) })
  return { ...said, bytes: value.bytes } as Awaited<ReturnType<ImageJobs[Name]>>
}

function startChild(): Child {
  const made = spawn(process.execPath, [FILE], {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin: to, stdout: from } = made
  const child = { made, to, answers: readMessages<Answer>(from) }
  made.on('exit', () => {
    clearTimeout(idle.get(child))
    idle.delete(child)
  })
  // The end of its output says that a process could not start, or has ended.
  for (const broken of [made, to, from]) broken.on('error', () => {})
  for (const pipe of [to, from]) (pipe as unknown as { unref(): void }).unref()
  return child
}

// --- the queue of uploads and previews

/**
 * Uploads come before previews. Heavy work runs one at a time, because there is memory for one. One
 * place is always left for quick previews.
 */
export type ImageWork = { isUpload?: boolean; isHeavy?: boolean }

const MAX_CONCURRENT = 3
/** Uploads and heavy previews. */
const MAX_CONCURRENT_LONG = 2
/**
 * How much may wait, in all and of one network: there is room for the feeds of several visitors.
 */
export const IMAGE_QUEUE_MAX = 512
export const IMAGE_QUEUE_SHARE = 128
const IMAGE_WAIT_MAX_MS = 30_000

export type ImageQueue = ReturnType<typeof makeImageQueue>

/**
 * Waiting work holds no bytes, and is dropped when its caller disconnects.
 *
 * @throws (each call) as any queue; Refusal `general_rate_limit_exceeded` when the caller has too
 *   much waiting
 * @source threat-model.md §3 "Preview", §10 "Overload"
 */
export function makeImageQueue() {
  return makeBoundedQueue<ImageWork>({
    concurrency: MAX_CONCURRENT,
    waiting: IMAGE_QUEUE_MAX,
    waitingPerKey: IMAGE_QUEUE_SHARE,
    waitMaxMs: IMAGE_WAIT_MAX_MS,
    refuseShare: () =>
      new Refusal('general_rate_limit_exceeded', undefined, { headers: { 'retry-after': '2' } }),
    isFirst: (work) => work?.isUpload === true,
    mayStart(work, running) {
      if (work?.isHeavy && running.some((other) => other?.isHeavy)) return false
      return !isLong(work) || running.filter(isLong).length < MAX_CONCURRENT_LONG
    },
  })
}

function isLong(work: ImageWork | undefined): boolean {
  return work?.isHeavy === true || work?.isUpload === true
}
