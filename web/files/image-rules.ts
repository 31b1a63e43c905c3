// Which image files the site accepts, checked before anything is sent. The server checks the
// content again; this only saves the upload.

import { IMAGE_EXTENSIONS } from '#contract/limits.ts'
import { texts } from '../locales/texts.ts'

/** The `accept` attribute of the file input. */
export const IMAGE_ACCEPT = IMAGE_EXTENSIONS.map((extension) => `.${extension}`).join(',')

const MIB = 1024 * 1024
const KIB = 1024
const MIME_TYPES = ['image/png', 'image/jpeg', 'image/gif']

type FileFacts = Pick<File, 'name' | 'size' | 'type'>

function isImage({ name, type }: FileFacts): boolean {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (
    IMAGE_EXTENSIONS.some((known) => known === extension) &&
    (type === '' || MIME_TYPES.includes(type))
  )
}

/**
 * Why a file can not be used, as a sentence to show; undefined when it can.
 *
 * @param limit `maxBytes` is inclusive; `tooLarge` is the sentence for a larger file
 */
export function findImageProblem(
  file: FileFacts,
  limit: { maxBytes: number; tooLarge: string },
): string | undefined {
  if (file.size > limit.maxBytes) return limit.tooLarge
  if (!isImage(file)) return texts.images.wrongType
  if (file.size === 0) return texts.images.empty
  return undefined
}

/** Space for people, always in MB: "84 MB", "0.3 MB", "0 MB". */
export function spaceText(bytes: number): string {
  return texts.uploads.size.megabytes(Number((bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0)))
}

/** A number of bytes for people, in MB of 1024 × 1024: "1.8 MB", "12 MB", "340 KB". */
export function sizeText(bytes: number): string {
  const { size } = texts.uploads
  if (bytes < MIB) return size.kilobytes(Math.max(bytes > 0 ? 1 : 0, Math.round(bytes / KIB)))
  return size.megabytes(Number((bytes / MIB).toFixed(1)))
}

/** How far an upload is: "1.2 of 1.8 MB". */
export function progressText(sentBytes: number, totalBytes: number): string {
  const unit = totalBytes < MIB ? KIB : MIB
  const sent = unit === MIB ? Number((sentBytes / MIB).toFixed(1)) : Math.round(sentBytes / KIB)
  return texts.uploads.progress(sent, sizeText(totalBytes))
}
