// Load on a server by autocannon: many connections, each with requests of its own in turn. Knows
// nothing of what is measured.
import autocannon from 'autocannon'

const CONNECTIONS = 32

export type LoadRequest = {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Makes the request anew each time that it is sent. */
  setupRequest?: () => LoadRequest
}

/** `failed` counts answers that are neither 2xx nor 304, and broken connections. */
export type Load = { perSecond: number; meanMs: number; p99Ms: number; failed: number }

type LoadTarget = { url: string; connections?: number }

/** Asks for all of them again and again, so many seconds; each connection for its part of them. */
export function runLoad(
  shot: LoadTarget & { seconds: number },
  requests: LoadRequest[],
): Promise<Load> {
  return run(shot, requests, { duration: shot.seconds })
}

/** Asks for each of them once. */
export function sendOnce(shot: LoadTarget, requests: LoadRequest[]): Promise<Load> {
  const connections = Math.min(shot.connections ?? CONNECTIONS, requests.length)
  return run({ ...shot, connections }, requests, { amount: requests.length })
}

async function run(
  { url, connections = CONNECTIONS }: LoadTarget,
  requests: LoadRequest[],
  howLong: { duration: number } | { amount: number },
): Promise<Load> {
  const tookMs: number[] = []
  let connection = 0
  let failed = 0
  let beganMs = 0
  let endedMs = 0
  const settings = {
    url,
    connections,
    ...howLong,
    timeout: 30,
    sampleInt: 100,
    setupClient(client: autocannon.Client) {
      const at = connection++
      const own = requests.filter((_one, index) => index % connections === at)
      client.setRequests((own.length > 0 ? own : requests) as autocannon.Request[])
    },
  }
  await new Promise<void>((done, fail) => {
    const running = autocannon(settings as autocannon.Options, (error) =>
      error ? fail(error) : done(),
    )
    running.on('start', () => {
      beganMs = performance.now()
    })
    running.on('response', (_client, status, _bytes, ms) => {
      endedMs = performance.now()
      tookMs.push(ms)
      if (status >= 300 && status !== 304) failed++
    })
    running.on('reqError', () => failed++)
  })
  const sorted = tookMs.sort((a, b) => a - b)
  return {
    perSecond: (1000 * sorted.length) / (endedMs - beganMs),
    meanMs: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    p99Ms: sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN,
    failed,
  }
}

/** The one of the median number of answers; failures of all. */
export function medianLoad(loads: Load[]): Load {
  const sorted = loads.toSorted((a, b) => a.perSecond - b.perSecond)
  const failed = loads.reduce((sum, load) => sum + load.failed, 0)
  return { ...(sorted[sorted.length >> 1] as Load), failed }
}
