// Posts for search engines, feeds and other sites, always as a guest sees them. Independent of the
// formats of sitemaps and feeds.

import type { PostAddress } from '#contract/post-url.ts'
import type { Filter } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import { GUEST } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { unpackTags } from '../post-texts/tags.ts'
import { readableBy } from '../posts/access.ts'
import { TAGS } from '../posts/attributes.ts'
import { findPublicImages } from '../posts/optional-columns-store.ts'
import { listShownPages } from '../posts/page-store.ts'
import { parseDetails } from '../posts/post-details.ts'
import { optionalColumnsFor } from '../posts/read-post.ts'
import { readBatches } from '../process/batches.ts'
import { findSeqs, newestFirst, readBySeqs, readWithinBytes } from './post-list-store.ts'
import * as store from './public-posts-store.ts'

export {
  type NamedRow,
  type NamesPage,
  SITEMAP_ADDRESSES_MAX,
} from './public-posts-store.ts'
export type PublicPosts = ReturnType<typeof makePublicPosts>
type SitemapPost = PostAddress & { changedAt: string }

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
    async *streamPart(part: number): AsyncGenerator<SitemapPost[]> {
      for await (const rows of readBatches<store.PartRow>(BATCH, (page) =>
        store.selectPart(db, part, page).execute(),
      ))
        yield rows.flatMap(({ id, title, updatedAt, details }) => {
          const { addressWords, canonicalUrl } = parseDetails(details)
          // Search engines are sent to the original elsewhere.
          return canonicalUrl ? [] : [{ $id: id, title, addressWords, changedAt: updatedAt }]
        })
    },
    /** The pages of the blog, such as "About". */
    listPages: () => listShownPages(db),
    /** Keys of tags, each with the time of its newest post. */
    listTags: async (page: store.NamesPage) => (await store.selectTags(page).execute(db)).rows,
    /** Ids of authors, each with the time of their newest post. */
    listAuthors: async (page: store.NamesPage) =>
      (await store.selectAuthors(page).execute(db)).rows,
  }
}

/**
 * The number of posts in a feed, and the bytes of bodies that it may contain; posts beyond them
 * have only titles.
 */
const FEED_POSTS = 25
const FEED_CONTENT_MAX_BYTES = 1024 * 1024

/** All posts, the posts by one author, or the posts with one tag, named by its key. */
export type FeedScope = { userId?: string; tag?: string }

export type NewestPost = Awaited<ReturnType<typeof listNewest>>[number]

/**
 * The newest posts of a feed, with stored times (`…Z`), and images and avatars that everybody may
 * see; `html` is undefined when the bodies before it have reached the byte limit.
 */
export async function listNewest(context: PostsContext, { userId, tag }: FeedScope) {
  const { db, postTexts, contentBucketId } = context
  const scope = readableBy(GUEST)
  const filters = [...equal('userid', userId), ...equal(TAGS, tag)]
  const seqs = await findSeqs(db, { query: newestFirst({ filters, limit: FEED_POSTS }), scope })
  const parts = { scope, optional: optionalColumnsFor(context, GUEST, ['ownImage', 'userAvatar']) }
  const listing = { ...parts, seqs, hasContent: true }
  const rowsWithBody = await readWithinBytes(db, listing, FEED_CONTENT_MAX_BYTES)
  const withBody = new Set(rowsWithBody.map(({ seq }) => seq))
  const otherSeqs = seqs.filter((seq) => !withBody.has(seq))
  const rows = [...rowsWithBody, ...(await readBySeqs(db, otherSeqs, parts))]
  const imageIds = rows.flatMap(({ ownImage }) => ownImage || [])
  const images = await findPublicImages(db, { bucketId: contentBucketId, ids: imageIds })
  const posts = []
  for (const { id, seq, title, userId, userName, createdAt, updatedAt, ...row } of rows)
    posts.push({
      id,
      title,
      ...parseDetails(row.details),
      userId,
      userName,
      createdAt,
      updatedAt,
      html: withBody.has(seq) ? await postTexts.cleanPost(db, id, row.content) : undefined,
      /** Empty for none. */
      avatarId: row.userAvatar ?? '',
      cover: images.get(row.ownImage ?? ''),
      tags: unpackTags(row.tags).map(({ name }) => name),
    })
  return posts
}

function equal(attribute: string, value: string | undefined): Filter[] {
  return value === undefined ? [] : [{ method: 'equal', attribute, values: [value] }]
}
