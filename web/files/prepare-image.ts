// Makes a chosen file one that the server takes: its content decides what it is, a type that the
// site does not store becomes PNG or JPEG, and one that is too large is drawn smaller. What is fine
// already keeps its bytes.
import type { FileModel } from '#contract/files.ts'
import {
  IMAGE_EXTENSIONS,
  IMAGE_FRAME_MAX_PIXELS,
  IMAGE_SIDE_MAX_PIXELS,
} from '#contract/limits.ts'
import { type Api, fail, type Result } from '../api/client.ts'
import type { ImageChange } from '../editor/store-image.ts'
import { texts } from '../locales/texts.ts'
import { type ConversionRequest, type DrawnImage, drawImage } from './convert-image.ts'
import {
  findImageFacts,
  type ImageFacts,
  type ImageKind,
  isAnimatedGif,
} from './sniff-image-type.ts'
import { type UploadProgress, uploadImage } from './upload-image.ts'

/** The longer side of an image that the browser draws smaller, as it is too large to be sent. */
const IMAGE_SCALED_SIDE_PIXELS = 2400
/** How long the browser may take to draw one. */
const IMAGE_PREPARE_TIMEOUT_MS = 60_000

export type PreparedImage =
  | { ok: true; file: File; change: ImageChange }
  /** A sentence to show. */
  | { ok: false; problem: string }

const STORED: Partial<Record<ImageKind, { type: string; extensions: readonly string[] }>> = {
  png: { type: 'image/png', extensions: ['png'] },
  jpeg: { type: 'image/jpeg', extensions: ['jpg', 'jpeg'] },
  gif: { type: 'image/gif', extensions: ['gif'] },
}
/** They are lossless: a JPEG would spoil drawings and the text on screenshots. */
const PNG_BY_NATURE: readonly ImageKind[] = ['png', 'gif', 'bmp', 'ico']
/** What a file became, so that a second try to store it continues with the same bytes. */
const prepared = new WeakMap<File, Promise<PreparedImage>>()

/** The same answer for the same file, however often it is asked. */
export function prepareImage(file: File, limit: ImageLimit): Promise<PreparedImage> {
  const known = prepared.get(file)
  if (known !== undefined) return known
  const answer = prepare(file, limit)
  prepared.set(file, answer)
  void answer.then((made) => {
    if (made.ok) prepared.set(made.file, Promise.resolve({ ...made, change: {} }))
  })
  return answer
}

async function prepare(file: File, limit: ImageLimit): Promise<PreparedImage> {
  const problem = findClaimProblem(file, limit)
  if (problem) return { ok: false, problem }
  const facts = await findImageFacts(file).catch(() => undefined)
  if (!facts) return { ok: false, problem: texts.images.unreadable }
  if (facts.kind === 'svg') return { ok: false, problem: texts.images.wrongType }
  if (facts.isCut) return { ok: false, problem: texts.images.unreadable }
  const stored = STORED[facts.kind]
  const isLarge = isTooLarge(facts, file.size, limit)
  // Without a size it is broken, or unusual: drawing it tells.
  if (stored && !isLarge && facts.width !== undefined)
    return { ok: true, file: withRightName(file, stored), change: {} }
  // The browser can draw only one of its pictures.
  if (facts.kind === 'gif' && (await isAnimatedGif(file)))
    return file.size > limit.maxBytes
      ? { ok: false, problem: limit.tooLarge }
      : { ok: true, file: withRightName(file, STORED.gif), change: {} }
  return await redraw(file, facts.kind, limit)
}

function isTooLarge({ width = 0, height = 0 }: ImageFacts, bytes: number, limit: ImageLimit) {
  return (
    bytes > limit.maxBytes ||
    width * height > IMAGE_FRAME_MAX_PIXELS ||
    Math.max(width, height) > IMAGE_SIDE_MAX_PIXELS
  )
}

async function redraw(file: File, kind: ImageKind, limit: ImageLimit): Promise<PreparedImage> {
  const drawn = await draw({
    file,
    isPng: PNG_BY_NATURE.includes(kind),
    maxSide: IMAGE_SCALED_SIDE_PIXELS,
    ifMore: { pixels: IMAGE_FRAME_MAX_PIXELS, side: IMAGE_SIDE_MAX_PIXELS },
    maxBytes: limit.maxBytes,
  })
  if (!drawn) {
    const { cannotOpen, unreadable, types } = texts.images
    // Of these the file itself is broken.
    return { ok: false, problem: STORED[kind] ? unreadable : cannotOpen(types[kind]) }
  }
  if (drawn.blob.size > limit.maxBytes) return { ok: false, problem: limit.tooLarge }
  const format = drawn.blob.type === 'image/png' ? 'png' : 'jpeg'
  const made = withRightName(new File([drawn.blob], file.name), STORED[format])
  return {
    ok: true,
    file: made,
    change: {
      ...(format === kind ? {} : { format: format === 'png' ? 'PNG' : 'JPEG' }),
      ...(drawn.isScaled ? { longSidePixels: Math.max(drawn.width, drawn.height) } : {}),
    },
  }
}

