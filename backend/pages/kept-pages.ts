// Pages for guests, kept as they were sent: a page is the same as long as the API answers the calls
// that it was rendered from with the same bytes. Asking again costs a fraction of rendering and
// compressing, and every rule about who may read what is asked again with it. In memory, bounded,
// the page shown longest ago goes first.
import { LRUCache } from 'lru-cache'
import { KEPT_PAGES_MAX_BYTES } from '#contract/server-limits.ts'
import type { Encoding } from '../http/encodings.ts'
import type { AnsweredCall } from './in-process.ts'

/** A page as it is sent, with what tells whether it is still true. */
export type KeptPage = {
  contentType: string
  encoding: Encoding
  body: Buffer
  tag: string
  calls: readonly AnsweredCall[]
}

export type KeptPages = {
  /**
   * The page under this key, rendered by `make` when there is none or its calls are answered
   * otherwise by now. Of many callers at once one renders and the others look at its result.
   *
   * @param make undefined answers stay with the caller that asked and are not kept
   */
  readOrMake<Other>(
    key: string,
    needs: {
      isCurrent: (calls: readonly AnsweredCall[]) => Promise<boolean>
      make: () => Promise<KeptPage | { other: Other }>
    },
  ): Promise<KeptPage | { other: Other }>
}

/** For the bookkeeping of one page. */
const ENTRY_BYTES = 2000
export function makeKeptPages(maxBytes = KEPT_PAGES_MAX_BYTES): KeptPages {
  const pages = new LRUCache<string, KeptPage>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: ({ body }, key) => body.length + key.length + ENTRY_BYTES,
  })
  const running = new Map<string, Promise<unknown>>()
  return {
    async readOrMake(key, { isCurrent, make }) {
      const find = async () => {
        const page = pages.get(key)
        return page && (await isCurrent(page.calls)) ? page : undefined
      }
      const found = await find()
      if (found) return found
      const others = running.get(key)
      if (others !== undefined) {
        await others.catch(() => undefined)
        const theirs = await find()
        if (theirs) return theirs
      }
      const making = make()
      running.set(key, making)
      try {
        const made = await making
        if ('body' in made) pages.set(key, made)
        return made
      } finally {
        if (running.get(key) === making) running.delete(key)
      }
    },
  }
}
