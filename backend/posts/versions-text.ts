// What is stored of the text of a version. Knows no SQL.
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, brotliDecompress, constants } from 'node:zlib'

export type PackedText = { body: Uint8Array; textBytes: number }

/** Prose becomes a third of its size; a million letters take about 20 ms of a thread. */
const QUALITY = { [constants.BROTLI_PARAM_QUALITY]: 5 }
const OPTIONS = { params: QUALITY }
/** A shorter text takes less time than handing it to a thread. */
const PACKED_NOW_MAX_CHARS = 4000
/** A text this short does not become shorter. */
const PACKED_AS_IT_IS_MAX_BYTES = 200
const compress = promisify<Uint8Array, typeof OPTIONS, Buffer>(brotliCompress)
const decompress = promisify<Uint8Array, Buffer>(brotliDecompress)

/** Beside the event loop: before a transaction, never in one. */
export async function packText(text: string): Promise<PackedText> {
  if (text.length <= PACKED_NOW_MAX_CHARS) return packTextNow(text)
  const bytes = Buffer.from(text)
  return { body: await compress(bytes, OPTIONS), textBytes: bytes.length }
}

function packTextNow(text: string): PackedText {
  const bytes = Buffer.from(text)
  const isTiny = bytes.length > 0 && bytes.length <= PACKED_AS_IT_IS_MAX_BYTES
  return { body: isTiny ? framed(bytes) : compressNow(bytes), textBytes: bytes.length }
}

/** With a window of the size of the text: setting up a larger one costs more than compressing. */
function compressNow(bytes: Uint8Array): Uint8Array {
  const window = Math.ceil(Math.log2(bytes.length + 16))
  const params = {
    ...QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    [constants.BROTLI_PARAM_LGWIN]: Math.min(
      22,
      Math.max(constants.BROTLI_MIN_WINDOW_BITS, window),
    ),
  }
  return brotliCompressSync(bytes, { params })
}

/**
 * A stream of one uncompressed block, and an empty one that ends it.
 *
 * @source RFC 7932 §9.2
 */
function framed(bytes: Uint8Array): Uint8Array {
  const header = ((bytes.length - 1) << 4) | (1 << 20)
  return Buffer.from([header & 255, (header >> 8) & 255, header >> 16, ...bytes, 3])
}

export async function unpackText(body: Uint8Array): Promise<string> {
  return (await decompress(body)).toString()
}
