// Processes that write to the same file share its syncs: one runs at a time, by one of them, for
// all that wanted one before it began. Two at once would take the disk twice as long.
import type { ToWorker } from './worker-messages.ts'

type Wish = { id: number; call: number; send: (message: ToWorker) => void }

export type SharedSyncs = {
  want(wish: Wish): void
  /** The sync of this process has ended. */
  ended(id: number, isDone: boolean): void
  leave(id: number): void
}

export function makeSharedSyncs(): SharedSyncs {
  let waiting: Wish[] = []
  /** The first of them syncs for the others. */
  let covered: Wish[] = []

  function begin(): void {
    if (covered.length > 0) return
    covered = waiting
    waiting = []
    const [first] = covered
    first?.send({ kind: 'sync', call: first.call })
  }
  return {
    want(wish) {
      waiting.push(wish)
      begin()
    },
    ended(id, isDone) {
      const [first, ...others] = covered
      if (first?.id !== id) return
      covered = []
      // Whoever was not served finds out by a sync of its own what is wrong with the disk.
      for (const { call, send } of others) send({ kind: 'answer', call, body: isDone })
      begin()
    },
    leave(id) {
      const isSyncing = covered[0]?.id === id
      waiting = waiting.filter((wish) => wish.id !== id)
      covered = covered.filter((wish) => wish.id !== id)
      if (!isSyncing) return
      waiting.unshift(...covered)
      covered = []
      begin()
    },
  }
}
