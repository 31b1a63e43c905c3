// Pages for guests, kept as they were sent. A page is sent again without asking for anything as
// long as nothing has changed that it was made of (database/topics.ts) and it is but a few seconds
// old; then the API calls that it was rendered from are asked again, and only other answers make it
// anew. In memory, bounded, the page shown longest ago goes first (decision 0050).
import { LRUCache } from 'lru-cache'
import { KEPT_PAGES_MAX_BYTES, KEPT_PAGES_UNASKED_MS } from '#contract/server-limits.ts'
import type { ChangedTopics, Topic } from '../database/topics.ts'
import { decode, type Encoding, encode } from '../http/encodings.ts'
import type { AnsweredCall } from './in-process.ts'

/** A page as it was rendered: what is sent, and the calls and topics that it is made of. */
export type MadePage = {
  contentType: string
  tag: string
  encoding: Encoding
  body: Buffer
  calls: readonly AnsweredCall[]
  topics: ReadonlySet<Topic>
}

/** A page that is kept, in the encodings that were asked for. */
export type KeptPage = Pick<MadePage, 'contentType' | 'tag' | 'calls'> & {
  address: string
  bodies: Map<Encoding, Buffer>
  topics: ReadonlySet<Topic>
  /** When it was asked for last: a mark of the changes up to then, and a time. */
  mark: number
  askedAtMs: number
}

export type KeptPages = {
  /** The page of this address, if it may be sent without asking. */
  find(address: string): KeptPage | undefined
  /**
   * The page of this address, rendered by `make` when there is none or its calls are answered
   * otherwise by now. Of many callers at once one asks and the others look at its result.
   *
   * @param needs `ask` finds out whether the calls are answered as they were, and adds what they
   *   read to the topics; undefined answers of `make` stay with the caller and are not kept
   */
  readOrMake<Other>(
    address: string,
    needs: {
      ask: (calls: readonly AnsweredCall[], topics: Set<Topic>) => Promise<boolean>
      make: () => Promise<MadePage | { other: Other }>
    },
  ): Promise<KeptPage | { other: Other }>
  /** The bytes to send, made of those that are there. */
  bodyIn(page: KeptPage, encoding: Encoding): Promise<Buffer>
}

/** For the bookkeeping of one page. */
const ENTRY_BYTES = 4000

export function makeKeptPages(
  changed: ChangedTopics,
  { maxBytes = KEPT_PAGES_MAX_BYTES, nowMs = () => performance.now() } = {},
): KeptPages {
  const pages = new LRUCache<string, KeptPage>({
    maxSize: maxBytes,
    maxEntrySize: Math.ceil(maxBytes / 4),
    sizeCalculation: ({ bodies }, address) =>
      [...bodies.values()].reduce((sum, { length }) => sum + length, ENTRY_BYTES + address.length),
  })
  const running = new Map<string, Promise<unknown>>()

  const find: KeptPages['find'] = (address) => {
    const page = pages.get(address)
    if (page === undefined || !changed.isHearing()) return undefined
    if (nowMs() - page.askedAtMs > KEPT_PAGES_UNASKED_MS) return undefined
    return changed.hasChanged(page.mark, page.topics) ? undefined : page
  }
  const refresh: KeptPages['readOrMake'] = async (address, { ask, make }) => {
    // Whatever changes from here on makes what is read now old.
    const asked = { mark: changed.mark(), askedAtMs: nowMs() }
    const page = pages.get(address)
    const topics = new Set<Topic>()
    if (page && (await ask(page.calls, topics))) return Object.assign(page, asked, { topics })
    const made = await make()
    if ('other' in made) return made
    const { encoding, body, ...rest } = made
    const kept = { ...rest, ...asked, address, bodies: new Map([[encoding, body]]) }
    pages.set(address, kept)
    return kept
  }
  return {
    find,
    async readOrMake(address, needs) {
      const found = find(address)
      if (found) return found
      const others = running.get(address)
      if (others !== undefined) {
        await others.catch(() => undefined)
        const theirs = find(address)
        if (theirs) return theirs
      }
      const mine = refresh(address, needs)
      running.set(address, mine)
      try {
        return await mine
      } finally {
        if (running.get(address) === mine) running.delete(address)
      }
    },
    async bodyIn(page, encoding) {
      const there = page.bodies.get(encoding)
      if (there) return there
      const [from = ['identity', Buffer.alloc(0)] as const] = page.bodies
      const body = await encode(await decode(from[1], from[0]), encoding)
      page.bodies.set(encoding, body)
      // Its size is another one now.
      if (pages.peek(page.address) === page) {
        pages.delete(page.address)
        pages.set(page.address, page)
      }
      return body
    },
  }
}
