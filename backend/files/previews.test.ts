// Previews: drawn once for concurrent requests, removed when the cache is full. test/api tests the
// images over HTTP.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drawPhoto } from '#test/support/images.ts'
import { makeLog } from '../process/log.ts'
import { makeDisk } from './disk.ts'
import { makeImageQueue } from './image-process.ts'
import { previewSize, readPreviewParams } from './preview-params.ts'
import { makePreviewStore, makePreviews } from './previews.ts'

const log = makeLog('silent')

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'lamplight-previews-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Previews of one photo, with their queue. */
async function makeSite(folder: string) {
  const blobStore = makeDisk(join(folder, 'files'))
  const photo = await drawPhoto('png', { width: 60, height: 40 })
  const stored = await blobStore.put('photo', [photo], 1e6)
  const imageQueue = makeImageQueue()
  const previews = makePreviews({ blobStore, imageQueue, log, folder: join(folder, 'previews') })
  const original = { ...stored, storedName: 'photo', mimeType: 'image/png', width: 60, height: 40 }
  return { photo, blobStore, imageQueue, previews, original }
}

test('fifty concurrent requests share one drawing; the next request finds it cached', async () => {
  await using folder = await makeFolder()
  const { previews, original, imageQueue } = await makeSite(folder.path)
  const gate = Promise.withResolvers<void>()
  const all = [1, 2, 3].map(() => imageQueue(() => gate.promise))
  const params = readPreviewParams({ width: '20' })
  const reads = Array.from({ length: 50 }, () => previews.read(original, params, {}))
  await expect.poll(() => imageQueue.stats().waiting).toBe(1)
  gate.resolve()
  await Promise.all(all)
  const answers = await Promise.all(reads)
  expect(new Set(answers.map(({ bytes }) => bytes.toString('hex'))).size).toBe(1)
  expect(await previews.read(original, params, {})).toEqual({
    bytes: answers[0]?.bytes,
    isHit: true,
  })
  const other = await previews.read(original, readPreviewParams({ width: '21' }), {})
  expect(other.isHit).toBe(false)
})

test('preparing a preview of a removed file in advance is no error; requesting one is', async () => {
  await using folder = await makeFolder()
  const { blobStore, imageQueue, original } = await makeSite(folder.path)
  const lines: string[] = []
  const recordingLog = makeLog('error', { write: (line) => void lines.push(line) })
  const previews = makePreviews({ blobStore, imageQueue, log: recordingLog, folder: folder.path })
  const params = readPreviewParams({ width: '20' })
  await blobStore.remove('photo')
  await previews.pregenerate(original, params)
  expect(lines).toEqual([])
  await expect(previews.read(original, params, {})).rejects.toMatchObject({
    type: 'storage_file_not_found',
  })
  expect(lines.join('')).toContain('the bytes of a file are missing')
})

test('a drawing is dropped when all its clients have disconnected, not when one remains', async () => {
  await using folder = await makeFolder()
  const { previews, original, imageQueue } = await makeSite(folder.path)
  const gate = Promise.withResolvers<void>()
  const all = [1, 2, 3].map(() => imageQueue(() => gate.promise))
  const draw = (width: string, signal?: AbortSignal) =>
    previews.read(original, readPreviewParams({ width }), { signal })
  const [one, two, three] = Array.from({ length: 3 }, () => new AbortController())
  const abandoned = [draw('2', one?.signal), draw('2', two?.signal), draw('3', three?.signal)]
  const kept = draw('3', new AbortController().signal)
  await expect.poll(() => imageQueue.stats().waiting).toBe(2)
  for (const controller of [one, two, three]) controller?.abort(new Error('gone'))
  for (const outcome of await Promise.allSettled(abandoned))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } })
  expect(imageQueue.stats()).toMatchObject({ waiting: 1, dropped: 1 })
  gate.resolve()
  await Promise.all(all)
  expect((await kept).isHit).toBe(false)
  expect(await readdir(join(folder.path, 'previews'))).toHaveLength(1)
})

test.each([
  [{}, 100],
  [{ quality: '' }, 100],
  [{ quality: '-1' }, 100],
  [{ quality: '0' }, 0],
  [{ quality: '58' }, 58],
])('%j requests the quality %i', (query, quality) => {
  expect(readPreviewParams(query).quality).toBe(quality)
})

