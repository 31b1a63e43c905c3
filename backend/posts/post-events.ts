// Realtime events of posts. Every change publishes an event, which is sent after the commit.
import { Refusal } from '#contract/errors.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { PostAccess } from '../database/realtime-events.ts'
import type { Database } from '../database/schema.ts'
import { publishAfterCommit } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { isPage } from './access.ts'
import { type PostWithBody, toDocument } from './post-serialiser.ts'
import * as store from './store.ts'

type PostChange = {
  id: string
  action: 'create' | 'update' | 'delete'
  /** The post after the change; read from the database unless given. */
  post?: PostWithBody
  /** The post before an update that may change who can read it. */
  before?: store.PostRow
}

/**
 * Publishes the event of a changed post, which subscribers receive after the commit. If the change
 * affects who can read the post, people who can read it now also receive `publish`, and people who
 * no longer can receive `unpublish`, without the post.
 *
 * @returns the post as this viewer sees it
 * @throws Refusal `document_not_found`
 */
export async function publishPostEvent(
  context: PostsContext,
  tx: Database,
  viewer: Viewer,
  { id, post, action, before }: PostChange,
): Promise<PostDocument> {
  const row = post?.row ?? (await store.findPost(tx, id))
  if (!row) throw new Refusal('document_not_found')
  const payload = await toDocument(context, tx, viewer, row, { cleanedBody: post?.cleanedBody })
  // Pages are in no list: nobody waits for them.
  if (isPage(row)) return payload
  const event = { kind: 'post' as const, id }
  const access = accessOf(row)
  publishAfterCommit(tx, { ...event, action, payload, access })
  if (before && hasOtherReaders(before, row)) {
    publishAfterCommit(tx, { ...event, action: 'publish', payload, access })
    const accessBefore = accessOf(before)
    const onlyId = { $id: id }
    publishAfterCommit(tx, { ...event, action: 'unpublish', payload: onlyId, access: accessBefore })
  }
  return payload
}

/** The event of a post that another process has changed; undefined when the post is gone. */
export async function findPostEvent(context: PostsContext & { db: Database }, id: string) {
  const row = await store.findPost(context.db, id)
  if (!row) return undefined
  const payload = await toDocument(context, context.db, { role: 'key' }, row)
  return { payload, access: accessOf(row) }
}

function hasOtherReaders(before: store.PostRow, after: store.PostRow): boolean {
  return (
    before.status !== after.status ||
    before.readers !== after.readers ||
    before.isHidden !== after.isHidden
  )
}

export function accessOf({ userId, status, readers, isHidden, ...row }: store.PostRow): PostAccess {
  return { userId, status, readers, isHidden, isAuthorBlocked: Number(row.isAuthorBlocked) }
}
