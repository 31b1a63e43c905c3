// Runs work on an image in a process of its own, which is kept for the next: a picture that takes
// too long, or brings the library down, ends that process and nothing else. One queue decides who
// may work on an image when (decision 0068).
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#contract/errors.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import type { ImageJobs } from './image-child.ts'
import { readFrames, writeFrame } from './image-frames.ts'

const FILE = fileURLToPath(new URL('./image-child.ts', import.meta.url))
/** A process whose job takes longer is killed; it also watches itself. */
const WORK_MAX_MS = 30_000
/** Then a process without work ends, and its memory is free. */
const IDLE_MS = 30_000
/**
 * No setting and no secret of the server. Memory that one image has freed is used for the next,
 * whatever thread of the library asks for it.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' }

type Answer = { said?: object; fault?: string; bytes: Buffer }
type Child = { ask(head: object, bytes: Buffer): Promise<Answer>; end(): void; isEnded(): boolean }

const idle = new Map<Child, NodeJS.Timeout>()

/**
 * @throws Refusal `storage_invalid_file` for what cannot be decoded, `general_service_disabled`
 *   when it takes too long or too much
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
      // Its end is told later; nothing is given to it from now on.
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
  // What goes wrong with the pipe is told by the end of the process.
  made.stdin.on('error', () => {})
  // An idle process does not keep the server from ending.
  made.unref()
  for (const pipe of [made.stdin, made.stdout]) (pipe as unknown as { unref(): void }).unref()
  return child
}

// --- the queue, for uploads and previews

/**
 * Uploads come before previews. Heavy work is one at a time: there is memory for one. One place is
 * always for previews that are drawn in a moment.
 */
export type ImageWork = { isUpload?: boolean; isHeavy?: boolean }

const MAX_CONCURRENT = 3
/** Uploads and heavy previews. */
const MAX_CONCURRENT_LONG = 2
/** How much may wait, of all and of one address: there is room for feeds of several visitors. */
export const IMAGE_QUEUE_MAX = 512
export const IMAGE_QUEUE_SHARE = 128
const IMAGE_WAIT_MAX_MS = 30_000

export type ImageQueue = ReturnType<typeof makeImageQueue>

/**
 * What waits holds no bytes; what its caller has left is dropped.
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
