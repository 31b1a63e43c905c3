// The id of the last request that was refused: an error screen shows it, so that its entry in the
// server's log can be found.

declare global {
  /** Read by shims/cross-fetch, through which all calls go. */
  var __dispatch: typeof fetch | undefined
}

let lastRefused: string | undefined

/** Call once, in the browser, before the first call of the API. */
export function trackRefusedRequests(): void {
  globalThis.__dispatch = async (input, init) => {
    const answer = await fetch(input, init)
    if (answer.status >= 400) lastRefused = answer.headers.get('x-request-id') ?? undefined
    return answer
  }
}

/** @returns undefined as long as no request was refused */
export function lastRefusedRequest(): string | undefined {
  return lastRefused
}
