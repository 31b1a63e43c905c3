// Numbers of bytes as texts.

import { texts } from '../locales/texts.ts'

const MIB = 1024 * 1024
const KIB = 1024

/** Used or free space, always in MB: "84 MB", "0.3 MB", "0 MB". */
export function spaceText(bytes: number): string {
  return texts.uploads.size.megabytes(Number((bytes / MIB).toFixed(bytes < 10 * MIB ? 1 : 0)))
}

/** The size of a file, with 1024 × 1024 bytes as one MB: "1.8 MB", "12 MB", "340 KB". */
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
