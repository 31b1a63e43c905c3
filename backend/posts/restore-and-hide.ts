// Two changes beside edits: a version becomes the present one again, and the operator hides a post.
// Knows no HTTP and no SQL.
import type { PostDocument } from '#contract/posts.ts'
import { inTransaction } from '../database/transaction.ts'
import { requireScope, type Viewer } from '../http/viewer.ts'
import { lockVisible } from './access.ts'
import { saveChanges } from './change-posts.ts'
import type { PostNeeds } from './needs.ts'
import { announceDocument, titleFrom } from './post-serialiser.ts'
import * as store from './store.ts'
import { readEditable, readVersion, requireVersion } from './versions.ts'

export type VersionToRestore = {
  versionId: string
  unlessNewerThan: string | undefined
  pay?: ((ms: number) => void) | undefined
}

/**
 * Makes title and text of a version the present ones. What they were stays as the version before.
 *
 * @returns the post as it now is
 * @throws Refusal `document_not_found`, `user_unauthorized`, `document_update_conflict`
 */
export async function restoreVersion(
  needs: PostNeeds,
  viewer: Viewer,
  id: string,
  { versionId, unlessNewerThan, pay }: VersionToRestore,
): Promise<PostDocument> {
  const before = await readEditable(needs.db, viewer, id)
  const attributes = await needs.attributes(needs.db)
  const { title, content } = await readVersion(needs, viewer, id, { id: versionId, pay })
  const { savedAt } = await requireVersion(needs.db, before, versionId)
  const canLackTitle = !attributes.title.isRequired
  const saving = { isAutosave: false, restoredFrom: savedAt }
  return saveChanges(needs, viewer, before, {
    changes: { title, content },
    // What stands there as its title may be the first words of its text.
    own: new Map([['title', canLackTitle && title === titleFrom(needs, content) ? '' : undefined]]),
    saving,
    unlessNewerThan,
  })
}

/**
 * Hides a post from everybody but its author, or shows it again. Nothing else of it changes, so it
 * comes back as it was. For the API key alone.
 *
 * @returns the post, with `hidden`
 * @throws Refusal `general_unauthorized_scope`, `document_not_found`
 */
export async function hidePost(needs: PostNeeds, viewer: Viewer, id: string, isHidden: boolean) {
  requireScope(viewer, 'documents.write')
  return inTransaction(needs.db, needs.background, async (tx) => {
    const row = await lockVisible(tx, viewer, id, undefined)
    await store.updatePost(tx, { isHidden: Number(isHidden), id })
    const shown = await announceDocument(needs, tx, viewer, { id, action: 'update', before: row })
    return { ...shown, hidden: isHidden }
  })
}
