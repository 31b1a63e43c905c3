// The posts that everybody may read, for what is told to search engines: always as a guest sees
// them, whoever asks.
import type { Database } from '../database/schema.ts'
import * as store from './public-posts-store.ts'

export { type NamesAsked, SITEMAP_ADDRESSES_MAX } from './public-posts-store.ts'
export type PublicPosts = ReturnType<typeof makePublicPosts>

const BATCH = 1000

export function makePublicPosts(db: Database) {
  return {
    /** Parts of at most `SITEMAP_ADDRESSES_MAX` posts each, with the time of their last change. */
    async parts() {
      const parts: { part: number; changedAt: string }[] = []
      for (let part = await store.findPartAfter(db, -1); part !== undefined; ) {
        const changedAt = await store.findPartChange(db, part)
        if (changedAt !== undefined) parts.push({ part, changedAt })
        part = await store.findPartAfter(db, part)
      }
      return parts
    },
    /** The posts of a part, a batch at a time. */
    async *streamPart(part: number) {
      for (let after: store.PartCursor | undefined, isMore = true; isMore; ) {
        const rows = await store.selectPart(db, part, { after, limit: BATCH }).execute()
        if (rows.length > 0)
          yield rows.map(({ id, title, updatedAt }) => ({ $id: id, title, changedAt: updatedAt }))
        after = rows.at(-1)
        isMore = rows.length === BATCH
      }
    },
    /** Tags of such posts by their keys, with the time of the newest such post. */
    listTags: async (asked: store.NamesAsked) => (await store.selectTags(asked).execute(db)).rows,
    /** People with such posts by their ids, with the time of the newest one. */
    listAuthors: async (asked: store.NamesAsked) =>
      (await store.selectAuthors(asked).execute(db)).rows,
  }
}
