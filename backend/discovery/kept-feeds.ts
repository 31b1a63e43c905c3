// Feeds as they were sent last, compressed, each under the version of what it shows; and when each
// was last changed, in the seconds of HTTP. In memory, bounded, what was asked for longest ago goes
// first.
import { LRUCache } from 'lru-cache'
import { FEEDS_DATED_MAX, KEPT_FEEDS_MAX_BYTES } from '#contract/server-limits.ts'

export type KeptFeed = { version: string; body: Buffer }

export type KeptFeeds = {
  /** The feed of this version; of many callers at once one makes it. */
  readOrMake(key: string, version: string, make: () => Promise<Buffer>): Promise<Buffer>
}

/** For the bookkeeping of one feed. */
const ENTRY_BYTES = 500

export function makeKeptFeeds(maxBytes = KEPT_FEEDS_MAX_BYTES): KeptFeeds {
  const kept = new LRUCache<string, KeptFeed>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  })
  const running = new Map<string, Promise<Buffer>>()
  return {
    async readOrMake(key, version, make) {
      const found = kept.get(key)
      if (found?.version === version) return found.body
      const id = JSON.stringify([key, version])
      const others = running.get(id)
      if (others !== undefined) return others
      const making = make()
      running.set(id, making)
      try {
        const body = await making
        kept.set(key, { version, body })
        return body
      } finally {
        running.delete(id)
      }
    },
  }
}

/** Gives the time of `Last-Modified`. */
export type Dating = (key: string, seen: { version: string; changedAt: string }) => Date

/**
 * Two versions of one feed never have the same second here, although both may have come within one:
 * who asks by the date alone would keep the first of them. A program of another version, or with
 * other settings, may write a feed otherwise: nothing is older than its start.
 */
export function makeDating(startedAt: Date, mostKept = FEEDS_DATED_MAX): Dating {
  const known = new LRUCache<string, { version: string; seconds: number }>({ max: mostKept })
  const startedSeconds = toSeconds(startedAt)
  return (key, { version, changedAt }) => {
    const before = known.get(key)
    if (before?.version === version) return new Date(before.seconds * 1000)
    const seconds = Math.max(
      startedSeconds,
      toSeconds(new Date(changedAt)),
      before ? before.seconds + 1 : 0,
    )
    known.set(key, { version, seconds })
    return new Date(seconds * 1000)
  }
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
