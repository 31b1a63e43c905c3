// What the headers of every API response say: who the viewer is, and the id of a failed request, by
// which an error screen names its entry in the server's log.
import { VIEWER_HEADER } from '#contract/ids.ts'
import { recordServerTime } from './server-clock.ts'

/** `viewer` is the fingerprint of the viewer; null when the server does not say. */
export type ResponseMetadata = { status: number; viewer: string | null }

type Listener = (answer: ResponseMetadata) => Promise<void> | undefined

let lastRefused: string | undefined
const listeners = new Set<Listener>()

/** Call once, in the browser, before the first call of the API. */
export function trackResponses(): void {
  globalThis.__dispatch = async (input, init) => {
    const answer = await fetch(input, init)
    recordServerTime(Date.parse(answer.headers.get('date') ?? ''))
    if (answer.status >= 400) lastRefused = answer.headers.get('x-request-id') ?? undefined
    await recordResponse({ status: answer.status, viewer: answer.headers.get(VIEWER_HEADER) })
    return answer
  }
}

/** For calls that go another way than the client's. */
export async function recordResponse(answer: ResponseMetadata): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener(answer)))
}

/**
 * Calls back with every response, before the caller of the API gets it: the call waits for the
 * promise that `listener` returns.
 *
 * @returns ends it
 */
export function onResponse(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** @returns undefined as long as no request was refused */
export function lastRefusedRequestId(): string | undefined {
  return lastRefused
}
