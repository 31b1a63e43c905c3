// What operators do with posts of others: hiding, and the list of those that they can hide or have
// removed (api.md §6.1, §15.21). Removing is in deleted-posts.ts.
import { Refusal } from '#contract/errors.ts'
import { noteActivity } from '../activity/activity.ts'
import { inTransaction } from '../database/transaction.ts'
import { requireScope, type Viewer } from '../http/viewer.ts'
import { canModerate, lockVisible, MODERATOR, refuseBlocked, subjectOf } from './access.ts'
import type { PostNeeds } from './needs.ts'
import { announceDocument } from './post-serialiser.ts'
import * as store from './store.ts'

/**
 * Hides a post from everybody but its author, or shows it again. Nothing else of it changes, so it
 * comes back as it was. For operators and the API key.
 *
 * @returns the post, with `hidden`
 * @throws Refusal `general_unauthorized_scope`, `document_not_found`
 */
export async function hidePost(
  needs: PostNeeds,
  viewer: Viewer,
  id: string,
  isHidden: boolean,
  reason?: string,
) {
  requireScope(viewer, 'documents.write', true)
  return inTransaction(needs.db, needs.background, async (tx) => {
    await refuseBlocked(tx, viewer)
    const row = await lockVisible(tx, MODERATOR, id, undefined)
    if (!canModerate(viewer, row)) throw new Refusal('document_not_found')
    await store.updatePost(tx, { isHidden: Number(isHidden), id })
    if (row.isHidden !== Number(isHidden)) {
      const told = { subject: subjectOf(row), details: { reason } }
      const action = isHidden ? 'hidden' : 'shown'
      await noteActivity(tx, viewer, needs.now(), { kind: 'posts', action, ...told })
    }
    const change = { id, action: 'update', before: row } as const
    const shown = await announceDocument(needs, tx, MODERATOR, change)
    return { ...shown, hidden: isHidden }
  })
}
