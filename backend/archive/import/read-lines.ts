// Splits a stream of bytes into lines of UTF-8, a few at a time. A line that is too long ends the
// reading before it fills the memory.
import { CopyProblem } from '../../backups/backup-io.ts'

/** Lines that are handed over at once: so many, or fewer if they are long. */
const BATCH_LINES = 25
const BATCH_BYTES = 4 * 1024 * 1024
const NEWLINE = 10

export type Line = { number: number; text: string }

/** @throws CopyProblem for a line that is too long, and for one that is no UTF-8 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  { name, maxBytes }: { name: string; maxBytes: number },
): AsyncGenerator<Line[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let pieces: Buffer[] = []
  let pieceBytes = 0
  let number = 0
  let batch: Line[] = []
  let batchBytes = 0
  const decode = (bytes: Buffer): string => {
    try {
      return decoder.decode(bytes)
    } catch (cause) {
      throw new CopyProblem(`Line ${number} of ${name} is no UTF-8`, { cause })
    }
  }
  const add = (piece: Buffer) => {
    pieceBytes += piece.length
    if (pieceBytes > maxBytes)
      throw new CopyProblem(`Line ${number + 1} of ${name} is longer than ${maxBytes} bytes`)
    pieces.push(piece)
  }
  const endLine = () => {
    number++
    batch.push({ number, text: decode(Buffer.concat(pieces)) })
    batchBytes += pieceBytes
    pieces = []
    pieceBytes = 0
  }
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, end))
      endLine()
      start = end + 1
      if (batch.length < BATCH_LINES && batchBytes < BATCH_BYTES) continue
      yield batch
      batch = []
      batchBytes = 0
    }
    if (start < chunk.length) add(chunk.subarray(start))
  }
  if (pieceBytes > 0) endLine()
  if (batch.length > 0) yield batch
}
