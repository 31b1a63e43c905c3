// Previews: drawn once however many ask, dropped when the store is full. The looks themselves are
// tried over HTTP (test/api).
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawPhoto } from '#test/support/images.ts'
import { makeLog } from '../process/log.ts'
import { makeDisk } from './disk.ts'
import { makeImageBudget } from './image-budget.ts'
import {
  IMAGE_QUEUE_SHARE,
  imageQueueNumbers,
  makeImageQueue,
  SERVER_ITSELF,
} from './image-queue.ts'
import { previewSize, readPreviewParams } from './preview-params.ts'
import { makePreviewStore } from './preview-store.ts'
import { makePreviews } from './previews.ts'

const log = makeLog('silent')

async function makeFolder() {
  const path = await mkdtemp(join(tmpdir(), 'lamplight-previews-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

test('fifty requests at once wait for one drawing; the next request finds it stored', async () => {
  await using folder = await makeFolder()
  const keeper = makeDisk(join(folder.path, 'files'))
  const { signature, sizeBytes } = await keeper.put(
    'photo',
    [await drawPhoto('png', { width: 60, height: 40 })],
    1e6,
  )
  let drawn = 0
  const draw = async () => Buffer.from(`drawing ${++drawn}`)
  const previews = makePreviews({
    keeper,
    imageQueue: makeImageQueue(makeImageBudget({ isOn: false })),
    log,
    folder: join(folder.path, 'previews'),
    draw,
  })
  const original = {
    signature,
    storedName: 'photo',
    mimeType: 'image/png',
    sizeBytes,
    width: 60,
    height: 40,
  }
  const params = readPreviewParams({ width: '20' })
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => previews.read(original, params, SERVER_ITSELF)),
  )
  expect(new Set(answers.map(({ bytes }) => bytes.toString()))).toEqual(new Set(['drawing 1']))
  expect(await previews.read(original, params, SERVER_ITSELF)).toEqual({
    bytes: Buffer.from('drawing 1'),
    isHit: true,
  })
  expect(
    (
      await previews.read(original, readPreviewParams({ width: '21' }), SERVER_ITSELF)
    ).bytes.toString(),
  ).toBe('drawing 2')
})

/** Previews with one large drawing under way that ends when it is told to. */
async function makeBusyPreviews(folder: string) {
  const keeper = makeDisk(join(folder, 'files'))
  const bytes = await drawPhoto('png', { width: 60, height: 40 })
  const { signature, sizeBytes } = await keeper.put('photo', [bytes], 1e6)
  const imageQueue = makeImageQueue(makeImageBudget({ isOn: false }))
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const drawn: number[] = []
  const previews = makePreviews({
    keeper,
    imageQueue,
    log,
    folder: join(folder, 'previews'),
    async draw(_stored, { quality }) {
      drawn.push(quality)
      begun.resolve()
      await gate.promise
      return Buffer.from(String(quality))
    },
  })
  const original = {
    signature,
    storedName: 'photo',
    mimeType: 'image/png',
    sizeBytes,
    width: 60,
    height: 40,
  }
  const draw = (quality: number, signal?: AbortSignal, key?: string) =>
    previews.read(
      original,
      readPreviewParams({
        width: String(4000 - Math.floor(quality / 101)),
        height: '4000',
        quality: String(quality % 101),
      }),
      { payers: [], signal, key },
    )
  const first = draw(1)
  await begun.promise
  return { draw, drawn, first, end: gate.resolve, imageQueue }
}

test('a drawing whose askers have all gone is never begun; one asker who stays is enough', async () => {
  await using folder = await makeFolder()
  const { draw, drawn, first, end, imageQueue } = await makeBusyPreviews(folder.path)
  const [one, two, three] = Array.from({ length: 3 }, () => new AbortController())
  const gone = [draw(2, one?.signal), draw(2, two?.signal), draw(3, three?.signal)]
  const stays = draw(3, new AbortController().signal)
  await expect
    .poll(() => imageQueueNumbers(imageQueue))
    .toMatchObject({ largeImages: { waiting: 1 }, largeImagesReading: { waiting: 1 } })
  for (const controller of [one, two, three]) controller?.abort(new Error('gone'))
  for (const outcome of await Promise.allSettled(gone))
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'gone' } })
  end()
  expect((await first).bytes.toString()).toBe('1')
  expect((await stays).bytes.toString()).toBe('3')
  expect(drawn).toEqual([1, 3])
})

