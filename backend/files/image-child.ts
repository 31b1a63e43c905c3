// A process that decodes and draws images for its parent (image-process.ts), one at a time. Knows
// no file, no secret and no setting, and ends with its parent.
import { setPriority } from 'node:os'
import { readFrames, writeFrame } from './image-frames.ts'
import { IMAGE_JOBS, type ImageJobs } from './image-jobs.ts'

/** Whoever answers requests goes first. */
const NICE = 5
/**
 * Of the processor for one image; a busy machine is no fault of it. The library itself cannot be
 * stopped in all that it does.
 */
const WORK_MAX_MS = 10_000
const LOOK_EVERY_MS = 500

setPriority(NICE)
// A stop is told to all processes at once, and the parent still answers what it has begun.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.stdin.on('end', () => process.exit())
process.stdout.on('error', () => process.exit())
readFrames<Order>(process.stdin, (order, bytes) => void work(order, bytes))

type Order = { job: keyof ImageJobs; order: never }

async function work({ job, order }: Order, given: Buffer): Promise<void> {
  const began = process.cpuUsage()
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage(began)
    if ((user + system) / 1000 > WORK_MAX_MS) process.kill(process.pid, 'SIGKILL')
  }, LOOK_EVERY_MS)
  try {
    const { bytes, ...said } = await IMAGE_JOBS[job](given, order)
    writeFrame(process.stdout, { said }, bytes)
  } catch (error) {
    writeFrame(process.stdout, { fault: String(error) }, Buffer.alloc(0))
  } finally {
    clearInterval(looking)
  }
}
