// A value that is no component's own: an external store for React.
export type SharedValue<Value> = ReturnType<typeof makeSharedValue<Value>>

export function makeSharedValue<Value>(first: Value) {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: Value): void {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** When a draft was last saved by itself in this tab. */
export const lastSaved = makeSharedValue(0)