test('who joins a drawing that is refused to its first asker has a turn of their own', async () => {
  await using folder = await makeFolder()
  const { draw, first, end, imageQueue } = await makeBusyPreviews(folder.path)
  const greedy = Array.from({ length: IMAGE_QUEUE_SHARE + 1 }, (_, at) =>
    draw(at + 2, undefined, 'greedy'),
  )
  await expect
    .poll(() => imageQueueNumbers(imageQueue))
    .toMatchObject({ largeImagesReading: { waiting: IMAGE_QUEUE_SHARE } })
  const [refused, joined] = [draw(999, undefined, 'greedy'), draw(999, undefined, 'modest')]
  await expect(refused).rejects.toMatchObject({ status: 503 })
  end()
  expect((await joined).bytes.toString()).toBe(String(999 % 101))
  await Promise.all([first, ...greedy])
})

test.each([
  [{}, 100],
  [{ quality: '' }, 100],
  [{ quality: '-1' }, 100],
  [{ quality: '0' }, 0],
  [{ quality: '58' }, 58],
])('%j asks for the quality %i', (query, quality) => {
  expect(readPreviewParams(query).quality).toBe(quality)
})

test('a drawing that its asker leaves is no damaged file', async () => {
  await using folder = await makeFolder()
  const keeper = makeDisk(join(folder.path, 'files'))
  const bytes = await drawPhoto('png', { width: 60, height: 40 })
  const { signature, sizeBytes } = await keeper.put('photo', [bytes], 1e6)
  const lines: string[] = []
  const asker = new AbortController()
  const ended = Promise.withResolvers<void>()
  const previews = makePreviews({
    keeper,
    imageQueue: makeImageQueue(makeImageBudget({ isOn: false })),
    log: makeLog('info', { write: (line) => lines.push(line) }),
    folder: join(folder.path, 'previews'),
    async draw(_stored, _params, _type, time) {
      asker.abort()
      setImmediate().then(() => ended.resolve())
      return await time.timed(sharp(bytes)).toBuffer()
    },
  })
  const original = { signature, sizeBytes, storedName: 'photo', mimeType: 'image/png' }
  const size = { width: 60, height: 40 }
  const params = readPreviewParams({ width: '20' })
  const leaving = { payers: [], signal: asker.signal }
  const read = previews.read({ ...original, ...size }, params, leaving)
  await expect(read).rejects.toMatchObject({ name: 'AbortError' })
  await ended.promise
  expect(lines).toEqual([])
})

test('a missing original is a missing file, and is not remembered', async () => {
  await using folder = await makeFolder()
  const keeper = makeDisk(join(folder.path, 'files'))
  const previews = makePreviews({
    keeper,
    imageQueue: makeImageQueue(makeImageBudget({ isOn: false })),
    log,
    folder: join(folder.path, 'previews'),
  })
  const original = {
    signature: 'x',
    storedName: 'gone',
    mimeType: 'image/png',
    sizeBytes: 1,
    width: 60,
    height: 40,
  }
  await keeper.put('another', [Buffer.from('x')], 1)
  await expect(previews.read(original, readPreviewParams({}), SERVER_ITSELF)).rejects.toMatchObject(
    {
      type: 'storage_file_not_found',
    },
  )
  const { signature, sizeBytes } = await keeper.put(
    'gone',
    [await drawPhoto('png', { width: 60, height: 40 })],
    1e6,
  )
  expect(
    (
      await previews.read(
        { ...original, signature, sizeBytes },
        readPreviewParams({}),
        SERVER_ITSELF,
      )
    ).isHit,
  ).toBe(false)
})