test('a missing original is reported as file not found, and that is not cached', async () => {
  await using folder = await makeFolder()
  const { photo, blobStore, previews, original } = await makeSite(folder.path)
  const missing = { ...original, storedName: 'gone' }
  const read = () => previews.read(missing, readPreviewParams({}), {})
  await expect(read()).rejects.toMatchObject({ type: 'storage_file_not_found' })
  await blobStore.put('gone', [photo], 1e6)
  expect((await read()).isHit).toBe(false)
})

test('the least recently used previews are removed when there is no room, even after a restart', async () => {
  await using folder = await makeFolder()
  const options = { folder: folder.path, maxBytes: 3 * 1032, log }
  const store = makePreviewStore(options)
  for (const [at, key] of ['a', 'b', 'c'].entries()) {
    await store.save(key, Buffer.alloc(1000, key))
    await utimes(join(folder.path, key), at, at)
  }
  expect(await store.find('a')).toEqual(Buffer.alloc(1000, 'a'))
  const usedMs = async () => (await stat(join(folder.path, 'a'))).mtimeMs
  await expect.poll(usedMs).toBeGreaterThan(1000)
  await store.save('d', Buffer.alloc(1000, 'd'))
  expect((await readdir(folder.path)).sort()).toEqual(['a', 'd'])
  const reopened = makePreviewStore(options)
  await reopened.save('e', Buffer.alloc(1000, 'e'))
  await reopened.save('f', Buffer.alloc(1000, 'f'))
  expect(await readdir(folder.path)).toHaveLength(2)
  expect(await reopened.find('f')).toEqual(Buffer.alloc(1000, 'f'))
})

test.each([
  { name: 'cut short', change: (whole: Buffer) => whole.subarray(0, -1) },
  {
    name: 'changed',
    change: (whole: Buffer) => Buffer.concat([whole.subarray(0, -1), Buffer.from('!')]),
  },
  {
    name: 'without its head',
    change: (whole: Buffer) => Buffer.concat([Buffer.alloc(32), whole.subarray(32)]),
  },
  { name: 'empty', change: () => Buffer.alloc(0) },
])('a cached preview that is $name counts as missing, and is removed', async ({ change }) => {
  await using folder = await makeFolder()
  const store = makePreviewStore({ folder: folder.path, maxBytes: 1e6, log })
  await store.save('a', Buffer.from('a drawing'))
  expect(await store.find('a')).toEqual(Buffer.from('a drawing'))
  await writeFile(join(folder.path, 'a'), change(await readFile(join(folder.path, 'a'))))
  expect(await store.find('a')).toBe(undefined)
  expect(await readdir(folder.path)).toEqual([])
})

test('a folder in place of a cached preview counts as missing, and is replaced', async () => {
  await using folder = await makeFolder()
  const options = { folder: folder.path, maxBytes: 1e6, log }
  const store = makePreviewStore(options)
  const spoil = async () => {
    await rm(join(folder.path, 'a'), { force: true })
    await mkdir(join(folder.path, 'a', 'inside'), { recursive: true })
  }
  await spoil()
  expect(await store.find('a')).toBe(undefined)
  await store.save('a', Buffer.from('a drawing'))
  await spoil()
  expect(await store.find('a')).toBe(undefined)
  await store.save('a', Buffer.from('a drawing'))
  expect(await store.find('a')).toEqual(Buffer.from('a drawing'))
})

test('a cache folder that is removed while the server runs is created again', async () => {
  await using folder = await makeFolder()
  const options = { folder: join(folder.path, 'made'), maxBytes: 1e6, log }
  const store = makePreviewStore(options)
  await store.save('a', Buffer.from('a drawing'))
  await rm(options.folder, { recursive: true })
  expect(await store.find('a')).toBe(undefined)
  await store.save('a', Buffer.from('again'))
  expect(await store.find('a')).toEqual(Buffer.from('again'))
})

test('a width or height that would make the other side too long is refused', () => {
  expect(() => previewSize({ width: 4000, height: 0 }, { width: 10, height: 12_000 })).toThrow(
    'Invalid `width` param',
  )
  expect(() => previewSize({ width: 0, height: 4000 }, { width: 12_000, height: 10 })).toThrow(
    'Invalid `height` param',
  )
})
