// Keeps bytes in one bucket of an S3 server, all under one prefix. Knows nothing of files as people
// see them. The client is loaded with the first use: a server that keeps its files on disk is
// spared 150 ms and its memory.
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { Refusal } from '#contract/errors.ts'
import {
  S3_ATTEMPTS,
  S3_CONNECT_TIMEOUT_MS,
  S3_SILENCE_TIMEOUT_MS,
  S3_SOCKETS_MAX,
} from '#contract/limits.ts'
import type { S3Config } from '../config.ts'
import type { Keeper } from './keeper.ts'

/** The sweep removes what it finds here without a row, so nothing else may live under it. */
const PREFIX = 'files/'
const FIRST_PAUSE_MS = 200
const SILENT = { debug() {}, info() {}, warn() {}, error() {} }
const MISSING = ['NoSuchKey', 'NotFound']

/**
 * Keeps bytes at an S3 server.
 *
 * @param needs `spool` holds bytes on their way: the server wants their number and sum before the
 *   first of them, and nothing whole has to be in memory for it
 * @throws (from each call) Refusal `general_service_disabled` when the server can not be reached or
 *   refuses
 */
export function makeS3(config: S3Config, { spool }: { spool: Keeper }): Keeper {
  const { bucket } = config
  let loading: Promise<{ s3: S3; client: S3Client }> | undefined

  /** A missing key is undefined; every other failure is the storage's. */
  async function ask<Answer>(
    call: (s3: S3, client: S3Client) => Promise<Answer>,
  ): Promise<Answer | undefined> {
    loading ??= connect(config)
    const { s3, client } = await loading
    try {
      return await call(s3, client)
    } catch (error) {
      if (error instanceof Error && MISSING.includes(error.name)) return undefined
      throw unreachable(error)
    }
  }

  /** The client does not repeat a stream, because it can not rewind it. */
  async function send(
    name: string,
    from: string,
    { sizeBytes, signature }: { sizeBytes: number; signature: string },
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const body = await spool.open(from)
      if (!body) throw new Error('The bytes to send are gone')
      try {
        await ask((s3, client) =>
          client.send(
            new s3.PutObjectCommand({
              Bucket: bucket,
              Key: PREFIX + name,
              Body: body,
              ContentLength: sizeBytes,
              // The server refuses bytes that were changed on the way.
              ContentMD5: Buffer.from(signature, 'hex').toString('base64'),
            }),
          ),
        )
        return
      } catch (error) {
        if (attempt === S3_ATTEMPTS || isFinal(error)) throw error
        await delay(FIRST_PAUSE_MS * 2 ** attempt)
      } finally {
        body.destroy()
      }
    }
  }

  return {
    async put(name, bytes, maxBytes) {
      const spooled = `${name}.s3`
      const kept = await spool.put(spooled, bytes, maxBytes)
      try {
        await send(name, spooled, kept)
      } finally {
        await spool.remove(spooled)
      }
      return kept
    },

    async open(name, range) {
      const answer = await ask((s3, client) =>
        client.send(
          new s3.GetObjectCommand({
            Bucket: bucket,
            Key: PREFIX + name,
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        ),
      )
      return answer?.Body as Readable | undefined
    },

    async has(name) {
      return (
        (await ask((s3, client) =>
          client.send(new s3.HeadObjectCommand({ Bucket: bucket, Key: PREFIX + name })),
        )) !== undefined
      )
    },

    async remove(name) {
      await ask((s3, client) =>
        client.send(new s3.DeleteObjectCommand({ Bucket: bucket, Key: PREFIX + name })),
      )
    },

    async *list() {
      for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
        const page = await ask((s3, client) =>
          client.send(
            new s3.ListObjectsV2Command({
              Bucket: bucket,
              Prefix: PREFIX,
              ...(token === undefined ? {} : { ContinuationToken: token }),
            }),
          ),
        )
        for (const { Key, LastModified } of page?.Contents ?? []) {
          if (Key)
            yield {
              name: Key.slice(PREFIX.length),
              changedAtMs: LastModified?.getTime() ?? Date.now(),
            }
        }
        token = page?.NextContinuationToken
      }
    },
  }
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
    await client.send(new s3.HeadBucketCommand({ Bucket: config.bucket }))
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

type S3 = typeof import('@aws-sdk/client-s3')

async function connect({
  endpoint,
  region,
  accessKey,
  secretKey,
}: S3Config): Promise<{ s3: S3; client: S3Client }> {
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
    // It would write to the console what it throws as well.
    logger: SILENT,
    requestHandler: {
      connectionTimeout: S3_CONNECT_TIMEOUT_MS,
      socketTimeout: S3_SILENCE_TIMEOUT_MS,
      httpAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
      httpsAgent: { maxSockets: S3_SOCKETS_MAX, keepAlive: true },
    },
  })
  return { s3, client }
}

/** Refused for a reason that stays, as a wrong key does. */
function isFinal(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  const { $metadata: { httpStatusCode = 500 } = {} } = (cause ?? {}) as {
    $metadata?: { httpStatusCode?: number }
  }
  return httpStatusCode >= 400 && httpStatusCode < 500
}

function unreachable(cause: unknown): Refusal {
  return new Refusal(
    'general_service_disabled',
    'The storage of files can not be reached just now.',
    { headers: { 'retry-after': '10' }, cause },
  )
}
