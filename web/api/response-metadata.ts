// Reads the headers of every API response: who the viewer is, the server's time, and the id of a
// failed request, with which an error screen refers to its entry in the server's log.
import { VIEWER_HEADER } from '#contract/ids.ts'
import { recordServerTime } from './server-clock.ts'

/** `viewer` is the fingerprint of the viewer; null if the server does not send it. */
export type ResponseMetadata = { status: number; viewer: string | null }

type Listener = (response: ResponseMetadata) => Promise<void> | undefined

let lastRefusedId: string | undefined
const listeners = new Set<Listener>()

/** Call this once, in the browser, before the first API call. */
export function trackResponses(): void {
  globalThis.__dispatch = async (input, init) => {
    const response = await fetch(input, init)
    recordServerTime(Date.parse(response.headers.get('date') ?? ''))
    if (response.status >= 400) lastRefusedId = response.headers.get('x-request-id') ?? undefined
    await recordResponse({ status: response.status, viewer: response.headers.get(VIEWER_HEADER) })
    return response
  }
}

/** Call this directly only for responses to requests that the client did not send. */
export async function recordResponse(response: ResponseMetadata): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener(response)))
}

/**
 * Calls `listener` with every response before the caller gets it: the API call waits for the
 * promise that `listener` returns.
 *
 * @returns a function that unsubscribes
 */
export function onResponse(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** @returns undefined until a request is refused */
export function lastRefusedRequestId(): string | undefined {
  return lastRefusedId
}
