// Keeps bytes in one bucket of an S3 server, all under one prefix. Knows nothing of files as people
// see them. The client is loaded with the first use: a server that keeps its files on disk saves
// 150 ms and the memory.
import { pipeline, Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../settings/read-settings.ts'
import { CutShort, type Keeper, type Kept, type Listed, unreachable } from './keeper.ts'
import { type Absence, makeAbsence, type Silence, watched, withoutSilence } from './silence.ts'

/** How often one call to the S3 server is tried. */
const S3_ATTEMPTS = 3
const S3_CONNECT_TIMEOUT_MS = 3000
/** How long the S3 server may be silent, before its answer or in the middle of it. Then: 503. */
export const S3_SILENCE_TIMEOUT_MS = 10_000
/** How long a connection to it may be idle because the reader of a file takes its time. */
const S3_SLOW_READER_TIMEOUT_MS = 60_000
const S3_SOCKETS_MAX = 256

/** The sweep removes what it finds here without a row, so nothing else may live under it. */
const FILES_PREFIX = 'files/'
/** After a silence nobody asks it for so long; then one call does, before the others may. */
const AWAY_MS = 5000
const FIRST_PAUSE_MS = 200
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const MISSING = ['NoSuchKey', 'NotFound']
const BEYOND_END = 'InvalidRange'

type S3 = typeof import('@aws-sdk/client-s3')
type Connection = { s3: S3; client: S3Client }

type Parts = {
  config: S3Config
  prefix: string
  spool: Keeper
  silenceMs: number
  absence: Absence
  /** Made with the first call. */
  connection: Promise<Connection> | undefined
}

/**
 * Keeps bytes at an S3 server.
 *
 * @param needs `spool` holds bytes until they are sent: the server wants their number and checksum
 *   before the first of them, and this way nothing has to be in memory as a whole; `prefix` is what
 *   the names of its objects begin with; `silenceMs` is how long the server may be silent
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
  }: { spool: Keeper; prefix?: string; silenceMs?: number; nowMs?: () => number },
): Keeper {
  const absence = makeAbsence({ awayMs: AWAY_MS, limitMs: silenceMs }, nowMs)
  const parts: Parts = { config, prefix, spool, silenceMs, absence, connection: undefined }
  const prepare: Keeper['prepare'] = async (name, bytes, maxBytes) => {
    const spooled = `${name}.s3`
    const kept = await spool.put(spooled, bytes, maxBytes)
    const finish = () =>
      sendWithRetries(parts, name, spooled, kept).finally(() => spool.remove(spooled))
    return { ...kept, finish }
  }
  return {
    async put(...given) {
      const { finish, ...kept } = await prepare(...given)
      await finish()
      return kept
    },
    prepare,
    open: (name, range, sizeBytes) => openObject(parts, name, range, sizeBytes),
    has: (name) => hasObject(parts, name),
    async remove(name) {
      await ask(parts, ({ s3, client }, abortSignal) =>
        client.send(new s3.DeleteObjectCommand(keyOf(parts, name)), { abortSignal }),
      )
    },
    list: () => listObjects(parts),
  }
}

function keyOf({ config, prefix }: Parts, name: string): { Bucket: string; Key: string } {
  return { Bucket: config.bucket, Key: prefix + name }
}

/**
 * @param call is aborted when the server is silent
 * @returns undefined for a missing key; every other failure is the server's
 */
async function ask<Answer>(
  parts: Parts,
  call: (connection: Connection, signal: AbortSignal, touch: Silence['touch']) => Promise<Answer>,
): Promise<Answer | undefined> {
  parts.connection ??= connect(parts.config)
  const connection = await parts.connection
  const { absence } = parts
  const silence = absence.find()
  if (silence) throw unreachable(silence)
  try {
    const answer = await withoutSilence(parts.silenceMs, ({ signal, touch }) =>
      call(connection, signal, touch),
    )
    absence.note()
    return answer
  } catch (error) {
    absence.note(error)
    if (error instanceof Error && MISSING.includes(error.name)) return undefined
    if (error instanceof Error && error.name === BEYOND_END)
      throw new CutShort('The object ends before the part', { cause: error })
    throw unreachable(error)
  }
}

/** The client itself does not retry a stream, because it cannot rewind it. */
async function sendWithRetries(
  parts: Parts,
  name: string,
  spooled: string,
  kept: Kept,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const body = await parts.spool.open(spooled)
    if (!body) throw new Error('The bytes to send are gone')
    try {
      await sendOnce(parts, name, body, kept)
      return
    } catch (error) {
      if (attempt === S3_ATTEMPTS || isFinal(error)) throw error
      await delay(FIRST_PAUSE_MS * 2 ** attempt)
    } finally {
      body.destroy()
    }
  }
}

