// Tells the hub that feeds have changed, so that it notifies their subscribers. In the background:
// changes within a moment are one, each feed waits once, and what the hub does not take after a few
// attempts is lost, because the next change says it again.
// @source WebSub, "Publishing", in the form that hubs take (PubSubHubbub 0.4)
import { setTimeout as delay } from 'node:timers/promises'
import type { DiscoveryNeeds } from './public-response.ts'

/** How long the hub may take to answer. */
export const WEBSUB_TIMEOUT_MS = 10_000
/** Feeds that wait to be told. More: not told. */
export const WEBSUB_WAITING_MAX = 1000

export type WebSub = ReturnType<typeof makeWebSub>

const TIMES = {
  /** Changes within this time are told to the hub as one. */
  delayMs: 1000,
  timeoutMs: WEBSUB_TIMEOUT_MS,
  /** Pauses after each failed attempt; after the last one the change is not told. */
  retryMs: [5_000, 30_000, 120_000],
}

/** @param times in milliseconds; a test hands in less */
export function makeWebSub(
  hubUrl: string,
  { background, log }: Pick<DiscoveryNeeds, 'background' | 'log'>,
  times: Partial<typeof TIMES> = {},
) {
  const { delayMs, timeoutMs, retryMs } = { ...TIMES, ...times }
  const stop = new AbortController()
  const stopping = stop.signal
  const waiting = new Set<string>()
  let isRunning = false
  function begin(): void {
    if (isRunning || waiting.size === 0 || stopping.aborted) return
    isRunning = true
    background.run('telling the hub', () =>
      tellAll().finally(() => {
        isRunning = false
        begin()
      }),
    )
  }
  async function tellAll(): Promise<void> {
    for (let failures = 0; waiting.size > 0 && !stopping.aborted; ) {
      const waitMs = retryMs[failures - 1] ?? delayMs
      await delay(waitMs, undefined, { signal: stopping, ref: false }).catch(() => {})
      const reason = await tellUntilFailure()
      if (stopping.aborted) return
      const pauseMs = retryMs[failures]
      failures = reason === undefined ? 0 : failures + 1
      if (reason === undefined) continue
      const facts = { reason, feeds: waiting.size }
      if (pauseMs !== undefined) {
        log.info({ event: 'hub away', ...facts, pauseMs }, 'the hub will be told again')
        continue
      }
      waiting.clear()
      log.warn({ event: 'feed not told', ...facts }, 'the hub was not told of changes')
    }
  }
  /** @returns why the hub takes nothing at the moment */
  async function tellUntilFailure(): Promise<string | undefined> {
    for (const url of [...waiting]) {
      // Before it is told: a change that comes meanwhile is told once more.
      waiting.delete(url)
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
      const failure = await post(hubUrl, url, signal)
      if (failure?.isFinal)
        log.warn({ event: 'feed not told', url, reason: failure.reason }, 'the hub refused a feed')
      else if (failure) {
        waiting.add(url)
        return failure.reason
      }
    }
    return undefined
  }
  return {
    /** These feeds have changed. */
    note(urls: readonly string[]): void {
      if (stopping.aborted) return
      let left = 0
      for (const url of urls)
        if (waiting.has(url) || waiting.size < WEBSUB_WAITING_MAX) waiting.add(url)
        else left += 1
      if (left > 0)
        log.warn({ event: 'feed not told', feeds: left }, 'too many feeds wait for the hub')
      begin()
    },
    /** Nothing is sent any more; what is under way ends. */
    close: () => stop.abort(),
  }
}

/** @returns what went wrong */
async function post(hubUrl: string, url: string, signal: AbortSignal) {
  try {
    const answer = await fetch(hubUrl, {
      method: 'POST',
      body: new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': url, 'hub.topic': url }),
      redirect: 'manual',
      signal,
    })
    // The body of the response is not read.
    await answer.body?.cancel()
    if (answer.ok) return undefined
    const isFinal = answer.status < 500 && ![408, 429].includes(answer.status)
    return { reason: `HTTP ${answer.status}`, isFinal }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { reason: cause instanceof Error ? cause.message : String(cause), isFinal: false }
  }
}
