// Stores of bytes, on disk and at an S3 server: writing all bytes or none, reading, listing,
// removing.
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { BLOB_STORES, listNames, makeBucket, openDisk } from '#test/support/blob-stores.ts'
import { readWhole } from './blob-store.ts'
import { makeDisk } from './disk.ts'
import { makeS3, requireBucket } from './s3.ts'

const MIB = 1024 * 1024

async function read(bytes: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> {
  return bytes ? (await readWhole(bytes)).toString() : undefined
}

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

for (const [storeName, open, tags] of BLOB_STORES)
  describe(`bytes on ${storeName}`, { tags }, () => {
    test('stored bytes can be read until they are removed', async () => {
      await using opened = await open()
      const { blobStore } = opened
      expect(await blobStore.put('one', [Buffer.from('hello '), Buffer.from('lamp')], 10)).toEqual({
        sizeBytes: 10,
        signature: 'ceadd5146e8965f021bcedaa6945eaf9',
      })
      expect([await blobStore.has('one'), await read(await blobStore.open('one'))]).toEqual([
        true,
        'hello lamp',
      ])
      await blobStore.remove('one')
      await blobStore.remove('one')
      expect([await blobStore.open('one'), await blobStore.has('one')]).toEqual([undefined, false])
    })

    test.each([
      { range: { start: 0, end: 0 }, part: 'h' },
      { range: { start: 1, end: 3 }, part: 'ell' },
      { range: { start: 6, end: 9 }, part: 'lamp' },
    ])('$range are the bytes $part', async ({ range, part }) => {
      await using opened = await open()
      await opened.blobStore.put('one', [Buffer.from('hello lamp')], 10)
      expect(await read(await opened.blobStore.open('one', range))).toBe(part)
    })

    test('bytes that arrive in pieces are stored as one blob', async () => {
      await using opened = await open()
      const bytes = randomBytes(3 * MIB + 17)
      expect(
        await opened.blobStore.put('large', inPieces(bytes, 60_000), bytes.length),
      ).toMatchObject({
        sizeBytes: bytes.length,
      })
      const stream = await opened.blobStore.open('large')
      expect(stream ? bytes.equals(await readWhole(stream)) : 'nothing').toBe(true)
    })

    test('too many bytes, or a source that fails, leave nothing behind', async () => {
      await using opened = await open()
      const { blobStore } = opened
      async function* breaking(): AsyncIterable<Uint8Array> {
        yield Buffer.from('half')
        throw new Error('the client is gone')
      }
      await expect(
        blobStore.put('long', [Buffer.alloc(6), Buffer.alloc(5)], 10),
      ).rejects.toMatchObject({
        type: 'storage_invalid_file_size',
      })
      await expect(blobStore.put('broken', breaking(), 10)).rejects.toThrow('the client is gone')
      expect(await listNames(blobStore)).toEqual([])
      expect(
        (await readdir(opened.folder, { recursive: true })).filter(
          (name) => !name.startsWith('made'),
        ),
      ).toEqual([])
    })

    test('everything stored is listed with the time of its last change', async () => {
      await using opened = await open()
      const { blobStore } = opened
      const startMs = Date.now()
      expect(await listNames(blobStore)).toEqual([])
      await Promise.all(
        Array.from({ length: 12 }, (_, at) =>
          blobStore.put(`name-${at}`, [Buffer.from(String(at))], 10),
        ),
      )
      expect(await listNames(blobStore)).toEqual(
        Array.from({ length: 12 }, (_, at) => `name-${at}`).sort(),
      )
      const endMs = Date.now()
      // Servers return whole seconds.
      for await (const { changedAtMs } of blobStore.list()) {
        expect(await changedAtMs()).toBeGreaterThan(startMs - 1000)
        expect(await changedAtMs()).toBeLessThan(endMs + 1000)
      }
    })

    test('a reader that stops in the middle does no harm', async () => {
      await using opened = await open()
      await opened.blobStore.put('large', [randomBytes(2 * MIB)], 2 * MIB)
      for (let attempt = 0; attempt < 5; attempt++) {
        const stream = await opened.blobStore.open('large')
        for await (const piece of stream ?? []) {
          expect(piece.length).toBeGreaterThan(0)
          break
        }
      }
      expect(await opened.blobStore.has('large')).toBe(true)
    })
  })

describe.skipIf(BLOB_STORES.length < 2)('an S3 server', { tags: ['more'] }, () => {
  test('a wrong secret, key, bucket or endpoint is reported at the start with the name of its setting', async () => {
    const config = await makeBucket()
    await expect(requireBucket(config)).resolves.toBe(undefined)
    await expect(requireBucket({ ...config, secretKey: 'wrong' })).rejects.toThrow(
      'BLOG_S3_SECRET_KEY',
    )
    await expect(requireBucket({ ...config, accessKey: 'nobody' })).rejects.toThrow(
      'BLOG_S3_ACCESS_KEY',
    )
    await expect(requireBucket({ ...config, bucket: 'not-made' })).rejects.toThrow(
      'BLOG_S3_BUCKET: there is no bucket "not-made"',
    )
    await expect(requireBucket({ ...config, endpoint: 'http://127.0.0.1:9' })).rejects.toThrow(
      'BLOG_S3_ENDPOINT',
    )
  })

  test('a server that refuses or cannot be reached is reported as 503, never as a missing file', async () => {
    await using opened = await openDisk()
    const spool = makeDisk(opened.folder)
    const config = await makeBucket()
    for (const wrong of [{ secretKey: 'wrong' }, { endpoint: 'http://127.0.0.1:9' }]) {
      const blobStore = makeS3({ ...config, ...wrong }, { spool })
      const refused = { type: 'general_service_disabled', status: 503 }
      await expect(blobStore.put('one', [Buffer.from('x')], 1)).rejects.toMatchObject(refused)
      await expect(blobStore.open('one')).rejects.toMatchObject(refused)
      await expect(blobStore.has('one')).rejects.toMatchObject(refused)
    }
    expect(await listNames(spool)).toEqual([])
    expect(await makeS3(config, { spool }).has('one')).toBe(false)
  })
})
