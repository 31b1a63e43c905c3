// The posts that everybody may read, for what is told to search engines: always as a guest sees
// them, whoever asks.
import type { Database } from '../database/schema.ts'
import { GUEST } from '../http/viewer.ts'
import { readerGroups } from './access.ts'
import * as store from './public-posts-store.ts'

export type PublicPost = { $id: string; title: string; changedAt: string }
export type PublicPart = { part: number; changedAt: string }
export { type NamesAsked, SITEMAP_ADDRESSES_MAX } from './public-posts-store.ts'

/** With the time of their newest post. */
export type PublicName = { id: string; newestAt: string }

export type PublicPosts = ReturnType<typeof makePublicPosts>

const BATCH = 1000
const READERS = readerGroups(GUEST)

export function makePublicPosts(db: Database) {
  const inScope = <Asked>(asked: Asked) => ({ ...asked, readers: READERS })
  return {
    /** Parts of at most `SITEMAP_ADDRESSES_MAX` posts each, with the time of their last change. */
    parts: () => listParts(db),
    /** The posts of a part, a batch at a time. */
    streamPart: (part: number) => streamPart(db, part),
    /** Tags of such posts, by their keys. */
    listTags: (asked: store.NamesAsked): Promise<PublicName[]> =>
      store.listTags(db, inScope(asked)),
    /** People with posts that everybody may read, by their ids. */
    listAuthors: (asked: store.NamesAsked): Promise<PublicName[]> =>
      store.listAuthors(db, inScope(asked)),
  }
}

async function listParts(db: Database): Promise<PublicPart[]> {
  const parts: PublicPart[] = []
  for (let part = await store.findPartAfter(db, -1); part !== undefined; ) {
    const changedAt = await store.findPartChange(db, part, READERS)
    if (changedAt !== undefined) parts.push({ part, changedAt })
    part = await store.findPartAfter(db, part)
  }
  return parts
}

async function* streamPart(db: Database, part: number): AsyncIterable<PublicPost[]> {
  for (let after: store.PartCursor | undefined, isMore = true; isMore; ) {
    const rows = await store
      .selectPart(db, part, { readers: READERS, after, limit: BATCH })
      .execute()
    if (rows.length > 0)
      yield rows.map(({ id, title, updatedAt }) => ({ $id: id, title, changedAt: updatedAt }))
    after = rows.at(-1)
    isMore = rows.length === BATCH
  }
}
