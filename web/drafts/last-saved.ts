// When a draft was last saved by itself in this tab: an external store for React.

let savedAtMs = 0
const listeners = new Set<() => void>()

export const lastSaved = {
  get: () => savedAtMs,
  set(atMs: number): void {
    savedAtMs = atMs
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
}
