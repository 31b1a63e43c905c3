// Stores bytes in one bucket of an S3 server, under one prefix. Independent of rows. The client
// library is loaded on first use, which saves a server with files on disk 150 ms and its memory.
import { pipeline, Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3 } from '@aws-sdk/client-s3'
import type { S3Config } from '../settings/read-settings.ts'
import {
  type BlobEntry,
  BlobSizeMismatch,
  type BlobStore,
  type StoredBlob,
  storageUnreachable,
} from './blob-store.ts'

/** How many attempts a call to the S3 server has. */
const S3_ATTEMPTS = 3
const S3_CONNECT_TIMEOUT_MS = 3000
/** How long the S3 server may send nothing, before or during a response; then 503. */
export const S3_SILENCE_TIMEOUT_MS = 10_000
/** How long a connection may be idle because the reader of a file is slow. */
const S3_SLOW_READER_TIMEOUT_MS = 60_000
const S3_SOCKETS_MAX = 256

/** Reserved for this blog: the sweep removes objects without a row. */
const FILES_PREFIX = 'files/'
/** How long no call is made after a timeout. Then a single call tries first. */
const CIRCUIT_OPEN_MS = 5000
const FIRST_RETRY_DELAY_MS = 200
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const MISSING = ['NoSuchKey', 'NotFound']
const BEYOND_END = 'InvalidRange'

/** `options` are for the client; `touch` restarts the idle timer. */
type Call<Result> = (
  s3: S3,
  options: { abortSignal: AbortSignal },
  touch: () => void,
) => Promise<Result>

type S3Context = {
  config: S3Config
  prefix: string
  spool: BlobStore
  silenceMs: number
  circuitBreaker: ReturnType<typeof makeCircuitBreaker>
  /** Connected with the first call. */
  connection: Promise<S3> | undefined
}

/**
 * Stores bytes at an S3 server.
 *
 * @param options `spool` stores bytes until they are sent, because the server needs their number
 *   and checksum first; `prefix` begins the names of all objects; `silenceMs` is how long the
 *   server may send nothing
 * @throws (from each call) Refusal `general_service_disabled` when the server cannot be reached or
 *   refuses the call
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
  const circuitBreaker = makeCircuitBreaker({ openMs: CIRCUIT_OPEN_MS, limitMs: silenceMs }, nowMs)
  const context: S3Context = {
    config,
    prefix,
    spool,
    silenceMs,
    circuitBreaker,
    connection: undefined,
  }
  return {
    async put(name, bytes, maxBytes) {
      const spooled = `${name}.s3`
      const stored = await spool.put(spooled, bytes, maxBytes)
      await sendWithRetries(context, name, spooled, stored).finally(() => spool.remove(spooled))
      return stored
    },
    open: (name, range, sizeBytes) => openObject(context, name, range, sizeBytes),
    async has(name) {
      const key = keyOf(context, name)
      return (await send(context, (s3, options) => s3.headObject(key, options))) !== undefined
    },
    async remove(name) {
      await send(context, (s3, options) => s3.deleteObject(keyOf(context, name), options))
    },
    list: () => listObjects(context),
  }
}

function keyOf({ config, prefix }: S3Context, name: string): { Bucket: string; Key: string } {
  return { Bucket: config.bucket, Key: prefix + name }
}

/** @returns undefined for a missing key. @throws Refusal for every other failure */
async function send<Result>(context: S3Context, call: Call<Result>): Promise<Result | undefined> {
  context.connection ??= connect(context.config)
  const s3 = await context.connection
  const { circuitBreaker } = context
  const timeout = circuitBreaker.findTimeout()
  if (timeout) throw storageUnreachable(timeout)
  try {
    const response = await withIdleTimeout(context.silenceMs, (signal, touch) =>
      call(s3, { abortSignal: signal }, touch),
    )
    circuitBreaker.record()
    return response
  } catch (error) {
    circuitBreaker.record(error)
    if (error instanceof Error && MISSING.includes(error.name)) return undefined
    if (error instanceof Error && error.name === BEYOND_END)
      throw new BlobSizeMismatch('The object ends before the part', { cause: error })
    throw storageUnreachable(error)
  }
}

