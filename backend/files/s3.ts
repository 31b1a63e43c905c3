// Stores bytes in one bucket of an S3 server, all under one prefix. Independent of rows. The client
// is loaded with its first use, which saves a server with files on disk 150 ms and the memory.
import { pipeline, Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3 } from '@aws-sdk/client-s3'
import type { S3Config } from '../settings/read-settings.ts'
import {
  type BlobEntry,
  type BlobStore,
  type StoredBlob,
  storageUnreachable,
  TruncatedBlob,
} from './blob-store.ts'

/** How often one call to the S3 server is tried. */
const S3_ATTEMPTS = 3
const S3_CONNECT_TIMEOUT_MS = 3000
/** How long the S3 server may be silent, before its response or in the middle of it. Then: 503. */
export const S3_SILENCE_TIMEOUT_MS = 10_000
/** How long a connection to it may be idle because the reader of a file is slow. */
const S3_SLOW_READER_TIMEOUT_MS = 60_000
const S3_SOCKETS_MAX = 256

/** Reserved for this blog: the sweep removes what has no row. */
const FILES_PREFIX = 'files/'
/** After a silence no call is made for so long; then one tries, before the others may. */
const AWAY_MS = 5000
const FIRST_PAUSE_MS = 200
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const MISSING = ['NoSuchKey', 'NotFound']
const BEYOND_END = 'InvalidRange'

/** `options` are for the call; `touch` restarts the idle timer. */
type Call<Answer> = (
  s3: S3,
  options: { abortSignal: AbortSignal },
  touch: () => void,
) => Promise<Answer>

type Services = {
  config: S3Config
  prefix: string
  spool: BlobStore
  silenceMs: number
  absence: ReturnType<typeof makeCircuitBreaker>
  /** Made with the first call. */
  connection: Promise<S3> | undefined
}

/**
 * Stores bytes at an S3 server.
 *
 * @param options `spool` holds bytes until they are sent: the server needs their number and
 *   checksum before the first of them, and none of it has to be in memory as a whole; `prefix`
 *   begins the names of all objects; `silenceMs` is how long the server may be silent
 * @throws (from each call) Refusal `general_service_disabled` when the server cannot be reached or
 *   refuses
 */
export function makeS3(
  config: S3Config,
  {
    spool,
    prefix = FILES_PREFIX,
    silenceMs = S3_SILENCE_TIMEOUT_MS,
    nowMs,
  }: { spool: BlobStore; prefix?: string; silenceMs?: number; nowMs?: () => number },
): BlobStore {
  const absence = makeCircuitBreaker({ awayMs: AWAY_MS, limitMs: silenceMs }, nowMs)
  const parts: Services = { config, prefix, spool, silenceMs, absence, connection: undefined }
  return {
    async put(name, bytes, maxBytes) {
      const spooled = `${name}.s3`
      const kept = await spool.put(spooled, bytes, maxBytes)
      await sendWithRetries(parts, name, spooled, kept).finally(() => spool.remove(spooled))
      return kept
    },
    open: (name, range, sizeBytes) => openObject(parts, name, range, sizeBytes),
    async has(name) {
      const key = keyOf(parts, name)
      return (await ask(parts, (s3, options) => s3.headObject(key, options))) !== undefined
    },
    async remove(name) {
      await ask(parts, (s3, options) => s3.deleteObject(keyOf(parts, name), options))
    },
    list: () => listObjects(parts),
  }
}

function keyOf({ config, prefix }: Services, name: string): { Bucket: string; Key: string } {
  return { Bucket: config.bucket, Key: prefix + name }
}

/** @returns undefined for a missing key. @throws Refusal for every other failure */
async function ask<Answer>(parts: Services, call: Call<Answer>): Promise<Answer | undefined> {
  parts.connection ??= connect(parts.config)
  const s3 = await parts.connection
  const { absence } = parts
  const silence = absence.find()
  if (silence) throw storageUnreachable(silence)
  try {
    const answer = await withIdleTimeout(parts.silenceMs, (signal, touch) =>
      call(s3, { abortSignal: signal }, touch),
    )
    absence.note()
    return answer
  } catch (error) {
    absence.note(error)
    if (error instanceof Error && MISSING.includes(error.name)) return undefined
    if (error instanceof Error && error.name === BEYOND_END)
      throw new TruncatedBlob('The object ends before the part', { cause: error })
    throw storageUnreachable(error)
  }
}

/** The client itself does not retry a stream, because it cannot rewind it. */
async function sendWithRetries(parts: Services, name: string, spooled: string, kept: StoredBlob) {
  for (let attempt = 1; ; attempt++) {
    const body = await parts.spool.open(spooled)
    if (!body) throw new Error('The bytes to send are gone')
    const object = {
      ...keyOf(parts, name),
      ContentLength: kept.sizeBytes,
      // The server refuses bytes that were changed on the way.
      ContentMD5: Buffer.from(kept.signature, 'hex').toString('base64'),
    }
    try {
      await ask(parts, (s3, options, touch) => {
        async function* onEachChunk(pieces: AsyncIterable<Uint8Array>) {
          for await (const piece of pieces) {
            touch()
            yield piece
          }
        }
        return s3.putObject({ ...object, Body: pipeline(body, onEachChunk, () => {}) }, options)
      })
      return
    } catch (error) {
      if (attempt === S3_ATTEMPTS || isFinal(error as Error)) throw error
      await delay(FIRST_PAUSE_MS * 2 ** attempt)
    } finally {
      body.destroy()
    }
  }
}

