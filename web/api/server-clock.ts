// The server's clock as its responses report it. What may be done for a limited time follows this
// clock: that of the device may be wrong, and may jump while a page is open.

/** What to add to `performance.now()`; undefined until the server has reported a time. */
let offsetMs: number | undefined

/** @param reportedMs the time at which the server sent something, perhaps a while ago */
export function recordServerTime(reportedMs: number): void {
  if (!Number.isFinite(reportedMs)) return
  const reportedOffsetMs = reportedMs - performance.now()
  // Of two reports the later one was under way for less time.
  if (offsetMs === undefined || reportedOffsetMs > offsetMs) offsetMs = reportedOffsetMs
}

export function serverNowMs(): number {
  return offsetMs === undefined ? Date.now() : performance.now() + offsetMs
}
