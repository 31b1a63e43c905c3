// The name of a file, which its user chose: used for downloads, never part of a path.
import { encodeExtended } from 'content-disposition'
import { Refusal } from '#contract/errors.ts'
import { truncateAtGrapheme } from '#contract/graphemes.ts'
import { IMAGE_EXTENSIONS } from '#contract/limits.ts'

export const FILE_NAME_MAX_CHARS = 255

/** The extensions of a jpeg; the first is the default. */
const JPEG = ['jpg', 'jpeg']

/**
 * Removes slashes, control and direction characters from a file name. A name that is too long is
 * cut before its extension.
 */
export function cleanName(name: string): string {
  return truncate(name.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069/\\]/gu, ''))
}

function truncate(name: string): string {
  if (name.length <= FILE_NAME_MAX_CHARS) return name
  const tail = /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? ''
  return truncateAtGrapheme(name, FILE_NAME_MAX_CHARS - tail.length) + tail
}

/**
 * A name for an image of a known type: an extension of another type is replaced, a missing one
 * appended.
 *
 * @param extension of the type of the image; `jpg` and `jpeg` are the same
 * @source threat-model.md §8
 */
export function fitName(name: string, extension: string): string {
  const fitting = JPEG.includes(extension) ? JPEG : [extension]
  const [, stem = name, current = ''] = /^(.*)\.([a-z][a-z0-9]{0,9})$/is.exec(name) ?? []
  return fitting.includes(current.toLowerCase())
    ? name
    : truncate(`${stem}.${fitting[0] ?? extension}`)
}

/**
 * The extension of a file name.
 *
 * @throws Refusal `storage_file_type_unsupported` unless it is one of `IMAGE_EXTENSIONS`
 */
export function readExtension(name: string): string {
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  if (!IMAGE_EXTENSIONS.some((allowed) => allowed === extension))
    throw new Refusal('storage_file_type_unsupported')
  return extension
}

/**
 * A `Content-Disposition` with an ASCII fallback besides the real name (RFC 6266, RFC 8187). The
 * name is always quoted, as api.md §4.5 promises; the library's own `create` omits the quotes where
 * it can.
 *
 * @param kind `inline` only for images shown as themselves
 */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const clean = cleanName(name).replaceAll('"', '')
  const plain = clean.replace(/[^\x20-\x7e]/g, '_')
  const extended = plain === clean ? '' : `; filename*=${encodeExtended(clean.toWellFormed())}`
  return `${kind}; filename="${plain}"${extended}`
}
