// The hub is told in the background, however it behaves.
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeBackground } from '#backend/process/background.ts'
import { makeLog } from '#backend/process/log.ts'
import { openHub } from '#test/support/hub.ts'
import { makeWebSub, WEBSUB_TIMEOUT_MS, WEBSUB_WAITING_MAX } from './websub.ts'

function start(hubUrl: string, times: { retryMs: number[] }) {
  const lines: Record<string, unknown>[] = []
  const log = makeLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const background = makeBackground(log)
  const webSub = makeWebSub(hubUrl, { background, log }, { delayMs: 1, ...times })
  return { webSub, background, events: () => lines.map(({ event }) => event) }
}

test('each feed is told once for all changes of a moment', async () => {
  await using hub = await openHub()
  const { webSub, background, events } = start(hub.url, { retryMs: [] })
  webSub.note(['a', 'b'])
  webSub.note(['b', 'c'])
  expect(await hub.calls(3)).toEqual(['a', 'b', 'c'])
  await background.drained()
  webSub.note(['a'])
  expect(await hub.calls(4)).toEqual(['a', 'b', 'c', 'a'])
  expect(events()).toEqual([])
})

test('a hub that is away is told again, and given up in the end', async () => {
  await using hub = await openHub()
  const { webSub, background, events } = start(hub.url, { retryMs: [1, 1] })
  hub.answers.push(503, 429)
  webSub.note(['a', 'b'])
  expect(await hub.calls(4)).toEqual(['a', 'b', 'a', 'b'])
  await background.drained()
  expect(events()).toEqual(['hub away', 'hub away'])
  hub.answers.push(500, 500, 500)
  webSub.note(['c', 'd'])
  await background.drained()
  expect(events().at(-1)).toBe('feed not told')
  webSub.note(['e'])
  await background.drained()
  expect((await hub.calls(8)).at(-1)).toBe('e')
})

test('a feed that the hub refuses holds up no other', async () => {
  await using hub = await openHub()
  const { webSub, background, events } = start(hub.url, { retryMs: [1] })
  hub.answers.push(400, 301)
  webSub.note(['a', 'b', 'c'])
  await background.drained()
  expect(await hub.calls(3)).toEqual(['a', 'b', 'c'])
  expect(events()).toEqual(['feed not told', 'feed not told'])
})

test('a hub that says nothing gets one request at a time, and is asked again when its time is over', async () => {
  await using hub = await openHub()
  const time = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(time.signal)
  onTestFinished(() => timeout.mockRestore())
  const { webSub, background, events } = start(hub.url, { retryMs: [1] })
  hub.answers.push('silence')
  webSub.note(['a', 'b'])
  expect(await hub.calls(1)).toEqual(['a'])
  expect(timeout.mock.calls).toEqual([[WEBSUB_TIMEOUT_MS]])
  time.abort(new DOMException('The time is over', 'TimeoutError'))
  expect(await hub.calls(3)).toEqual(['a', 'b', 'a'])
  await background.drained()
  expect(events()).toEqual(['hub away'])
})

test('what waits for the hub has a bound, and nothing waits for it at the end', async () => {
  const { webSub, background, events } = start('http://127.0.0.1:9/', { retryMs: [60_000] })
  webSub.note(Array.from({ length: WEBSUB_WAITING_MAX + 5 }, (_one, at) => String(at)))
  expect(events()).toEqual(['feed not told'])
  webSub.close()
  await background.drained()
  webSub.note(['later'])
  await background.drained()
  expect(events()).toEqual(['feed not told'])
})
