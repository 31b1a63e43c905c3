// Tells the hub that feeds have changed, so that it tells whoever follows them. In the background:
// changes within a moment are one, each feed waits once, and what the hub does not take after a few
// attempts is lost, because the next change says it again.
// @source WebSub, "Publishing", in the form that hubs take (PubSubHubbub 0.4)
import { setTimeout as delay } from 'node:timers/promises'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

/** How long the hub may take to answer. */
export const WEBSUB_TIMEOUT_MS = 10_000
/** Feeds that wait to be told. More: not told. */
export const WEBSUB_WAITING_MAX = 1000

export type WebSubNeeds = {
  hubUrl: string
  background: Background
  log: Log
  /** In milliseconds; a test hands in less. */
  times?: Partial<typeof TIMES>
}

export type WebSub = ReturnType<typeof makeWebSub>

const TIMES = {
  /** Changes within this time are told to the hub as one. */
  delayMs: 1000,
  timeoutMs: WEBSUB_TIMEOUT_MS,
  /** Pauses after each failed attempt; after the last one the change is not told. */
  retryMs: [5_000, 30_000, 120_000],
}

export function makeWebSub({ hubUrl, background, log, times }: WebSubNeeds) {
  const { delayMs, timeoutMs, retryMs } = { ...TIMES, ...times }
  const stop = new AbortController()
  const stopping = stop.signal
  const waiting = new Set<string>()
  async function tell(url: string): Promise<void> {
    for (const [failures, pauseMs] of [delayMs, ...retryMs].entries()) {
      await delay(pauseMs, undefined, { signal: stopping, ref: false }).catch(() => {})
      if (stopping.aborted) return
      // Before it is told: a change that comes meanwhile is told once more.
      waiting.delete(url)
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
      const failure = await post(hubUrl, url, signal)
      if (!failure || stopping.aborted || waiting.has(url)) return
      const facts = { url, reason: failure.reason }
      if (failure.isFinal || failures === retryMs.length)
        return log.warn({ event: 'feed not told', ...facts }, 'the hub was not told of changes')
      log.info({ event: 'hub away', ...facts }, 'the hub will be told again')
      waiting.add(url)
    }
  }
  return {
    /** These feeds have changed. */
    note(urls: readonly string[]): void {
      if (stopping.aborted) return
      const added = urls.filter((url) => !waiting.has(url))
      const left = added.splice(Math.max(0, WEBSUB_WAITING_MAX - waiting.size))
      if (left.length > 0)
        log.warn({ event: 'feed not told', feeds: left.length }, 'too many feeds wait for the hub')
      for (const url of added) {
        waiting.add(url)
        background.run('telling the hub', () => tell(url))
      }
    },
    /** Nothing is sent any more; what is under way ends. */
    close: () => stop.abort(),
  }
}

type Failure = { reason: string; isFinal: boolean }

/** @returns what went wrong */
async function post(
  hubUrl: string,
  url: string,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    const answer = await fetch(hubUrl, {
      method: 'POST',
      body: new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': url, 'hub.topic': url }),
      redirect: 'manual',
      signal,
    })
    // Whatever it says, it is not read.
    await answer.body?.cancel()
    if (answer.ok) return undefined
    const isFinal = answer.status < 500 && ![408, 429].includes(answer.status)
    return { reason: `HTTP ${answer.status}`, isFinal }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { reason: cause instanceof Error ? cause.message : String(cause), isFinal: false }
  }
}
