// The name a person gave a file: shown again at a download, never part of a path.
import { Refusal } from '#contract/errors.ts'
import { FILE_NAME_MAX_CHARS, IMAGE_EXTENSIONS } from '#contract/limits.ts'

/** A file name as text only: no folders, no control or direction characters. */
export function cleanName(name: string): string {
  return name.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069/\\]/gu, '').slice(0, FILE_NAME_MAX_CHARS)
}

/**
 * The extension of a file name.
 *
 * @throws Refusal `storage_file_type_unsupported` when it is not on the list
 */
export function readExtension(name: string): string {
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  if (!IMAGE_EXTENSIONS.some((one) => one === extension)) throw new Refusal('storage_file_type_unsupported')
  return extension
}

/**
 * A `Content-Disposition` with an ASCII fallback beside the real name (RFC 6266, RFC 8187).
 *
 * @param kind `inline` only for pictures shown as themselves
 */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const clean = cleanName(name).replaceAll('"', '')
  const plain = clean.replace(/[^\x20-\x7e]/g, '_')
  const encoded = encodeURIComponent(clean.toWellFormed()).replace(/['()*!]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${kind}; filename="${plain}"${plain === clean ? '' : `; filename*=UTF-8''${encoded}`}`
}
