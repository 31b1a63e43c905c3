// Lets concurrent callers with the same key share one run of the work, which is aborted when all of
// them are gone; and caches values for a time.

export type SingleFlight<Result> = ReturnType<typeof makeSingleFlight<Result>>

type Running<Result> = { result: Promise<Result>; callers: number; abandon(reason: unknown): void }

export function makeSingleFlight<Result>() {
  const runs = new Map<string, Running<Result>>()

  function start(key: string, work: (signal: AbortSignal) => Promise<Result>): Running<Result> {
    const controller = new AbortController()
    const forget = () => {
      if (runs.get(key) === running) runs.delete(key)
    }
    const result = Promise.resolve()
      .then(() => work(controller.signal))
      .finally(forget)
    const running: Running<Result> = {
      result,
      callers: 0,
      abandon(reason) {
        // A later caller starts the work again.
        forget()
        controller.abort(reason)
      },
    }
    runs.set(key, running)
    return running
  }

  return {
    /**
     * Joins the running work of this key, or starts it.
     *
     * @param signal of this caller; without one the caller always waits
     * @param work   gets a signal that is aborted when every caller has gone
     * @throws the signal's reason as soon as this caller is gone; every error that the work throws
     */
    run: (
      key: string,
      signal: AbortSignal | undefined,
      work: (signal: AbortSignal) => Promise<Result>,
    ): Promise<Result> => waitFor(runs.get(key) ?? start(key, work), signal),
    /** Joins the running work of this key. @returns undefined when there is none */
    join(key: string, signal: AbortSignal | undefined): Promise<Result> | undefined {
      const running = runs.get(key)
      return running && waitFor(running, signal)
    },
  }
}

function waitFor<Result>(running: Running<Result>, signal: AbortSignal | undefined) {
  running.callers++
  if (!signal) return running.result
  const { promise, resolve, reject } = Promise.withResolvers<Result>()
  const leave = () => {
    reject(signal.reason)
    running.callers--
    if (running.callers === 0) running.abandon(signal.reason)
  }
  signal.addEventListener('abort', leave, { once: true })
  running.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  if (signal.aborted) leave()
  return promise
}

// --- values that are cached for a time

/**
 * @param options `seconds`: how long a value is cached once it is read; `nowMs`: another clock
 * @returns the cached value. Concurrent callers share one read; a failure is not cached
 */
export function cacheForSeconds<Value>(
  read: () => Promise<Value>,
  { seconds, nowMs = () => performance.now() }: { seconds: number; nowMs?: () => number },
): () => Promise<Value> {
  let cached: Promise<Value> | undefined
  let untilMs = 0
  return () => {
    if (cached && nowMs() < untilMs) return cached
    untilMs = Infinity
    cached = read()
    cached.then(
      () => (untilMs = nowMs() + seconds * 1000),
      () => (cached = undefined),
    )
    return cached
  }
}