/** Retries here, because the client library cannot rewind a stream. */
async function sendWithRetries(
  context: S3Context,
  name: string,
  spooled: string,
  stored: StoredBlob,
) {
  for (let attempt = 1; ; attempt++) {
    const body = await context.spool.open(spooled)
    if (!body) throw new Error('The bytes to send are gone')
    const object = {
      ...keyOf(context, name),
      ContentLength: stored.sizeBytes,
      // The server refuses bytes that were damaged in transit.
      ContentMD5: Buffer.from(stored.signature, 'hex').toString('base64'),
    }
    try {
      await send(context, (s3, options, touch) => {
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
      await delay(FIRST_RETRY_DELAY_MS * 2 ** attempt)
    } finally {
      body.destroy()
    }
  }
}

/** @throws BlobSizeMismatch when the object has another size than `sizeBytes` */
async function openObject(
  context: S3Context,
  ...[name, range, sizeBytes]: Parameters<BlobStore['open']>
): Promise<Readable | undefined> {
  const rangeHeader = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
  const object = { ...keyOf(context, name), ...rangeHeader }
  const response = await send(context, (s3, options) => s3.getObject(object, options))
  if (!response) return undefined
  const body = response.Body as Readable
  const total = response.ContentRange?.split('/')[1] ?? response.ContentLength
  if (sizeBytes !== undefined && Number(total) !== sizeBytes) {
    body.destroy()
    throw new BlobSizeMismatch(`There are ${total} bytes and not ${sizeBytes}`)
  }
  return Readable.from(readBody(context, body), { objectMode: false })
}

/** Limits how long the server may send nothing. A slow reader does not count. */
async function* readBody({ silenceMs, circuitBreaker }: S3Context, body: Readable) {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withIdleTimeout(silenceMs, () => pieces.next())
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    circuitBreaker.record(error)
    throw storageUnreachable(error)
  } finally {
    body.destroy()
  }
}

async function* listObjects(context: S3Context): AsyncIterable<BlobEntry> {
  const scope = { Bucket: context.config.bucket, Prefix: context.prefix }
  for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
    const from = token === undefined ? {} : { ContinuationToken: token }
    const page = await send(context, (s3, options) =>
      s3.listObjectsV2({ ...scope, ...from }, options),
    )
    for (const { Key, LastModified } of page?.Contents ?? []) {
      const changedAtMs = LastModified?.getTime() ?? Date.now()
      if (Key)
        yield { name: Key.slice(context.prefix.length), changedAtMs: async () => changedAtMs }
    }
    token = page?.NextContinuationToken
  }
}

/**
 * Checks that the bucket can be used, so that wrong settings are reported at the start and not with
 * the first upload.
 *
 * @throws Error that names the setting to correct
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
    // Bucket names in the path, and checksums only where S3 requires them: the servers of all
    // vendors support that.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: S3_ATTEMPTS,
    // The default logger writes errors to the console, although they are also thrown.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: S3_CONNECT_TIMEOUT_MS,
      socketTimeout: S3_SLOW_READER_TIMEOUT_MS,
      httpAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
      httpsAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
    },
  })
}

/** Whether a retry is useless, after a timeout or a 4xx response. */
function isFinal({ cause }: Error): boolean {
  if (isTimeout(cause)) return true
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
 * @throws Error named TimeoutError then, even if `work` ignores the signal
 */
async function withIdleTimeout<Result>(
  limitMs: number,
  work: (signal: AbortSignal, touch: () => void) => Promise<Result>,
): Promise<Result> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const controller = new AbortController()
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`No sign of life for ${limitMs} ms`, 'TimeoutError'))
    reject(controller.signal.reason)
  }, limitMs)
  const working = work(controller.signal, () => void timer.refresh())
  return await Promise.race([working, timeout]).finally(() => clearTimeout(timer))
}

function isTimeout(error: unknown): error is Error {
  return error instanceof Error && error.name === 'TimeoutError'
}

/**
 * A circuit breaker, so that not every call waits for a server that does not respond: after a
 * timeout no call is made for `openMs`. Then one call tries, and for the `limitMs` that it may take
 * all others are still refused.
 */
export function makeCircuitBreaker(
  { openMs, limitMs }: { openMs: number; limitMs: number },
  nowMs = () => performance.now(),
) {
  let timeout: { error: Error; untilMs: number } | undefined
  return {
    /** @returns the timeout that forbids calls now; undefined when a call may be made */
    findTimeout(): Error | undefined {
      if (!timeout) return undefined
      if (nowMs() < timeout.untilMs) return timeout.error
      timeout.untilMs = nowMs() + limitMs
      return undefined
    },
    /** Records the outcome of a call. */
    record(error?: unknown): void {
      timeout = isTimeout(error) ? { error, untilMs: nowMs() + openMs } : undefined
    },
  }
}
