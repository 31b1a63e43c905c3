// Which image files can be chosen, as far as their name and type tell. What they are is for their
// content to say (prepare-image.ts), and for the server to check again.

import { IMAGE_EXTENSIONS } from '#contract/limits.ts'
import { texts } from '../locales/texts.ts'

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
