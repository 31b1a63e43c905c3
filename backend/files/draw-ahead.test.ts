// Previews drawn before anybody asks: in all sizes that pages ask for, one at a time, behind what
// people wait for, and found again by the next process.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { DATABASES, type TestDatabase } from '#test/support/databases.ts'
import { drawPhoto } from '#test/support/images.ts'
import { addPeople } from '#test/support/posts.ts'
import { makeDisk } from './disk.ts'
import { type DrawAheadNeeds, DUE_DRAWING_LEASE_MS, makeDrawAhead } from './draw-ahead.ts'
import { DUE_DRAWINGS_PER_PERSON_MAX, noteDue } from './due-store.ts'
import { makeImageBudget } from './image-budget.ts'
import { IMAGE_LARGE_BYTES } from './image-price.ts'
import {
  IMAGES_AT_ONCE_MAX,
  type ImageQueue,
  makeImageQueue,
  SERVER_ITSELF,
  workInTurn,
} from './image-queue.ts'
import type { PreviewParams } from './preview-params.ts'
import { makePreviews } from './previews.ts'
import { type FileRow, insertFile } from './store.ts'

const TIME = '2026-01-01T00:00:00.000Z'
/** Of ordinary work; there is one more for large work. */
const PLACES = Math.min(availableParallelism(), IMAGES_AT_ONCE_MAX)
const log = makeLog('silent')

