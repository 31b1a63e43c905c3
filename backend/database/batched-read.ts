// Lets requests that wait at the same time share one query.

/**
 * @param readMany reads the values of keys
 * @returns a function that reads the values of some keys, as committed at some time after the call;
 *   its map may have further keys. One query answers all calls that were made before it began.
 */
export function makeBatchedRead<Value>(
  readMany: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>> {
  let next: { keys: Set<string>; result: Promise<ReadonlyMap<string, Value>> } | undefined
  let running: Promise<unknown> = Promise.resolve()
  return (keys) => {
    if (!next) {
      const keySet = new Set<string>()
      next = { keys: keySet, result: begin(keySet) }
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
