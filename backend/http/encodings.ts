// Compressing answers: which encoding a request accepts, and bytes in it.
import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
} from 'node:zlib'

/** What the body of an answer is encoded with. */
export type Encoding = 'br' | 'gzip' | 'identity'

type Levels = { brotli: number; gzip: number }

/** Brotli at 4 makes pages a twelfth larger, and at 9 takes four times as long for a fiftieth. */
const LEVELS_OF_CACHED: Levels = { brotli: 5, gzip: constants.Z_DEFAULT_COMPRESSION }
/** The levels above cost twice as much for a tenth. */
const LEVELS_ONCE: Levels = { brotli: 1, gzip: 1 }
const MIN_WINDOW_BITS = 14
/** A millisecond of work at most: handing it to another thread costs half of that again. */
const AT_ONCE_MAX_BYTES = 64 * 1024

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** Shorter bodies are sent as they are. */
export const COMPRESSED_FROM_BYTES = 1024

/**
 * The best encoding that a request accepts.
 *
 * @source RFC 9110 §12.5.3
 */
export function chooseEncoding(accepted = ''): Encoding {
  const refused = new Set<string>()
  const named = new Set<string>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim())
    const isRefused = parameters.some((one) => /^q=0(?:\.0*)?$/.test(one))
    ;(isRefused ? refused : named).add(name)
  }
  const isAccepted = (name: string): boolean =>
    named.has(name) || (named.has('*') && !refused.has(name))
  if (isAccepted('br')) return 'br'
  return isAccepted('gzip') ? 'gzip' : 'identity'
}

/** For what is cached: the result takes no more memory than its length. */
export async function encode(text: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return asExact(await compress(text, encoding, LEVELS_OF_CACHED))
}

/** For what is sent to one reader only. */
export function encodeOnce(text: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return compress(text, encoding, LEVELS_ONCE)
}

async function compress(
  text: string | Buffer,
  encoding: Encoding,
  levels: Levels,
): Promise<Buffer> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  if (encoding === 'identity') return bytes
  const isAtOnce = bytes.length <= AT_ONCE_MAX_BYTES
  if (encoding === 'gzip') {
    const options = { level: levels.gzip }
    return isAtOnce ? gzipSync(bytes, options) : compressGzip(bytes, options)
  }
  const options = brotliOptions(bytes, levels)
  return isAtOnce ? brotliCompressSync(bytes, options) : compressBrotli(bytes, options)
}

function brotliOptions({ length }: Buffer, { brotli }: Levels): BrotliOptions {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: brotli,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
    [constants.BROTLI_PARAM_LGWIN]: windowBits(length),
  }
  return { params }
}

/**
 * Bytes that take no more memory than their length: what compresses gives the beginning of a larger
 * buffer, and short texts are put into one that others share.
 */
export function asExact(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}

/**
 * The window that holds the whole body, as a power of two: the default of 4 MB is counted as memory
 * of the heap, and its garbage collection costs more than compressing a page.
 */
function windowBits(bytes: number): number {
  const bits = Math.ceil(Math.log2(bytes + 1))
  return Math.min(Math.max(bits, MIN_WINDOW_BITS), constants.BROTLI_DEFAULT_WINDOW)
}
