// Work on the rows of one database that each call does to its end.

/**
 * Of calls with the same key in this process, the next one begins when the last one has ended: it
 * finds nothing left, or what has come meanwhile.
 */
export function makeOneAtATime() {
  const running = new WeakMap<object, Promise<void>>()
  return (key: object, work: () => Promise<void>): Promise<void> => {
    const before = running.get(key) ?? Promise.resolve()
    const call = before.catch(() => {}).then(work)
    running.set(key, call)
    return call
  }
}
