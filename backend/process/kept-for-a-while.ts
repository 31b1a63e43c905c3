// An answer that is read again only when it has become old. Knows nothing of what it is.

/**
 * @param options `seconds`: how long an answer is kept; `nowMs`: another clock
 * @returns the kept answer; callers that come while it is read share it, a failure is not kept
 */
export function keptForAWhile<Value>(
  read: () => Promise<Value>,
  { seconds, nowMs = () => performance.now() }: { seconds: number; nowMs?: () => number },
): () => Promise<Value> {
  let kept: Promise<Value> | undefined
  let untilMs = 0
  return () => {
    if (kept && nowMs() < untilMs) return kept
    untilMs = nowMs() + seconds * 1000
    const reading = read()
    kept = reading
    reading.catch(() => {
      if (kept === reading) kept = undefined
    })
    return reading
  }
}
