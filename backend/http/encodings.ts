// Compressing answers that are kept as they are sent: which encoding a request accepts, and bytes
// in it.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** What the body of an answer is encoded with. */
export type Encoding = 'br' | 'gzip' | 'identity'

/** As @fastify/compress has it: the next level costs twice as much for a few percent. */
const BROTLI_QUALITY = 4

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * The best encoding that a request accepts.
 *
 * @source RFC 9110 §12.5.3
 */
export function chooseEncoding(accepted: string | undefined): Encoding {
  const refused = new Set<string>()
  const named = new Set<string>()
  for (const part of (accepted ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((one) => one.trim())
    const isRefused = parameters.some((one) => /^q=0(?:\.0*)?$/.test(one))
    ;(isRefused ? refused : named).add(name)
  }
  const isAccepted = (name: string): boolean =>
    named.has(name) || (named.has('*') && !refused.has(name))
  if (isAccepted('br')) return 'br'
  return isAccepted('gzip') ? 'gzip' : 'identity'
}

export async function encode(html: string, encoding: Encoding): Promise<Buffer> {
  const bytes = Buffer.from(html)
  if (encoding === 'gzip') return compressGzip(bytes)
  if (encoding === 'identity') return bytes
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return compressBrotli(bytes, { params })
}
