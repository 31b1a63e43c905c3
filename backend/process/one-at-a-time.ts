// Runs work on the rows of a database, one call at a time.

/**
 * Calls with the same key in this process run one after the other: each finds only the rows that
 * the previous calls have left, or that were added since.
 */
export function makeOneAtATime() {
  const running = new WeakMap<object, Promise<void>>()
  return (key: object, work: () => Promise<void>): Promise<void> => {
    const previous = running.get(key) ?? Promise.resolve()
    const call = previous.catch(() => {}).then(work)
    running.set(key, call)
    return call
  }
}