async function openSite(open: () => Promise<TestDatabase>) {
  const { db, ...rest } = await open()
  await addPeople(db, ['alice'])
  const folder = await mkdtemp(join(tmpdir(), 'lamplight-ahead-'))
  const keeper = makeDisk(join(folder, 'files'))
  const imageQueue = makeImageQueue(makeImageBudget({ isOn: false }))
  const drawn: { width: number; height: number; quality: number }[] = []
  let running = 0
  let most = 0
  const holding = { until: Promise.resolve() }
  async function draw(_stored: unknown, { width, height, quality }: PreviewParams) {
    most = Math.max(most, ++running)
    await holding.until
    drawn.push({ width, height, quality })
    running--
    return Buffer.from(`${width}x${height}`)
  }
  let shiftMs = 0
  const background = makeBackground(log)
  const makeNeeds = (): DrawAheadNeeds => ({
    db,
    background,
    log,
    previews: makePreviews({ keeper, imageQueue, log, folder: join(folder, 'previews'), draw }),
    imageQueue,
    avatarBucketId: 'avatars',
    now: () => new Date(Date.parse(TIME) + shiftMs),
  })
  return {
    db,
    drawn,
    imageQueue,
    holding,
    most: () => most,
    /** Another process of the blog. */
    makeAnother: () => makeDrawAhead(makeNeeds()),
    passLease: () => {
      shiftMs += DUE_DRAWING_LEASE_MS + 1
    },
    drained: background.drained,
    left: async () => (await db.selectFrom('dueDrawing').select('fileId').execute()).length,
    async upload(id: string, bucketId = 'content', moreBytes = 0): Promise<FileRow> {
      const bytes = await drawPhoto('png', { width: 60, height: 40, hue: id.length * 20 })
      const kept = await keeper.put(`stored-${id}`, [bytes, Buffer.alloc(moreBytes)], 2e7)
      const row = await insertFile(db, {
        ...{ id, bucketId, userId: 'alice', name: 'a.png', mimeType: 'image/png', ...kept },
        ...{ width: 60, height: 40, color: '', chunksTotal: 1, chunksUploaded: 1, isComplete: 1 },
        ...{ storedName: `stored-${id}`, permissions: '[]', readers: 'any' },
        ...{ createdAt: TIME, updatedAt: TIME },
      })
      await noteDue(db, row, TIME)
      return row
    },
    async [Symbol.asyncDispose]() {
      await background.drained()
      await rest[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Ordinary and large uploads in every place, until they leave. */
function fillPlaces(imageQueue: ImageQueue) {
  const left = Promise.withResolvers<void>()
  let begun = 0
  const all = Array.from({ length: PLACES + 1 }, async (_, at) => {
    const price = { cost: 1, isLarge: at === PLACES }
    const read = async () => ({ price })
    const work = () => {
      begun++
      return left.promise
    }
    await workInTurn(imageQueue, SERVER_ITSELF, { kind: 'upload', guess: price, read, work })
  })
  return {
    begun: () => begun,
    leave: left.resolve,
    async [Symbol.asyncDispose]() {
      left.resolve()
      await Promise.all(all)
    },
  }
}

describe.each(DATABASES)('drawing ahead on %s', (_name, open) => {
  test('draws each size of cards, pages and faces once, one at a time, and only for what is there', async () => {
    await using site = await openSite(open)
    await site.upload('cover')
    await site.upload('face', 'avatars')
    const { storedName } = await site.upload('gone')
    await site.db.deleteFrom('file').where('storedName', '=', storedName).execute()
    const ahead = site.makeAnother()
    ahead.start()
    await site.drained()
    ahead.stop()
    const widths = site.drawn.map(({ width, height }) => `${width}x${height}`)
    expect(widths).toEqual([
      ...['384x216', '640x360', '828x466', '414x233', '1080x608', '1312x738'],
      ...['1320x743', '1600x900', '1120x448', '1680x672', '2240x896'],
      ...['72x72', '300x300', '144x144', '288x288'],
    ])
    expect(site.drawn.find(({ width }) => width === 828)).toMatchObject({ quality: 68 })
    expect([site.most(), await site.left()]).toEqual([1, 0])
  })

  test('begins only while nobody waits, and holds no place of those who come meanwhile', async () => {
    await using site = await openSite(open)
    await site.upload('cover')
    const drawing = Promise.withResolvers<void>()
    site.holding.until = drawing.promise
    const ahead = site.makeAnother()
    ahead.start()
    await expect.poll(() => site.most()).toBe(1)
    await using people = fillPlaces(site.imageQueue)
    await setImmediate()
    const begun = people.begun()
    drawing.resolve()
    expect(begun).toBe(PLACES + 1)
    await expect.poll(() => site.drawn).toHaveLength(1)
    const { storedName } = await site.upload('another')
    const another = site.makeAnother()
    another.start()
    const claims = site.db.selectFrom('dueDrawing').where('storedName', '=', storedName)
    for (let at = 0; at < 20; at++)
      expect(await claims.select('tries').execute()).toEqual([{ tries: 0 }])
    expect(site.drawn).toHaveLength(1)
    people.leave()
    await site.drained()
    ahead.stop()
    another.stop()
    expect(site.drawn).toHaveLength(22)
  })

  test('leaves large work, which has one place, to those who ask', async () => {
    await using site = await openSite(open)
    await site.upload('large', 'content', IMAGE_LARGE_BYTES)
    const ahead = site.makeAnother()
    ahead.start()
    await site.drained()
    ahead.stop()
    expect([site.drawn, await site.left()]).toEqual([[], 0])
  })

  test('what a crash left undone is drawn by the next process, never by two at once', async () => {
    await using site = await openSite(open)
    await site.upload('cover')
    const gate = Promise.withResolvers<void>()
    site.holding.until = gate.promise
    const first = site.makeAnother()
    first.start()
    await expect.poll(() => site.most()).toBe(1)
    await site.upload('next')
    const second = site.makeAnother()
    second.start()
    second.wake()
    const unclaimed = site.db.selectFrom('dueDrawing').select('fileId').where('tries', '=', 0)
    for (let at = 0; at < 20; at++) expect(await unclaimed.execute()).toEqual([{ fileId: 'next' }])
    // Told to stop, the first one leaves the rest to others at once.
    first.stop()
    gate.resolve()
    await site.drained()
    second.wake()
    await site.drained()
    expect([site.drawn.length, site.most(), await site.left()]).toEqual([22, 1, 0])
    await site.upload('killed')
    await site.db.updateTable('dueDrawing').set({ dueAt: '2026-01-01T00:01:00.000Z' }).execute()
    second.wake()
    await site.drained()
    expect(await site.left()).toBe(1)
    site.passLease()
    second.wake()
    await site.drained()
    expect([site.drawn.length, await site.left()]).toEqual([33, 0])
    await site.upload('noted while the clock was a day ahead')
    await site.db.updateTable('dueDrawing').set({ dueAt: '2026-01-02T00:00:00.000Z' }).execute()
    second.wake()
    await site.drained()
    second.stop()
    expect([site.drawn.length, await site.left()]).toEqual([44, 0])
  })

  test('a file that cannot be drawn holds up no other', async () => {
    await using site = await openSite(open)
    await site.upload('bad')
    const ahead = site.makeAnother()
    site.holding.until = Promise.reject(new Error('damaged'))
    site.holding.until.catch(() => {})
    ahead.start()
    await site.drained()
    site.holding.until = Promise.resolve()
    await site.upload('good')
    ahead.wake()
    await site.drained()
    ahead.stop()
    expect([site.drawn.length, await site.left()]).toEqual([22, 0])
  })

  test('a damaged file is given up after three tries, and one person has only so many that wait', async () => {
    await using site = await openSite(open)
    await site.upload('cover')
    site.holding.until = Promise.reject(new Error('damaged'))
    site.holding.until.catch(() => {})
    const ahead = site.makeAnother()
    for (const left of [1, 1, 0]) {
      ahead.start()
      await site.drained()
      expect(await site.left()).toBe(left)
      site.passLease()
    }
    ahead.stop()
    const row = await site.upload('x')
    for (let at = 0; at < DUE_DRAWINGS_PER_PERSON_MAX + 3; at++)
      await noteDue(site.db, { ...row, storedName: `s${at}` }, TIME)
    expect(await site.left()).toBe(DUE_DRAWINGS_PER_PERSON_MAX)
  })
})