/** The same bytes under a name and a type that say what they are. */
function withRightName(file: File, stored: (typeof STORED)[ImageKind]): File {
  if (!stored) return file
  const [, stem = file.name, extension = ''] = /^(.*?)(?:\.([^.]*))?$/s.exec(file.name) ?? []
  const isRight = stored.extensions.includes(extension.toLowerCase())
  // Files of the editor's frame are of its own kind of `File`, which the client does not know.
  if (isRight && file.type === stored.type && file instanceof File) return file
  const name = isRight ? file.name : `${stem || 'image'}.${stored.extensions[0]}`
  return new File([file], name, { type: stored.type, lastModified: file.lastModified })
}

/** Undefined when this browser cannot open the file. */
async function draw(order: ConversionRequest): Promise<DrawnImage | undefined> {
  const answer = await drawInWorker(order)
  if (answer !== 'failed') return answer
  // Some browsers open a type only for the page, and some only in an element.
  return await drawImage(order)
    .catch(() => drawImage(order, openAsElement))
    .catch(() => undefined)
}

/** Undefined when it takes too long: then it must not be tried again in the page. */
async function drawInWorker(order: ConversionRequest): Promise<DrawnImage | 'failed' | undefined> {
  const worker = new Worker(new URL('./convert-image-worker.ts', import.meta.url), {
    type: 'module',
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<DrawnImage | undefined>) =>
        resolve(data ?? 'failed')
      worker.onerror = () => resolve('failed')
      timer = setTimeout(() => resolve(undefined), IMAGE_PREPARE_TIMEOUT_MS)
      worker.postMessage(order)
    })
  } finally {
    clearTimeout(timer)
    worker.terminate()
  }
}

async function openAsElement(file: Blob): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = URL.createObjectURL(file)
  try {
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(image.src)
  }
}

// Which image files can be chosen, as far as their name and type tell. What they are is for their
// content to say (prepare-image.ts), and for the server to check again.

/** Types that the browser turns into PNG or JPEG, where it can open them. */
const TURNED_EXTENSIONS = [
  'webp',
  'avif',
  'heic',
  'heif',
  'bmp',
  'tif',
  'tiff',
  'jxl',
  'ico',
  'jfif',
]
const EXTENSIONS: readonly string[] = [...IMAGE_EXTENSIONS, ...TURNED_EXTENSIONS]

/** The `accept` attribute of the file input. */
export const IMAGE_ACCEPT = [
  ...IMAGE_EXTENSIONS.map((extension) => `.${extension}`),
  ...['webp', 'avif', 'heic', 'heif'].flatMap((type) => [`.${type}`, `image/${type}`]),
].join(',')

/** `maxBytes` is inclusive; `tooLarge` is the sentence for a larger file. */
export type ImageLimit = {
  maxBytes: number
  tooLarge: string
  /** Refused instead of being drawn smaller. */
  isStrict?: boolean
}

type FileFacts = Pick<File, 'name' | 'size' | 'type'>

/** A file that says that it is something else is not looked at. */
function claimsImage({ name, type }: FileFacts): boolean {
  const [, extension] = /\.([^.]*)$/.exec(name.toLowerCase()) ?? []
  if (extension !== undefined && !EXTENSIONS.includes(extension)) return false
  if (type === '') return extension !== undefined
  return type.startsWith('image/') && type !== 'image/svg+xml'
}

/**
 * Why a file can not be used, as a sentence to show; undefined when its content is to be looked at.
 */
export function findClaimProblem(file: FileFacts, limit: ImageLimit): string | undefined {
  if (limit.isStrict && file.size > limit.maxBytes) return limit.tooLarge
  if (!claimsImage(file)) return texts.images.wrongType
  if (file.size === 0) return texts.images.empty
  return undefined
}

// Stores an image as it was chosen: made ready first, then sent.

type ChosenImage = {
  file: File
  limit: ImageLimit
  onProgress?: (progress: UploadProgress) => void
}

/** @returns a file that cannot be used as a failure whose message is a sentence to show */
export async function uploadChosenImage(
  api: Api,
  bucketId: string,
  { file, limit, onProgress }: ChosenImage,
): Promise<Result<FileModel>> {
  const made = await prepareImage(file, limit)
  if (!made.ok) return fail({ message: made.problem, code: 400, type: '' })
  return await uploadImage(api, bucketId, { file: made.file, ...(onProgress && { onProgress }) })
}
