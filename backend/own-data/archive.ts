// A zip archive that is written while it is read: one entry open at a time, none held in memory as
// a whole. Knows nothing of what is in it.

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { normalised, trimmed } from '#contract/plain-text.ts'

export type ArchiveEntry = {
  /** The caller makes it safe: relative, without `..`, unique. */
  path: string
  changedAt: Date
  /** False for what is compressed already, such as images. */
  isCompressible: boolean
  /**
   * Called when the entry is written.
   * @returns undefined when the bytes no longer exist: the entry is then empty
   */
  open(): Promise<Readable | undefined>
}

/**
 * @returns the archive as a stream. It fails when an entry fails, and closes the open entry when
 *   its reader disconnects
 */
export function makeArchive(entries: readonly ArchiveEntry[]): Readable {
  const zip = new ZipFile()
  let current: Readable | undefined
  const output = zip.outputStream as Readable
  for (const { path, changedAt, isCompressible, open } of entries) {
    zip.addReadStreamLazy(path, { mtime: changedAt, compress: isCompressible }, (done) => {
      open().then(
        (bytes = Readable.from([])) => {
          current = bytes
          bytes.once('error', (error) => output.destroy(error))
          if (output.destroyed) bytes.destroy()
          else done(undefined, bytes)
        },
        (error: unknown) => done(error, Readable.from([])),
      )
    })
  }
  zip.on('error', (error: Error) => output.destroy(error))
  output.once('close', () => current?.destroy())
  zip.end()
  return output
}

const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} ._()-]+/gu
/** Names that Windows reserves for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** As long as the numbers of a person's files become. */
const NUMBER_ROOM = '-99999'

/**
 * Gives each file of a folder a name that every operating system can unpack: letters, digits,
 * `. _ ( ) -` and inner spaces, unique in any letter case, the extension kept.
 *
 * @param maxChars of one name
 */
export function makeSafeNames(maxChars: number): (name: string) => string {
  const taken = new Set<string>()
  /** The next number of names that begin and end alike: none is tried twice. */
  const nextNumbers = new Map<string, number>()
  return (name) => {
    const clean = trimmed(normalised(name.toWellFormed()).replace(NOT_IN_A_NAME, '_'), ' .')
    const dot = clean.lastIndexOf('.')
    const extension = dot > 0 && clean.length - dot <= 6 ? clean.slice(dot) : ''
    const stem = clean.slice(0, clean.length - extension.length) || 'file'
    const withSuffix = (suffix: string) => {
      const start = RESERVED.test(stem + suffix) ? `_${stem}` : stem
      return start.slice(0, maxChars - suffix.length).toWellFormed() + suffix
    }
    const alike = withSuffix(NUMBER_ROOM + extension).toLowerCase()
    let safe = withSuffix(extension)
    for (let number = nextNumbers.get(alike) ?? 2; taken.has(safe.toLowerCase()); number++) {
      safe = withSuffix(`-${number}${extension}`)
      nextNumbers.set(alike, number + 1)
    }
    taken.add(safe.toLowerCase())
    return safe
  }
}
