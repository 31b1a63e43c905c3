// Runs image jobs in child processes, which are reused: an image that takes too long, or crashes
// the library, ends only its process. A queue orders the jobs of uploads and previews (decision
// 0068).
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Refusal } from '#contract/errors.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import type { ImageJobs } from './image-child.ts'
import { type Message, readMessages, writeMessage } from './image-messages.ts'

const FILE = fileURLToPath(new URL('./image-child.ts', import.meta.url))
/** A process whose job takes longer is killed; it also limits its own CPU time. */
const WORK_MAX_MS = 30_000
/** How long a process may be idle; ending it frees its memory. */
const IDLE_MS = 30_000
/**
 * The environment of the processes has no settings and secrets of the server. All threads of the
 * library share one memory arena, so that the next image reuses the memory of the last one.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' }

type Response = { details?: object; error?: string }
type ImageProcess = {
  child: ChildProcess
  input: Writable
  responses: AsyncGenerator<Message<Response>>
}

/** Idle processes, each with the timer that ends it. */
const idle = new Map<ImageProcess, NodeJS.Timeout>()

/**
 * @throws Refusal `storage_invalid_file` for bytes that cannot be decoded,
 *   `general_service_disabled` when it takes too much time or memory
 */
export async function runImageJob<Name extends keyof ImageJobs>(
  job: Name,
  bytes: Buffer,
  options: Parameters<ImageJobs[Name]>[1],
): Promise<Awaited<ReturnType<ImageJobs[Name]>>> {
  const imageProcess = [...idle.keys()].at(-1) ?? startProcess()
  clearTimeout(idle.get(imageProcess))
  idle.delete(imageProcess)
  const { child, input, responses } = imageProcess
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, WORK_MAX_MS)
  child.ref()
  writeMessage(input, { job, options }, bytes)
  const { value } = await responses.next().finally(() => {
    clearTimeout(timer)
    // An idle process does not keep the server running.
    child.unref()
  })
  if (!value) {
    // The process has ended, or its output is broken: it is not used again.
    kill()
    throw new Refusal('general_service_disabled', 'The image takes too long to work on.', {
      headers: { 'retry-after': '5' },
      cause: new Error(`The process ended: ${child.signalCode ?? child.exitCode ?? 'unknown'}`),
    })
  }
  const end = () => {
    idle.delete(imageProcess)
    kill()
  }
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  if (!hasEnded) idle.set(imageProcess, setTimeout(end, IDLE_MS).unref())
  const { details, error } = value.head
  if (error !== undefined)
    throw new Refusal('storage_invalid_file', undefined, { cause: new Error(error) })
  return { ...details, bytes: value.bytes } as Awaited<ReturnType<ImageJobs[Name]>>
}

function startProcess(): ImageProcess {
  const child = spawn(process.execPath, [FILE], {
    env: ENVIRONMENT,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const { stdin: input, stdout: output } = child
  const imageProcess = { child, input, responses: readMessages<Response>(output) }
  child.on('exit', () => {
    clearTimeout(idle.get(imageProcess))
    idle.delete(imageProcess)
  })
  // An error also ends the output, which `runImageJob` handles.
  for (const source of [child, input, output]) source.on('error', () => {})
  for (const pipe of [input, output]) (pipe as unknown as { unref(): void }).unref()
  return imageProcess
}

// --- the queue of uploads and previews

/**
 * Uploads come before previews. One heavy job runs at a time, because of its memory. One of
 * the concurrent jobs is reserved for quick previews.
 */
export type ImageWork = { isUpload?: boolean; isHeavy?: boolean }

const MAX_CONCURRENT = 3
/** Concurrent uploads and heavy previews. */
const MAX_CONCURRENT_LONG = 2
/**
 * How many jobs may wait, in total and from one network: enough for the feeds of several visitors.
 */
export const IMAGE_QUEUE_MAX = 512
export const IMAGE_QUEUE_SHARE = 128
const IMAGE_WAIT_MAX_MS = 30_000

export type ImageQueue = ReturnType<typeof makeImageQueue>

/**
 * Waiting jobs hold no bytes, and are dropped when their caller disconnects.
 *
 * @throws (each call) as {@link makeBoundedQueue}; Refusal `general_rate_limit_exceeded` when the
 *   caller has too many waiting jobs
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
