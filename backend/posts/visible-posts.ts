// A post as its viewer may read it, and the locks that every change takes: the person first, then
// the post. Knows no HTTP.
import { Refusal } from '#contract/errors.ts'
import type { Database } from '../database/schema.ts'
import { lockUser } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { can } from './access.ts'
import * as store from './store.ts'

/** @throws Refusal `document_not_found`: a missing and a hidden post answer the same */
export async function readVisible(
  tx: Database,
  viewer: Viewer,
  id: string,
  parts?: Partial<store.PostParts>,
): Promise<store.PostRow> {
  const row = await store.findPost(tx, id, parts)
  if (!row || !can(viewer, 'read', row)) throw new Refusal('document_not_found')
  return row
}

/**
 * A request may have begun before its person was blocked. Locks the person, always before the post,
 * so that a block waits for what has begun and refuses the rest.
 *
 * @throws Refusal `user_blocked`
 */
export async function refuseBlocked(tx: Database, viewer: Viewer): Promise<void> {
  if (viewer.role !== 'user') return
  if ((await lockUser(tx, viewer.userId))?.isBlocked) throw new Refusal('user_blocked')
}

/**
 * The post, locked against other writers until the transaction ends.
 *
 * @throws Refusal `document_not_found`, `document_update_conflict`
 */
export async function lockVisible(
  tx: Database,
  viewer: Viewer,
  id: string,
  unlessNewerThan: string | undefined,
): Promise<store.PostRow> {
  await store.lockPost(tx, { id })
  const row = await readVisible(tx, viewer, id)
  if (unlessNewerThan !== undefined && row.updatedAt > unlessNewerThan)
    throw new Refusal('document_update_conflict')
  return row
}
