// An S3 server that accepts connections and never responds, or ends in the middle of a response.
// @module-tag more
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { listNames, makeBucket } from '#test/support/blob-stores.ts'
import { openFaultyProxy } from '#test/support/faulty-proxy.ts'
import { readWhole } from './blob-store.ts'
import { makeDisk } from './disk.ts'
import { makeS3, S3_SILENCE_TIMEOUT_MS } from './s3.ts'

/** Long enough for the responses of the working server. */
const SILENCE_MS = 5000
const UNREACHABLE = { type: 'general_service_disabled', status: 503 }
const MIB = 1024 * 1024

async function open(silenceMs?: number) {
  const config = await makeBucket()
  const proxy = await openFaultyProxy(config.endpoint)
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-s3-'))
  const spool = makeDisk(folder)
  let nowMs = 0
  const limits = { nowMs: () => nowMs, ...(silenceMs !== undefined && { silenceMs }) }
  const blobStore = makeS3({ ...config, endpoint: proxy.url }, { spool, ...limits })
  return {
    proxy,
    spool,
    blobStore,
    pass: (ms: number) => (nowMs += ms),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

async function read(stream: Readable | undefined): Promise<Buffer> {
  if (!stream) throw new Error('Nothing is stored')
  return await readWhole(stream)
}

describe.skipIf(!inject('hasS3'))('an S3 server', () => {
  test('that is frozen is reported as storageUnreachable by every call in the end, and works again when it is back', async () => {
    await using s3 = await open(SILENCE_MS)
    const { blobStore, proxy, spool } = s3
    await blobStore.put('one', [Buffer.from('hello lamp')], 10)
    proxy.freeze()
    const calls = [
      blobStore.open('one'),
      blobStore.has('one'),
      blobStore.remove('another'),
      listNames(blobStore),
      blobStore.put('two', [randomBytes(2 * MIB)], 2 * MIB),
    ]
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: 'rejected', reason: UNREACHABLE })
    expect(await listNames(spool)).toEqual([])
    proxy.repair()
    s3.pass(60_000)
    expect(await listNames(blobStore)).toContain('one')
  })

  test('that stops or ends in the middle of a response is an error, never a short file', async () => {
    await using s3 = await open(SILENCE_MS)
    const { blobStore, proxy } = s3
    const bytes = randomBytes(MIB)
    await blobStore.put('large', [bytes], MIB)
    for (const fault of [proxy.stallAfter, proxy.cutAfter]) {
      fault(200_000)
      const stream = await blobStore.open('large', undefined, MIB)
      await expect(read(stream)).rejects.toMatchObject(UNREACHABLE)
      s3.pass(60_000)
    }
    proxy.repair()
    expect((await read(await blobStore.open('large'))).equals(bytes)).toBe(true)
  })

  test('does not time out while the reader is slow', async () => {
    await using s3 = await open()
    const bytes = randomBytes(3 * MIB)
    await s3.blobStore.put('large', [bytes], 3 * MIB)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const stream = await s3.blobStore.open('large')
    const pieces: Uint8Array[] = []
    for await (const piece of stream ?? []) {
      if (pieces.push(piece) > 1) continue
      // The buffered bytes have been read, and no further ones are requested.
      await expect.poll(() => vi.getTimerCount()).toBe(0)
      vi.advanceTimersByTime(3 * S3_SILENCE_TIMEOUT_MS)
    }
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  })

  test('that has an object of another size than expected is an error', async () => {
    await using s3 = await open()
    await s3.blobStore.put('cut', [Buffer.from('hello')], 10)
    for (const range of [undefined, { start: 0, end: 2 }, { start: 7, end: 9 }])
      await expect(s3.blobStore.open('cut', range, 10)).rejects.toThrow(
        /There are 5 bytes|ends before/,
      )
    expect((await read(await s3.blobStore.open('cut', undefined, 5))).toString()).toBe('hello')
  })
})
