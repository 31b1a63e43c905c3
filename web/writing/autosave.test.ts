import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { RATE } from '#contract/limits.ts'
import {
  AUTOSAVE_AFTER_MS,
  AUTOSAVE_EVERY_MS,
  Autosave,
  SAVE_RETRY_MS,
  type SaveOutcome,
} from './autosave.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

/** A draft whose saves end with these outcomes, one after another; further saves succeed. */
function makeDraft({
  outcomes = [],
  tookMs = 0,
}: {
  outcomes?: SaveOutcome[]
  tookMs?: number
} = {}) {
  const startedMs = Date.now()
  const savedAtMs: number[] = []
  const draft = { isOn: true }
  const autosave = new Autosave({
    isOn: () => draft.isOn,
    async save() {
      savedAtMs.push(Date.now() - startedMs)
      if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs))
      return outcomes.shift() ?? 'saved'
    },
  })
  return { autosave, savedAtMs, draft }
}

async function type(autosave: Autosave, forMs: number, everyMs: number) {
  for (let typedMs = 0; typedMs < forMs; typedMs += everyMs) {
    autosave.markDirty()
    await vi.advanceTimersByTimeAsync(everyMs)
  }
}

test('a draft is saved once, 3 s after the last key', async () => {
  const { autosave, savedAtMs } = makeDraft()
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(2000)
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(2999)
  expect(savedAtMs).toEqual([])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(savedAtMs).toEqual([2000 + AUTOSAVE_AFTER_MS])
  expect(autosave.isDirty).toBe(false)
})

test('while somebody types without a pause, the draft is saved every 30 s', async () => {
  const { autosave, savedAtMs } = makeDraft()
  await type(autosave, 100_000, 200)
  expect(savedAtMs).toEqual([1, 2, 3].map((time) => expect.closeTo(time * AUTOSAVE_EVERY_MS, -3)))
})

test('hours of writing stay far below the rate limit of writes', async () => {
  const { autosave, savedAtMs } = makeDraft()
  await type(autosave, 2 * 3_600_000, AUTOSAVE_AFTER_MS + 1)
  const [maxWrites, windowSeconds] = RATE.documentWritePerUser
  const inOneWindow = Math.max(
    ...savedAtMs.map(
      (from) => savedAtMs.filter((at) => at >= from && at < from + windowSeconds * 1000).length,
    ),
  )
  expect(inOneWindow).toBeLessThanOrEqual(maxWrites / 5)
})

test('what is typed during a save is saved by the next one, and two saves never run at once', async () => {
  const { autosave, savedAtMs } = makeDraft({ tookMs: 1000 })
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(3500)
  autosave.markDirty()
  const outcome = autosave.saveNow()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await outcome).toBe('saved')
  expect(savedAtMs).toEqual([3000, 4000])
})

test('a text that takes long to send is sent less often', async () => {
  const { autosave, savedAtMs } = makeDraft({ tookMs: 5000 })
  await type(autosave, 60_000, 4000)
  for (const [index, at] of savedAtMs.slice(1).entries())
    expect(at - (savedAtMs[index] ?? 0)).toBeGreaterThanOrEqual(15_000)
})

test('an unanswered save is repeated after longer and longer pauses, even if nothing is typed', async () => {
  const { autosave, savedAtMs } = makeDraft({ outcomes: Array(6).fill('unanswered') })
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(400_000)
  const pauses = savedAtMs.slice(1).map((at, index) => at - (savedAtMs[index] ?? 0))
  expect(pauses).toEqual([...SAVE_RETRY_MS, SAVE_RETRY_MS.at(-1)])
  expect(autosave.isDirty).toBe(false)
})

test('typing does not shorten the pauses after a failure', async () => {
  const { autosave, savedAtMs } = makeDraft({ outcomes: Array(100).fill('unanswered') })
  await type(autosave, 600_000, 500)
  expect(savedAtMs.length).toBeLessThan(16)
})

test('when the network is back, the text is sent at once', async () => {
  const { autosave, savedAtMs } = makeDraft({ outcomes: Array(4).fill('unanswered') })
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(26_000)
  const savesBefore = savedAtMs.length
  autosave.retryNow()
  await vi.advanceTimersByTimeAsync(0)
  expect(savedAtMs.length).toBe(savesBefore + 1)
})

test('a refused text is not sent again until something is typed', async () => {
  const { autosave, savedAtMs } = makeDraft({ outcomes: ['refused'] })
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(savedAtMs).toHaveLength(1)
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(AUTOSAVE_AFTER_MS)
  expect(savedAtMs).toHaveLength(2)
})

test('nothing is sent while autosaving is off', async () => {
  const { autosave, savedAtMs, draft } = makeDraft()
  draft.isOn = false
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(savedAtMs).toEqual([])
})

test('nothing is sent while "Submit" saves; what that save does not include is sent afterwards', async () => {
  const { autosave, savedAtMs, draft } = makeDraft()
  autosave.markDirty()
  draft.isOn = false
  await autosave.pause()
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(savedAtMs).toEqual([])
  draft.isOn = true
  autosave.resume()
  await vi.advanceTimersByTimeAsync(AUTOSAVE_AFTER_MS)
  expect(savedAtMs).toHaveLength(1)
})

test('nothing is sent when everything is saved', async () => {
  const { autosave, savedAtMs } = makeDraft()
  autosave.markDirty()
  autosave.reset()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(savedAtMs).toEqual([])
})

test('"Submit" waits for a save that is under way', async () => {
  const { autosave } = makeDraft({ tookMs: 4000 })
  autosave.markDirty()
  await vi.advanceTimersByTimeAsync(3000)
  let isPaused = false
  void autosave.pause().then(() => {
    isPaused = true
  })
  await vi.advanceTimersByTimeAsync(3999)
  expect(isPaused).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isPaused).toBe(true)
})
