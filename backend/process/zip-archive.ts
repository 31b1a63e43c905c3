// A zip archive as a stream: one entry is open at a time, and none is in memory as a whole.
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export type ArchiveEntry = {
  /** Must be safe: relative, without `..`, unique. */
  path: string
  changedAt: Date
  /** False for compressed formats, such as images. */
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
