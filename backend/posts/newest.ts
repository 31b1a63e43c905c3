// The newest posts as a guest sees them, with their whole texts: what feeds are made of. Knows no
// format of a feed.
import { textToHtml } from '#contract/text-bodies.ts'
import type { Database } from '../database/schema.ts'
import { GUEST } from '../http/viewer.ts'
import { readableBy } from './access.ts'
import * as store from './newest-store.ts'
import type { PostTexts } from './post-texts.ts'
import { findTags } from './tags-store.ts'

/**
 * Posts in a feed that programs follow, and the bytes of bodies it may hold: the posts after those
 * are there with their titles only.
 */
const FOLLOWED_POSTS = 25
const FOLLOWED_CONTENT_MAX_BYTES = 1024 * 1024

export type NewestNeeds = {
  db: Database
  bodies: PostTexts
  hasTextBodies?: boolean | undefined
  contentBucketId: string
  avatarBucketId: string
}

export type { PostSource } from './newest-store.ts'

/** Times are stored ones (`…Z`). */
export type NewestPost = {
  id: string
  title: string
  /** HTML that may be shown; undefined where the texts before it were as much as may be held. */
  html: string | undefined
  userId: string
  userName: string
  /** Empty without a face that everybody may see. */
  avatarId: string
  createdAt: string
  updatedAt: string
  tags: string[]
  /** Only an image that everybody may see. */
  cover: store.ImageRow | undefined
}

export async function listNewest(
  needs: NewestNeeds,
  source: store.PostSource,
): Promise<NewestPost[]> {
  const { db, contentBucketId, avatarBucketId } = needs
  const scope = readableBy(GUEST)
  const rows = await store.listNewest(db, {
    ...{ source, scope, limit: FOLLOWED_POSTS, contentBucketId, avatarBucketId },
  })
  const whole = untilFull(rows)
  const bodies = await store.findBodies(db, { ids: whole.map(({ id }) => id), scope })
  const imageIds = rows.map(({ imageId }) => imageId).filter(Boolean)
  const images = await store.findPublicImages(db, { bucketId: contentBucketId, ids: imageIds })
  const tags = await findTags(
    db,
    rows.map(({ seq }) => seq),
  )
  const posts: NewestPost[] = []
  for (const { contentBytes: _, imageId, seq, ...row } of rows) {
    const isWhole = whole.some(({ id }) => id === row.id)
    const body = bodies.get(row.id)
    // Gone since its row was read.
    if (isWhole && body === undefined) continue
    const html = body === undefined ? undefined : await showBody(needs, row.id, body)
    const names = (tags.get(seq) ?? []).map(({ name }) => name)
    posts.push({ ...row, html, cover: images.get(imageId), tags: names })
  }
  return posts
}

/** The first always, the others as long as all of them fit. */
function untilFull(rows: store.NewestRow[]): store.NewestRow[] {
  let bytes = 0
  const end = rows.findIndex(({ contentBytes }, at) => {
    bytes += contentBytes
    return at > 0 && bytes > FOLLOWED_CONTENT_MAX_BYTES
  })
  return end === -1 ? rows : rows.slice(0, end)
}

async function showBody(
  { db, bodies, hasTextBodies }: NewestNeeds,
  postId: string,
  body: string,
): Promise<string> {
  const shown = await bodies.show(db, postId, body)
  return hasTextBodies ? textToHtml(shown) : shown
}
