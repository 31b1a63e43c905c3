// The server's clock as its responses report it. Time limits follow this clock: the device's clock
// may be wrong, and may jump while a page is open.

/** Added to `performance.now()`; undefined until the server has reported a time. */
let offsetMs: number | undefined

/** @param reportedMs the time at which the server sent something, perhaps a while ago */
export function recordServerTime(reportedMs: number): void {
  if (!Number.isFinite(reportedMs)) return
  const reportedOffsetMs = reportedMs - performance.now()
  // Of two reports, the one with the larger offset was in transit for less time.
  if (offsetMs === undefined || reportedOffsetMs > offsetMs) offsetMs = reportedOffsetMs
}

export function serverNowMs(): number {
  return offsetMs === undefined ? Date.now() : performance.now() + offsetMs
}