/** @throws TruncatedBlob when the object has another size than `sizeBytes` */
async function openObject(
  parts: Services,
  ...[name, range, sizeBytes]: Parameters<BlobStore['open']>
): Promise<Readable | undefined> {
  const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
  const object = { ...keyOf(parts, name), ...part }
  const answer = await ask(parts, (s3, options) => s3.getObject(object, options))
  if (!answer) return undefined
  const body = answer.Body as Readable
  const total = answer.ContentRange?.split('/')[1] ?? answer.ContentLength
  if (sizeBytes !== undefined && Number(total) !== sizeBytes) {
    body.destroy()
    throw new TruncatedBlob(`There are ${total} bytes and not ${sizeBytes}`)
  }
  return Readable.from(readBody(parts, body), { objectMode: false })
}

/** The server may fall silent in the middle. A slow reader does not count as silence. */
async function* readBody({ silenceMs, absence }: Services, body: Readable) {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withIdleTimeout(silenceMs, () => pieces.next())
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    absence.note(error)
    throw storageUnreachable(error)
  } finally {
    body.destroy()
  }
}

async function* listObjects(parts: Services): AsyncIterable<BlobEntry> {
  const scope = { Bucket: parts.config.bucket, Prefix: parts.prefix }
  for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
    const from = token === undefined ? {} : { ContinuationToken: token }
    const page = await ask(parts, (s3, options) => s3.listObjectsV2({ ...scope, ...from }, options))
    for (const { Key, LastModified } of page?.Contents ?? []) {
      const changedAtMs = LastModified?.getTime() ?? Date.now()
      if (Key) yield { name: Key.slice(parts.prefix.length), changedAtMs: async () => changedAtMs }
    }
    token = page?.NextContinuationToken
  }
}

/**
 * Asks once whether the bucket can be used, so that wrong settings show at the start and not with
 * the first upload.
 *
 * @throws Error that names the setting to look at
 */
export async function requireBucket(config: S3Config): Promise<void> {
  const s3 = await connect(config)
  try {
    await withIdleTimeout(S3_SILENCE_TIMEOUT_MS, (abortSignal) =>
      s3.headBucket({ Bucket: config.bucket }, { abortSignal }),
    )
  } catch (cause) {
    const status = statusOf(cause)
    if (status === 404)
      throw new Error(`BLOG_S3_BUCKET: there is no bucket "${config.bucket}"`, { cause })
    if (status === 403)
      throw new Error(
        'BLOG_S3_ACCESS_KEY, BLOG_S3_SECRET_KEY: the S3 server refuses them for this bucket',
        { cause },
      )
    throw new Error(
      `BLOG_S3_ENDPOINT: no good answer from ${config.endpoint} (is BLOG_S3_REGION right?)`,
      { cause },
    )
  } finally {
    s3.destroy()
  }
}

async function connect({ endpoint, region, accessKey, secretKey }: S3Config): Promise<S3> {
  const { S3 } = await import('@aws-sdk/client-s3')
  return new S3({
    endpoint,
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    // Bucket names in the path, and checksums only where S3 demands them: servers of all vendors
    // understand that.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: S3_ATTEMPTS,
    // By default it writes to the console what it also throws.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: S3_CONNECT_TIMEOUT_MS,
      socketTimeout: S3_SLOW_READER_TIMEOUT_MS,
      httpAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
      httpsAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
    },
  })
}

/** Whether trying again is useless: the server is silent, or refuses for good. */
function isFinal({ cause }: Error): boolean {
  if (isSilence(cause)) return true
  const status = statusOf(cause) ?? 500
  return status >= 400 && status < 500
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata
    ?.httpStatusCode
}

/**
 * Waits for `work` until it has been idle for `limitMs`.
 *
 * @throws Error of the name TimeoutError then, even if the work ignores the signal
 */
async function withIdleTimeout<Result>(
  limitMs: number,
  work: (signal: AbortSignal, touch: () => void) => Promise<Result>,
): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No sign of life for ${limitMs} ms`, 'TimeoutError'))
    reject(controller.signal.reason)
  }, limitMs)
  const working = work(controller.signal, () => void timer.refresh())
  return await Promise.race([working, silence]).finally(() => clearTimeout(timer))
}

function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.name === 'TimeoutError'
}

/**
 * Remembers that a server was silent, so that not every call waits for it: for `awayMs` no call is
 * made, then one tries, while the others are refused for the `limitMs` that it may take.
 */
export function makeCircuitBreaker(
  { awayMs, limitMs }: { awayMs: number; limitMs: number },
  nowMs = () => performance.now(),
) {
  let silence: { error: Error; untilMs: number } | undefined
  return {
    /** @returns the silence, while no call may be made */
    find(): Error | undefined {
      if (!silence) return undefined
      if (nowMs() < silence.untilMs) return silence.error
      silence.untilMs = nowMs() + limitMs
      return undefined
    },
    /** Records how a call ended. */
    note(error?: unknown): void {
      silence = isSilence(error) ? { error, untilMs: nowMs() + awayMs } : undefined
    },
  }
}
