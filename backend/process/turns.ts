// Work under the same key runs one after another, work under other keys at once. Knows nothing of what a key means.

export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

export function makeTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.then(work)
    const settled = mine
      .catch(() => {})
      .finally(() => {
        if (last.get(key) === settled) last.delete(key)
      })
    last.set(key, settled)
    return mine
  }
}
