// A process that decodes and draws images for its parent (image-process.ts), one at a time. It has
// no access to files, secrets and settings, and ends with its parent.
import { setPriority } from 'node:os'
import { type CardTexts, drawCard, drawInitials } from './draw-card.ts'
import { readMessages, writeMessage } from './image-messages.ts'
import { readImage } from './images.ts'
import { drawLogo } from './logo.ts'
import { renderPreview } from './render-preview.ts'

/** The processes that answer requests have priority. */
const NICE = 5
/**
 * Processor time for one image, not wall time, which a busy host stretches. The library itself
 * cannot always be interrupted.
 */
const WORK_MAX_MS = 10_000
const LOOK_EVERY_MS = 500

/** `logo` is a PNG in base64; none for the lamp. */
type CardOrder = { texts: CardTexts; width: number; logo?: string | undefined }
type Initials = { initials: string; size: { width: number; height: number }; color: string }

/**
 * Each takes bytes and an order, and returns bytes with their description. Any error means that the
 * bytes are no image.
 */
const IMAGE_JOBS = {
  upload: readImage,
  preview: renderPreview,
  card: async (face: Buffer, { texts, width, logo }: CardOrder) => ({
    bytes: await drawCard(
      texts,
      { face: face.length > 0 ? face : undefined, logo: logo && Buffer.from(logo, 'base64') },
      width,
    ),
  }),
  logo: drawLogo,
  initials: async (_none: Buffer, { initials, size, color }: Initials) => ({
    bytes: await drawInitials(initials, size, color),
  }),
}

export type ImageJobs = typeof IMAGE_JOBS
type Order = { job: keyof ImageJobs; order: never }

setPriority(NICE)
// A stop signals all processes, and the parent still finishes the requests under way.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.stdout.on('error', () => process.exit())
for await (const { head, bytes } of readMessages<Order>(process.stdin)) void work(head, bytes)
process.exit()

async function work({ job, order }: Order, given: Buffer): Promise<void> {
  const began = process.cpuUsage()
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage(began)
    if ((user + system) / 1000 > WORK_MAX_MS) process.kill(process.pid, 'SIGKILL')
  }, LOOK_EVERY_MS)
  try {
    const { bytes, ...said } = await IMAGE_JOBS[job](given, order)
    writeMessage(process.stdout, { said }, bytes)
  } catch (error) {
    writeMessage(process.stdout, { fault: String(error) }, Buffer.alloc(0))
  } finally {
    clearInterval(looking)
  }
}
