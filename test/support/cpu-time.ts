// Processor time of this process and its threads. Unlike elapsed time it does not depend on other
// load of the host.

/**
 * The lowest time of several attempts, so that unrelated work of this process does not count.
 * @returns milliseconds of processor time
 */
export async function leastCpuMs(attempts: number, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** @returns the milliseconds of processor time that the work takes on this thread */
export function threadCpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
