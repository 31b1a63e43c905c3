// Sessions with their users, kept in memory between the requests that come with them, until
// anything changes that either is made of. Knows no rule of who may do what.
import { LRUCache } from 'lru-cache'
import { KEPT_SESSIONS_MAX, KEPT_SESSIONS_MS } from '#contract/server-limits.ts'
import { hearAtOnce, isHearing } from '../database/change-ears.ts'
import type { Change } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import { findSessionOwner, type SessionOwner } from './session-store.ts'

export type KeptSessions = {
  /** See {@link findSessionOwner}. */
  find(secretHash: string): Promise<SessionOwner | undefined>
  /** Has it read again: for writes that announce nothing, as when it was used last. */
  forget(secretHash: string): void
}

export function makeKeptSessions(db: Database, nowMs = () => performance.now()): KeptSessions {
  const kept = new LRUCache<string, { owner: SessionOwner; untilMs: number }>({
    max: KEPT_SESSIONS_MAX,
  })
  let changes = 0
  hearAtOnce(db, {
    change(change: Change) {
      if (change.kind !== 'account' && change.kind !== 'access') return
      changes++
      for (const [secretHash, { owner }] of kept.entries())
        if (owner.userId === change.userId) kept.delete(secretHash)
    },
    missed() {
      changes++
      kept.clear()
    },
  })
  return {
    async find(secretHash) {
      if (!isHearing(db)) return findSessionOwner(db, secretHash)
      const known = kept.get(secretHash)
      if (known && nowMs() < known.untilMs) return known.owner
      const [before, untilMs] = [changes, nowMs() + KEPT_SESSIONS_MS]
      const owner = await findSessionOwner(db, secretHash)
      if (owner && before === changes && isHearing(db)) kept.set(secretHash, { owner, untilMs })
      return owner
    },
    forget(secretHash) {
      changes++
      kept.delete(secretHash)
    },
  }
}
