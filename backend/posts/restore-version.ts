// Bringing an older version of a post back: an edit that takes title and text from what is kept.
// Knows no HTTP.
import { Refusal } from '#contract/errors.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Viewer } from '../http/viewer.ts'
import { can } from './access.ts'
import { type ChangeNeeds, type PostUpdate, saveChanges } from './change-posts.ts'
import { titleFrom } from './sent-words.ts'
import { readVersion, requireVersion } from './versions.ts'
import { readVisible } from './visible-posts.ts'

export type VersionToRestore = Pick<PostUpdate, 'unlessNewerThan'> & {
  versionId: string
  pay?: ((ms: number) => void) | undefined
}

/**
 * Makes title and text of a version the present ones. What they were stays as the version before.
 *
 * @returns the post as it now is
 * @throws Refusal `document_not_found`, `user_unauthorized`, `document_update_conflict`
 */
export async function restoreVersion(
  needs: ChangeNeeds,
  viewer: Viewer,
  id: string,
  { versionId, unlessNewerThan, pay }: VersionToRestore,
): Promise<PostDocument> {
  const before = await readVisible(needs.db, viewer, id)
  if (!can(viewer, 'edit', before)) throw new Refusal('user_unauthorized')
  const attributes = await needs.attributes(needs.db)
  const { title, content } = await readVersion(needs, viewer, before, { id: versionId, pay })
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
