// Prepares a chosen image for the upload: its type is detected from the content, a type that the
// server does not store becomes PNG or JPEG, and an image that is too large is scaled down. Other
// files keep their bytes.
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

/** The longer side of an image after scaling it down. */
const IMAGE_SCALED_SIDE_PIXELS = 2400
/** How long the browser may take to redraw an image. */
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
/** Lossless formats become PNG: JPEG would blur drawings and the text of screenshots. */
const LOSSLESS: readonly ImageKind[] = ['png', 'gif', 'bmp', 'ico']
/** Prepared images by their original file, so that a retry continues with the same bytes. */
const prepared = new WeakMap<File, Promise<PreparedImage>>()

/** Returns the same result for each call with the same file. */
export function prepareImage(file: File, limit: ImageLimit): Promise<PreparedImage> {
  const cached = prepared.get(file)
  if (cached !== undefined) return cached
  const preparing = prepare(file, limit)
  prepared.set(file, preparing)
  void preparing.then((image) => {
    if (image.ok) prepared.set(image.file, Promise.resolve({ ...image, change: {} }))
  })
  return preparing
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
  // Without a size the file is broken or unusual: redrawing it shows which.
  if (stored && !isLarge && facts.width !== undefined)
    return { ok: true, file: withRightName(file, stored), change: {} }
  // The browser can draw only one frame of an animation.
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
    isPng: LOSSLESS.includes(kind),
    maxSide: IMAGE_SCALED_SIDE_PIXELS,
    scaleAbove: { pixels: IMAGE_FRAME_MAX_PIXELS, side: IMAGE_SIDE_MAX_PIXELS },
    maxBytes: limit.maxBytes,
  })
  if (!drawn) {
    const { cannotOpen, unreadable, types } = texts.images
    // Browsers can open these types, so the file is broken.
    return { ok: false, problem: STORED[kind] ? unreadable : cannotOpen(types[kind]) }
  }
  if (drawn.blob.size > limit.maxBytes) return { ok: false, problem: limit.tooLarge }
  const format = drawn.blob.type === 'image/png' ? 'png' : 'jpeg'
  const converted = withRightName(new File([drawn.blob], file.name), STORED[format])
  return {
    ok: true,
    file: converted,
    change: {
      ...(format === kind ? {} : { format: format === 'png' ? 'PNG' : 'JPEG' }),
      ...(drawn.isScaled ? { longSidePixels: Math.max(drawn.width, drawn.height) } : {}),
    },
  }
}

/** The same bytes with a name and a type that match the content. */
function withRightName(file: File, stored: (typeof STORED)[ImageKind]): File {
  if (!stored) return file
  const [, stem = file.name, extension = ''] = /^(.*?)(?:\.([^.]*))?$/s.exec(file.name) ?? []
  const isRight = stored.extensions.includes(extension.toLowerCase())
  // A `File` from the editor's frame is of another class, which the client does not recognise.
  if (isRight && file.type === stored.type && file instanceof File) return file
  const name = isRight ? file.name : `${stem || 'image'}.${stored.extensions[0]}`
  return new File([file], name, { type: stored.type, lastModified: file.lastModified })
}

/** Undefined if this browser cannot open the file. */
async function draw(request: ConversionRequest): Promise<DrawnImage | undefined> {
  const drawn = await drawInWorker(request)
  if (drawn !== 'failed') return drawn
  // Some browsers open a type only on the page, and some only in an <img>.
  return await drawImage(request)
    .catch(() => drawImage(request, openAsElement))
    .catch(() => undefined)
}

/** Undefined after the timeout: then it must not be retried on the page. */
async function drawInWorker(
  request: ConversionRequest,
): Promise<DrawnImage | 'failed' | undefined> {
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
      worker.postMessage(request)
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

// Decides by name and type which image files can be chosen. Their content is checked afterwards,
// and again by the server.

/** Types that are converted to PNG or JPEG, if the browser can open them. */
const CONVERTED_EXTENSIONS = [
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
const EXTENSIONS: readonly string[] = [...IMAGE_EXTENSIONS, ...CONVERTED_EXTENSIONS]

/** The `accept` attribute of the file input. */
export const IMAGE_ACCEPT = [
  ...IMAGE_EXTENSIONS.map((extension) => `.${extension}`),
  ...['webp', 'avif', 'heic', 'heif'].flatMap((type) => [`.${type}`, `image/${type}`]),
].join(',')

/** `maxBytes` is inclusive; `tooLarge` is the sentence for a larger file. */
export type ImageLimit = {
  maxBytes: number
  tooLarge: string
  /** A larger file is refused instead of being scaled down. */
  isStrict?: boolean
}

type FileFacts = Pick<File, 'name' | 'size' | 'type'>

/** Whether name and type are those of an image; a file that claims otherwise is not read. */
function claimsImage({ name, type }: FileFacts): boolean {
  const [, extension] = /\.([^.]*)$/.exec(name.toLowerCase()) ?? []
  if (extension !== undefined && !EXTENSIONS.includes(extension)) return false
  if (type === '') return extension !== undefined
  return type.startsWith('image/') && type !== 'image/svg+xml'
}

/**
 * Why a file cannot be used, as a sentence to show; undefined if its content must be checked.
 */
export function findClaimProblem(file: FileFacts, limit: ImageLimit): string | undefined {
  if (limit.isStrict && file.size > limit.maxBytes) return limit.tooLarge
  if (!claimsImage(file)) return texts.images.wrongType
  if (file.size === 0) return texts.images.empty
  return undefined
}

// Prepares a chosen image, then uploads it.

type ChosenImage = {
  file: File
  limit: ImageLimit
  onProgress?: (progress: UploadProgress) => void
}

/** @returns for a file that cannot be used, a failure whose message is a sentence to show */
export async function uploadChosenImage(
  api: Api,
  bucketId: string,
  { file, limit, onProgress }: ChosenImage,
): Promise<Result<FileModel>> {
  const image = await prepareImage(file, limit)
  if (!image.ok) return fail({ message: image.problem, code: 400, type: '' })
  return await uploadImage(api, bucketId, { file: image.file, ...(onProgress && { onProgress }) })
}