test('the least recently used previews are removed when there is no room, also after a restart', async () => {
  await using folder = await makeFolder()
  const room = { folder: folder.path, maxBytes: 3 * 1036, memoryMaxBytes: 1500, log }
  const store = makePreviewStore(room)
  for (const key of ['a', 'b', 'c']) await store.save(key, Buffer.alloc(1000, key))
  expect(await store.find('a')).toEqual(Buffer.alloc(1000, 'a'))
  await store.save('d', Buffer.alloc(1000, 'd'))
  expect((await readdir(folder.path)).sort()).toEqual(['a', 'c', 'd'])
  const reopened = makePreviewStore(room)
  await reopened.save('e', Buffer.alloc(1000, 'e'))
  expect((await readdir(folder.path)).length).toBe(3)
  expect([await reopened.find('b'), await reopened.find('e')]).toEqual([
    undefined,
    Buffer.alloc(1000, 'e'),
  ])
})

test('a preview drawn again after it was dropped at a restart is kept', async () => {
  await using folder = await makeFolder()
  const large = { folder: folder.path, maxBytes: 3 * 1036, log }
  const store = makePreviewStore(large)
  for (const key of ['a', 'b', 'c']) await store.save(key, Buffer.alloc(1000, key))
  const smaller = makePreviewStore({ ...large, maxBytes: 2 * 1036 })
  expect(await smaller.find('a')).toBe(undefined)
  await smaller.save('a', Buffer.alloc(1000, 'a'))
  expect(await smaller.find('a')).toEqual(Buffer.alloc(1000, 'a'))
  expect((await readdir(folder.path)).length).toBe(2)
})

test.each([
  { name: 'cut short', change: (whole: Buffer) => whole.subarray(0, -1) },
  {
    name: 'changed',
    change: (whole: Buffer) => Buffer.concat([whole.subarray(0, -1), Buffer.from('!')]),
  },
  {
    name: 'without its head',
    change: (whole: Buffer) => Buffer.concat([Buffer.alloc(36), whole.subarray(36)]),
  },
  { name: 'empty', change: () => Buffer.alloc(0) },
])('a kept preview that is $name counts as absent, and goes', async ({ change }) => {
  await using folder = await makeFolder()
  const store = makePreviewStore({ folder: folder.path, maxBytes: 1e6, log })
  await store.save('a', Buffer.from('a drawing'))
  expect(await store.find('a')).toEqual(Buffer.from('a drawing'))
  await writeFile(join(folder.path, 'a'), change(await readFile(join(folder.path, 'a'))))
  expect(await store.find('a')).toBe(undefined)
  expect(await readdir(folder.path)).toEqual([])
})

test('a folder in the place of a kept preview counts as absent, and the next one is kept', async () => {
  await using folder = await makeFolder()
  const room = { folder: folder.path, maxBytes: 1e6, log }
  const store = makePreviewStore(room)
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

test('a folder of previews that is removed while the server runs is made again', async () => {
  await using folder = await makeFolder()
  const room = { folder: join(folder.path, 'made'), maxBytes: 1e6, log }
  const store = makePreviewStore(room)
  await store.save('a', Buffer.from('a drawing'))
  await rm(room.folder, { recursive: true })
  expect(await store.find('a')).toBe(undefined)
  await store.save('a', Buffer.from('lost'))
  await store.save('a', Buffer.from('kept'))
  expect(await store.find('a')).toEqual(Buffer.from('kept'))
})

test('one side that makes the other too long is refused', () => {
  expect(() => previewSize({ width: 4000, height: 0 }, { width: 10, height: 12_000 })).toThrow(
    'Invalid `width` param',
  )
  expect(() => previewSize({ width: 0, height: 4000 }, { width: 12_000, height: 10 })).toThrow(
    'Invalid `height` param',
  )
})
