// Hiding a post, which the operator does (api.md §6.1). Knows no HTTP.
import type { PostDocument } from '#contract/posts.ts'
import { inTransaction } from '../database/transaction.ts'
import { requireScope, type Viewer } from '../http/viewer.ts'
import type { ChangeNeeds } from './change-posts.ts'
import { type AnswerNeeds, announceDocument } from './post-answers.ts'
import { setHidden } from './store.ts'
import { lockVisible } from './visible-posts.ts'

/**
 * Hides a post from everybody but its author, or shows it again. Nothing else of it changes, so it
 * comes back as it was. For the API key alone.
 *
 * @returns the post, with `hidden`
 * @throws Refusal `general_unauthorized_scope`, `document_not_found`
 */
export async function hidePost(
  needs: Pick<ChangeNeeds, 'db' | 'background'> & AnswerNeeds,
  viewer: Viewer,
  id: string,
  isHidden: boolean,
): Promise<PostDocument> {
  requireScope(viewer, 'documents.write')
  return inTransaction(needs.db, needs.background, async (tx) => {
    const row = await lockVisible(tx, viewer, id, undefined)
    await setHidden(tx, id, isHidden)
    const shown = await announceDocument(needs, tx, viewer, { id, action: 'update', before: row })
    return { ...shown, hidden: isHidden }
  })
}
