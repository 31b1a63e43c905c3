// Requests that wait at the same time share a query.

/**
 * @param readMany what these keys stand for, by key
 * @returns what some keys stand for, and maybe others, as it is committed at a moment after the
 *   call. One query answers all calls that came before it began.
 */
export function makeBatchedRead<Value>(
  readMany: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>> {
  let next: { keys: Set<string>; result: Promise<ReadonlyMap<string, Value>> } | undefined
  let running: Promise<unknown> = Promise.resolve()
  return (keys) => {
    if (!next) {
      const asked = new Set<string>()
      next = { keys: asked, result: begin(asked) }
    }
    for (const key of keys) next.keys.add(key)
    return next.result
  }
  async function begin(keys: Set<string>): Promise<ReadonlyMap<string, Value>> {
    await running
    await new Promise(setImmediate)
    next = undefined
    const reading = readMany([...keys])
    running = reading.catch(() => undefined)
    return await reading
  }
}
