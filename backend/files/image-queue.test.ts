// Who works on an image when: large work beside ordinary work, turns, payment, time limits.
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { IMAGE_BUDGET, makeImageBudget } from './image-budget.ts'
import { type ImageFacts, previewPrice, uploadPrice } from './image-price.ts'
import { imageQueueNumbers, makeImageQueue, SERVER_ITSELF, workInTurn } from './image-queue.ts'
import { decodeOrRefuse, startWorkTime } from './image-work.ts'
import { readPreviewParams } from './preview-params.ts'

const FREE = makeImageBudget({ isOn: false })
const [SMALL, LARGE] = [
  { cost: 1, isLarge: false },
  { cost: 1, isLarge: true },
]
const PHOTO: ImageFacts = {
  type: 'jpeg',
  sizeBytes: 6_000_000,
  width: 4032,
  height: 3024,
  frames: 1,
  isProgressive: false,
  scans: 1,
}

/** A job that ends when it is told to. */
function makeJob(price: typeof SMALL, guess: typeof SMALL | undefined = price) {
  const gate = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const read = vi.fn(async () => ({ price }))
  const work = vi.fn(() => {
    begun.resolve()
    return gate.promise
  })
  const job = { kind: 'preview' as const, guess, read, work }
  return { job, read, work, end: gate.resolve, begun: begun.promise }
}

test('large work is one at a time and never in the place of ordinary work', async () => {
  const queue = makeImageQueue(FREE)
  const large = Array.from({ length: 6 }, () => makeJob(LARGE))
  const running = large.map(({ job }) => workInTurn(queue, SERVER_ITSELF, job))
  await large[0]?.begun
  expect(large.map(({ work }) => work.mock.calls.length)).toEqual([1, 0, 0, 0, 0, 0])
  const small = makeJob(SMALL)
  const answer = workInTurn(queue, SERVER_ITSELF, small.job)
  await small.begun
  small.end('drawn')
  expect(await answer).toBe('drawn')
  for (const { end } of large) end('drawn')
  expect(await Promise.all(running)).toEqual(Array(6).fill('drawn'))
  // One is decoded and one more is read ahead: the files of the others are not in memory.
  expect(imageQueueNumbers(queue).largeImages).toMatchObject({ running: 0, waiting: 0 })
})

test('what turns out to be large when it is read moves to the places of large work', async () => {
  const queue = makeImageQueue(FREE)
  const hidden = Array.from({ length: 12 }, () => makeJob(LARGE, SMALL))
  const running = hidden.map(({ job }) => workInTurn(queue, SERVER_ITSELF, job))
  await Promise.race(hidden.map(({ begun }) => begun))
  const small = makeJob(SMALL)
  const answer = workInTurn(queue, SERVER_ITSELF, small.job)
  await small.begun
  small.end('drawn')
  expect(await answer).toBe('drawn')
  expect(hidden.filter(({ work }) => work.mock.calls.length > 0)).toHaveLength(1)
  for (const { end } of hidden) end('drawn')
  await Promise.all(running)
})

test('a storage that does not answer holds no place to decode', async () => {
  const queue = makeImageQueue(FREE)
  const stuck = Array.from({ length: 4 }, () => {
    const made = makeJob(SMALL)
    const silent = Promise.withResolvers<never>()
    made.read.mockReturnValue(silent.promise)
    return { running: workInTurn(queue, SERVER_ITSELF, made.job), fail: silent.reject }
  })
  expect(imageQueueNumbers(queue)).toMatchObject({
    images: { running: 0 },
    imagesReading: { running: 4 },
  })
  for (const { fail } of stuck) fail(new Error('gone'))
  await Promise.allSettled(stuck.map(({ running }) => running))
})

test('work whose asker has gone is dropped while it waits, and costs nothing', async () => {
  const budget = makeImageBudget({ isOn: true })
  const queue = makeImageQueue(budget)
  const first = makeJob(LARGE)
  const running = workInTurn(queue, SERVER_ITSELF, first.job)
  await first.begun
  const gone = new AbortController()
  const [most] = IMAGE_BUDGET.largePreview
  const waiting = makeJob({ cost: most, isLarge: true })
  const payers = ['a']
  const dropped = workInTurn(queue, { payers, key: 'a', signal: gone.signal }, waiting.job)
  await expect.poll(() => waiting.read.mock.calls.length).toBe(1)
  gone.abort(new Error('gone'))
  await expect(dropped).rejects.toThrow('gone')
  first.end('drawn')
  await running
  expect(waiting.work).not.toHaveBeenCalled()
  expect(() => budget.require('largePreview', payers, most)).not.toThrow()
})

