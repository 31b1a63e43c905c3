// Loads a server with autocannon: many connections, each cycling through its own share of the
// requests.
import autocannon from 'autocannon'

const CONNECTIONS = 32

export type LoadRequest = {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** Builds a new request each time that it is sent. */
  setupRequest?: () => LoadRequest
}

/** `failed` counts responses that are neither 2xx nor 304, and connection errors. */
export type LoadResult = { perSecond: number; meanMs: number; p99Ms: number; failed: number }

type LoadTarget = { url: string; connections?: number }

/** Repeats all requests for some seconds; each connection sends its share. */
export function runLoad(
  target: LoadTarget & { seconds: number },
  requests: LoadRequest[],
): Promise<LoadResult> {
  return run(target, requests, { duration: target.seconds })
}

/** Sends each request once. */
export function sendOnce(target: LoadTarget, requests: LoadRequest[]): Promise<LoadResult> {
  const connections = Math.min(target.connections ?? CONNECTIONS, requests.length)
  return run({ ...target, connections }, requests, { amount: requests.length })
}

async function run(
  { url, connections = CONNECTIONS }: LoadTarget,
  requests: LoadRequest[],
  end: { duration: number } | { amount: number },
): Promise<LoadResult> {
  const responseMs: number[] = []
  let connection = 0
  let failed = 0
  let beganMs = 0
  let endedMs = 0
  const settings = {
    url,
    connections,
    ...end,
    timeout: 30,
    sampleInt: 100,
    setupClient(client: autocannon.Client) {
      const number = connection++
      const connectionRequests = requests.filter(
        (_request, index) => index % connections === number,
      )
      client.setRequests(
        (connectionRequests.length > 0 ? connectionRequests : requests) as autocannon.Request[],
      )
    },
  }
  await new Promise<void>((done, fail) => {
    const instance = autocannon(settings as autocannon.Options, (error) =>
      error ? fail(error) : done(),
    )
    instance.on('start', () => {
      beganMs = performance.now()
    })
    instance.on('response', (_client, status, _bytes, ms) => {
      endedMs = performance.now()
      responseMs.push(ms)
      if (status >= 300 && status !== 304) failed++
    })
    instance.on('reqError', () => failed++)
  })
  const sorted = responseMs.sort((a, b) => a - b)
  return {
    perSecond: (1000 * sorted.length) / (endedMs - beganMs),
    meanMs: sorted.reduce((sum, ms) => sum + ms, 0) / sorted.length,
    p99Ms: sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN,
    failed,
  }
}

/** The load with the median throughput, and with the failures of all loads. */
export function medianLoad(loads: LoadResult[]): LoadResult {
  const sorted = loads.toSorted((a, b) => a.perSecond - b.perSecond)
  const failed = loads.reduce((sum, load) => sum + load.failed, 0)
  return { ...(sorted[sorted.length >> 1] as LoadResult), failed }
}
