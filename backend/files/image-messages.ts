// Messages between an image process and its parent over a pipe: the lengths of both parts, a head
// as JSON, and bytes, which are copied once. Node's own channel copies them three times, which
// blocks the event loop for more than 30 ms at 20 MB.
import type { Readable, Writable } from 'node:stream'

const PREFIX_BYTES = 8

export function writeMessage(to: Writable, head: object, bytes: Uint8Array): void {
  const text = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(text.length, 0)
  prefix.writeUInt32BE(bytes.length, 4)
  to.write(Buffer.concat([prefix, text]))
  if (bytes.length > 0) to.write(bytes)
}

export type Message<Head> = { head: Head; bytes: Buffer }

/** Ends when the stream ends or fails. The sender waits for a response to each message. */
export async function* readMessages<Head>(
  from: Readable,
): AsyncGenerator<Message<Head>, undefined> {
  let pieces: Buffer[] = []
  let length = 0
  let neededLength = PREFIX_BYTES
  try {
    for await (const piece of from as AsyncIterable<Buffer>) {
      pieces.push(piece)
      length += piece.length
      if (length < neededLength) continue
      const whole = Buffer.concat(pieces)
      const end = PREFIX_BYTES + whole.readUInt32BE(0)
      neededLength = end + whole.readUInt32BE(4)
      pieces = [whole]
      if (length < neededLength) continue
      pieces = []
      length = 0
      neededLength = PREFIX_BYTES
      const head = JSON.parse(whole.toString('utf8', PREFIX_BYTES, end)) as Head
      yield { head, bytes: whole.subarray(end) }
    }
  } catch {
    return undefined
  }
}
