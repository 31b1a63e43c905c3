// Runs work on an image in a child process, which is reused: an image that takes too long, or
// crashes the library, ends that process and nothing else. One queue decides the order of the work
// (decision 0068).
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#contract/errors.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import type { ImageJobs } from './image-child.ts'
import { readFrames, writeFrame } from './image-frames.ts'

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

type Answer = { said?: object; fault?: string; bytes: Buffer }
type Child = { ask(head: object, bytes: Buffer): Promise<Answer>; end(): void; isEnded(): boolean }

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
  const timer = setTimeout(child.end, WORK_MAX_MS)
  try {
    const { said, fault, bytes: made } = await child.ask({ job, order }, bytes)
    if (fault !== undefined)
      throw new Refusal('storage_invalid_file', undefined, { cause: new Error(fault) })
    return { ...said, bytes: made } as Awaited<ReturnType<ImageJobs[Name]>>
  } finally {
    clearTimeout(timer)
    if (!child.isEnded()) idle.set(child, setTimeout(child.end, IDLE_MS).unref())
  }
}

function startChild(): Child {
  const made = spawn(process.execPath, [FILE], {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let isEnded = false
  let asked: PromiseWithResolvers<Answer> | undefined
  const child: Child = {
    ask(head, bytes) {
      asked = Promise.withResolvers()
      made.ref()
      writeFrame(made.stdin, head, bytes)
      return asked.promise.finally(() => made.unref())
    },
    end() {
      // Its `exit` event comes later; it gets no more work from now on.
      idle.delete(child)
      made.kill('SIGKILL')
    },
    isEnded: () => isEnded,
  }
  const onEnd = (cause: unknown) => {
    isEnded = true
    clearTimeout(idle.get(child))
    idle.delete(child)
    asked?.reject(
      new Refusal('general_service_disabled', 'The image takes too long to work on.', {
        headers: { 'retry-after': '5' },
        cause,
      }),
    )
  }
  readFrames<Omit<Answer, 'bytes'>>(made.stdout, (head, bytes) =>
    asked?.resolve({ ...head, bytes }),
  )
  made.on('error', onEnd)
  made.on('exit', (code, signal) => onEnd(new Error(`The process ended: ${signal ?? code}`)))
  // When the pipe breaks, the process has ended: see `exit`.
  made.stdin.on('error', () => {})
  // An idle process does not keep the server from ending.
  made.unref()
  for (const pipe of [made.stdin, made.stdout]) (pipe as unknown as { unref(): void }).unref()
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
    ...{ atOnce: MAX_CONCURRENT, waiting: IMAGE_QUEUE_MAX, waitingPerKey: IMAGE_QUEUE_SHARE },
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