function sendOnce(parts: Parts, name: string, body: Readable, { sizeBytes, signature }: Kept) {
  return ask(parts, ({ s3, client }, abortSignal, touch) => {
    const input = {
      ...keyOf(parts, name),
      Body: pipeline(body, watched(touch), () => {}),
      ContentLength: sizeBytes,
      // The server refuses bytes that were changed on the way.
      ContentMD5: Buffer.from(signature, 'hex').toString('base64'),
    }
    return client.send(new s3.PutObjectCommand(input), { abortSignal })
  })
}

/** @throws CutShort when the object has another size than `sizeBytes` */
async function openObject(
  parts: Parts,
  ...[name, range, sizeBytes]: Parameters<Keeper['open']>
): Promise<Readable | undefined> {
  const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
  const answer = await ask(parts, ({ s3, client }, abortSignal) =>
    client.send(new s3.GetObjectCommand({ ...keyOf(parts, name), ...part }), { abortSignal }),
  )
  if (!answer) return undefined
  const body = answer.Body as Readable
  const total = answer.ContentRange?.split('/')[1] ?? answer.ContentLength
  if (sizeBytes !== undefined && Number(total) !== sizeBytes) {
    body.destroy()
    throw new CutShort(`There are ${total} bytes and not ${sizeBytes}`)
  }
  return Readable.from(readBody(parts, body), { objectMode: false })
}

/** The server may fall silent in the middle. A reader that takes its time is no silence. */
async function* readBody({ silenceMs, absence }: Parts, body: Readable): AsyncIterable<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await withoutSilence(silenceMs, () => pieces.next())
      if (next.done) return
      yield next.value
    }
  } catch (error) {
    absence.note(error)
    throw unreachable(error)
  } finally {
    body.destroy()
  }
}

async function* listObjects(parts: Parts): AsyncIterable<Listed> {
  const scope = { Bucket: parts.config.bucket, Prefix: parts.prefix }
  for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
    const from = token === undefined ? {} : { ContinuationToken: token }
    const page = await ask(parts, ({ s3, client }, abortSignal) =>
      client.send(new s3.ListObjectsV2Command({ ...scope, ...from }), { abortSignal }),
    )
    for (const { Key, LastModified } of page?.Contents ?? []) {
      const changedAtMs = LastModified?.getTime() ?? Date.now()
      if (Key) yield { name: Key.slice(parts.prefix.length), changedAtMs: async () => changedAtMs }
    }
    token = page?.NextContinuationToken
  }
}

async function hasObject(parts: Parts, name: string): Promise<boolean> {
  const found = await ask(parts, ({ s3, client }, abortSignal) =>
    client.send(new s3.HeadObjectCommand(keyOf(parts, name)), { abortSignal }),
  )
  return found !== undefined
}

/**
 * Asks once whether the bucket can be used, so that wrong settings show at the start and not with
 * the first upload.
 *
 * @throws Error that names the setting to look at
 */
export async function requireBucket(config: S3Config): Promise<void> {
  const { s3, client } = await connect(config)
  try {
    await withoutSilence(S3_SILENCE_TIMEOUT_MS, ({ signal: abortSignal }) =>
      client.send(new s3.HeadBucketCommand({ Bucket: config.bucket }), { abortSignal }),
    )
  } catch (cause) {
    const status =
      cause instanceof s3.S3ServiceException ? cause.$metadata.httpStatusCode : undefined
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
    client.destroy()
  }
}

async function connect({ endpoint, region, accessKey, secretKey }: S3Config): Promise<Connection> {
  const s3 = await import('@aws-sdk/client-s3')
  const client = new s3.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    // Bucket names in the path, and checksums only where S3 demands them: what the servers of all
    // vendors understand.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: S3_ATTEMPTS,
    // Otherwise it writes to the console what it also throws.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: S3_CONNECT_TIMEOUT_MS,
      socketTimeout: S3_SLOW_READER_TIMEOUT_MS,
      httpAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
      httpsAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
    },
  })
  return { s3, client }
}

/** Refused for a reason that trying again does not change, such as a wrong key; or silent. */
function isFinal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && cause.name === 'TimeoutError') return true
  const { $metadata: { httpStatusCode = 500 } = {} } = (cause ?? {}) as {
    $metadata?: { httpStatusCode?: number }
  }
  return httpStatusCode >= 400 && httpStatusCode < 500
}