test('the budget is taken from address and person, regained with time, and says when to come back', () => {
  let nowMs = 0
  const budget = makeImageBudget({ isOn: true, nowMs: () => nowMs })
  const [most, perSecond] = IMAGE_BUDGET.largePreview
  budget.take('largePreview', ['address', 'alice'], most)
  for (const payers of [['address'], ['alice'], ['another', 'alice']])
    expect(() => budget.take('largePreview', payers, perSecond * 3)).toThrow(
      expect.objectContaining({
        type: 'general_rate_limit_exceeded',
        status: 429,
        headers: { 'retry-after': '3' },
      }),
    )
  budget.take('largePreview', ['another'], most)
  budget.take('ordinaryPreview', ['address'], 1)
  nowMs += 3000
  budget.take('largePreview', ['address', 'alice'], perSecond * 3)
  expect(() => budget.require('largePreview', ['address'], 1)).toThrow()
  makeImageBudget({ isOn: false }).take('largePreview', ['address'], most * 10)
})

test('work that was never begun is given back, and no more than all of it', () => {
  const budget = makeImageBudget({ isOn: true, nowMs: () => 0 })
  const [most] = IMAGE_BUDGET.upload
  const giveBack = budget.take('upload', ['address'], most)
  expect(() => budget.require('upload', ['address'], 1)).toThrow()
  giveBack()
  budget.take('upload', ['address'], most)
  expect(() => budget.require('upload', ['address'], 1)).toThrow()
})

test('prices: cards of camera photos are ordinary, 4000 x 4000 and hidden whole images are large', () => {
  const priceOf = (facts: ImageFacts, query: Record<string, string>) =>
    previewPrice(facts, readPreviewParams(query, 'image/webp'), 'webp')
  const card = priceOf(PHOTO, { width: '640', height: '360' })
  expect(card.isLarge).toBe(false)
  expect(priceOf({ ...PHOTO, isProgressive: true, scans: 10 }, { width: '1280' }).isLarge).toBe(
    false,
  )
  expect(priceOf(PHOTO, { width: '4000', height: '4000' }).isLarge).toBe(true)
  expect(
    priceOf(
      { ...PHOTO, type: 'png', isProgressive: true, width: 7000, height: 7000 },
      { width: '10' },
    ).isLarge,
  ).toBe(true)
  // A feed of 25 new covers in three widths, and 30 photos of which each has to be turned.
  expect(card.cost * 25 * 3).toBeLessThan(IMAGE_BUDGET.ordinaryPreview[0] / 2)
  expect(uploadPrice(PHOTO, { isTurned: true }).cost * 30).toBeLessThan(IMAGE_BUDGET.upload[0] / 2)
})

test('of two images whose time is over at once each is told so, never that it is damaged', async () => {
  const slow = sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#123' } })
  const pixels = await slow.raw().toBuffer()
  const outcomes = await Promise.allSettled(
    [1, 2].map(() => {
      const time = startWorkTime(undefined, 200)
      return decodeOrRefuse(time, () =>
        time
          .timed(sharp(pixels, { raw: { width: 4000, height: 4000, channels: 3 } }))
          .median(31)
          .png()
          .toBuffer(),
      )
    }),
  )
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({
      status: 'rejected',
      reason: { type: 'general_service_disabled', status: 503 },
    })
})

test('no further step begins when nobody waits any more, and that is no damage', async () => {
  const gone = new AbortController()
  const time = startWorkTime(gone.signal)
  const image = sharp({ create: { width: 1, height: 1, channels: 3, background: '#123' } })
  expect(() => time.timed(image)).not.toThrow()
  gone.abort(new Error('gone'))
  expect(() => time.timed(image)).toThrow('gone')
  const work = decodeOrRefuse(time, () => time.timed(image).toBuffer())
  await expect(work).rejects.toBe(gone.signal.reason)
})
