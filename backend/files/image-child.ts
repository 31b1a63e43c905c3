// The child process that decodes and draws images for its parent (image-process.ts), one at a time.
// It gets no files, secrets or settings, and ends with its parent.
import { setPriority } from 'node:os'
import { type CardTexts, drawCard, drawInitials } from './draw-card.ts'
import { readMessages, writeMessage } from './image-messages.ts'
import { convertWebp, readImage } from './images.ts'
import { drawLogo } from './logo.ts'
import { renderPreview } from './render-preview.ts'

/** Lower priority than the processes that answer requests. */
const NICENESS = 5
/**
 * Limit of CPU time for one image. Wall time would depend on the load of the host. The library
 * cannot always be interrupted, so the process kills itself.
 */
const WORK_MAX_MS = 10_000
const CPU_CHECK_EVERY_MS = 500

/** `logo` is a PNG in base64; without it the default logo is drawn. */
type CardOptions = { texts: CardTexts; width: number; logo?: string | undefined }
type InitialsOptions = { initials: string; size: { width: number; height: number }; color: string }

/**
 * Each job takes bytes and options, and returns bytes with details. An error means that the bytes
 * are no image.
 */
const IMAGE_JOBS = {
  upload: readImage,
  convert: (bytes: Buffer, _options: object) => convertWebp(bytes),
  preview: renderPreview,
  card: async (avatar: Buffer, { texts, width, logo }: CardOptions) => ({
    bytes: await drawCard(
      texts,
      { avatar: avatar.length > 0 ? avatar : undefined, logo: logo && Buffer.from(logo, 'base64') },
      width,
    ),
  }),
  logo: drawLogo,
  initials: async (_none: Buffer, { initials, size, color }: InitialsOptions) => ({
    bytes: await drawInitials(initials, size, color),
  }),
}

export type ImageJobs = typeof IMAGE_JOBS
type Job = { job: keyof ImageJobs; options: never }

setPriority(NICENESS)
// A signal to the whole process group must not end jobs that the parent still waits for.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
process.stdout.on('error', () => process.exit())
for await (const { head, bytes } of readMessages<Job>(process.stdin)) void work(head, bytes)
process.exit()

async function work({ job, options }: Job, input: Buffer): Promise<void> {
  const startUsage = process.cpuUsage()
  const cpuCheck = setInterval(() => {
    const { user, system } = process.cpuUsage(startUsage)
    if ((user + system) / 1000 > WORK_MAX_MS) process.kill(process.pid, 'SIGKILL')
  }, CPU_CHECK_EVERY_MS)
  try {
    const { bytes, ...details } = await IMAGE_JOBS[job](input, options)
    writeMessage(process.stdout, { details }, bytes)
  } catch (error) {
    writeMessage(process.stdout, { error: String(error) }, Buffer.alloc(0))
  } finally {
    clearInterval(cpuCheck)
  }
}
