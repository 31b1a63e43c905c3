// Reads a zip with a library other than the one that wrote it.
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

export type Zipped = { path: string; bytes: Buffer }

/**
 * @throws Error for a damaged archive, a wrong checksum or a path that leaves the folder it is
 *   unpacked to
 */
export async function readZip(zip: Buffer): Promise<Zipped[]> {
  const archive = await fromBufferPromise(zip, { lazyEntries: true, strictFileNames: true })
  const entries: Zipped[] = []
  for await (const entry of archive.eachEntry()) {
    const bytes = await buffer(await archive.openReadStreamPromise(entry))
    if (crc32(bytes) !== entry.crc32) throw new Error(`${entry.fileName} is damaged`)
    entries.push({ path: entry.fileName, bytes })
  }
  return entries
}
