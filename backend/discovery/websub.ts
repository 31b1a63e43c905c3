// Tells the hub that feeds have changed, so that it tells whoever follows them. In the background:
// changes within a moment are one, each feed waits once, and what the hub does not take after a few
// attempts is lost, because the next change says it again.
// @source WebSub, "Publishing", in the form that hubs take (PubSubHubbub 0.4)
import { setTimeout as delay } from 'node:timers/promises'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

/** Changes within this time are told to the hub as one. */
const WEBSUB_DELAY_MS = 1000
/** How long the hub may take to answer. */
export const WEBSUB_TIMEOUT_MS = 10_000
/** Pauses after each failed attempt; after the last one the change is not told. */
const WEBSUB_RETRY_MS = [5_000, 30_000, 120_000] as const
/** Feeds that wait to be told. More: not told. */
export const WEBSUB_WAITING_MAX = 1000

export type WebSubNeeds = {
  hubUrl: string
  background: Background
  log: Log
  /** In milliseconds; a test hands in less. */
  times?: Partial<Times>
}

type Times = { delayMs: number; timeoutMs: number; retryMs: readonly number[] }

export type WebSub = ReturnType<typeof makeWebSub>

const TIMES = { delayMs: WEBSUB_DELAY_MS, timeoutMs: WEBSUB_TIMEOUT_MS, retryMs: WEBSUB_RETRY_MS }

export function makeWebSub({ hubUrl, background, log, times }: WebSubNeeds) {
  const stopping = new AbortController()
  const telling: Telling = {
    ...{ hubUrl, log, waiting: new Set(), stopping: stopping.signal },
    times: { ...TIMES, ...times },
  }
  let isRunning = false
  function begin(): void {
    if (isRunning || telling.waiting.size === 0 || stopping.signal.aborted) return
    isRunning = true
    background.run('telling the hub', () =>
      tellAll(telling).finally(() => {
        isRunning = false
        begin()
      }),
    )
  }
  return {
    /** These feeds have changed. */
    note(urls: readonly string[]): void {
      const { waiting } = telling
      if (stopping.signal.aborted) return
      let left = 0
      for (const url of urls)
        if (waiting.has(url) || waiting.size < WEBSUB_WAITING_MAX) waiting.add(url)
        else left += 1
      if (left > 0)
        log.warn({ event: 'feed not told', feeds: left }, 'too many feeds wait for the hub')
      begin()
    },
    /** Nothing is sent any more; what is under way ends. */
    close: () => stopping.abort(),
  }
}

type Telling = {
  hubUrl: string
  log: Log
  waiting: Set<string>
  stopping: AbortSignal
  times: Times
}

async function tellAll(telling: Telling): Promise<void> {
  const { log, waiting, stopping, times } = telling
  await pause(times.delayMs, stopping)
  for (let failures = 0; waiting.size > 0 && !stopping.aborted; ) {
    const reason = await tellUntilFailure(telling)
    if (stopping.aborted) return
    if (reason === undefined) {
      failures = 0
      // What has come meanwhile, together with what comes within a moment.
      if (waiting.size > 0) await pause(times.delayMs, stopping)
      continue
    }
    const pauseMs = times.retryMs[failures]
    failures += 1
    const facts = { reason, feeds: waiting.size }
    if (pauseMs === undefined) {
      waiting.clear()
      log.warn({ event: 'feed not told', ...facts }, 'the hub was not told of changes')
    } else {
      log.info({ event: 'hub away', ...facts, pauseMs }, 'the hub will be told again')
      await pause(pauseMs, stopping)
    }
  }
}

/** @returns why the hub takes nothing at the moment */
async function tellUntilFailure(telling: Telling): Promise<string | undefined> {
  const { hubUrl, log, waiting, stopping, times } = telling
  for (const url of [...waiting]) {
    // Before it is told: a change that comes meanwhile is told once more.
    waiting.delete(url)
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(times.timeoutMs)])
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

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => {})
}
