// Reads and restores versions of a post's title and text; restoring is an edit of the post. Saves
// record versions (posts/record-version.ts). Independent of HTTP.

import { Refusal } from '#contract/errors.ts'
import { wireTime } from '#contract/ids.ts'
import type { PostDocument } from '#contract/posts.ts'
import type {
  PostVersion,
  PostVersionList,
  PostVersionWithText,
  VersionKind,
} from '#contract/versions.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { readEditable } from '../posts/access.ts'
import { type PostUpdate, saveChanges } from '../posts/change-posts.ts'
import {
  countWordsOf,
  firstVersion,
  firstVersionId,
  VERSIONS_MAX,
} from '../posts/record-version.ts'
import { findPost, type PostRow } from '../posts/store.ts'
import * as store from '../posts/versions-store.ts'
import { readBatches } from '../process/batches.ts'

/** Reading the text of a version costs as much as cleaning it. */
const CLEANING_MS_PER_KIB = 0.2

export async function listVersions(
  { db }: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<PostVersionList> {
  const post = await readEditable(db, viewer, id)
  const stored = await store.listVersions(db, post.id, VERSIONS_MAX)
  const rows = stored.length > 0 ? stored : [firstVersion(post, await countWordsOf(db, post))]
  return { total: rows.length, versions: rows.map(toVersion) }
}

/** `charge` is called before the work with its cost in milliseconds, and may refuse. */
export type VersionRequest = { id: string; charge?: ((ms: number) => void) | undefined }

/** @throws Refusal `user_unauthorized`, `document_not_found` */
export async function readVersion(
  context: PostsContext,
  viewer: Viewer,
  postId: string,
  versionRequest: VersionRequest,
): Promise<PostVersionWithText> {
  const post = await readEditable(context.db, viewer, postId)
  const { row, content } = await readVersionText(context, post, versionRequest)
  return { ...toVersion(row), content }
}

/**
 * A version of a post with its text, cleaned by the current rules.
 *
 * @throws Refusal `document_not_found`
 */
export async function readVersionText(
  { db, postTexts }: PostsContext,
  post: PostRow,
  { id, charge }: VersionRequest,
) {
  const stored = await store.findVersion(db, { postId: post.id, id })
  const isFirst =
    !stored &&
    id === firstVersionId(post) &&
    (await store.listVersions(db, post.id, 1)).length === 0
  const row = isFirst ? firstVersion(post, await countWordsOf(db, post)) : stored
  if (row) charge?.((row.textBytes / 1024) * CLEANING_MS_PER_KIB)
  const text = isFirst ? post.content : (await store.findVersionWithText(db, id))?.text
  if (!row || text === undefined)
    throw new Refusal('document_not_found', 'There is no such version.')
  return { row, content: await postTexts.cleanVersion(text, post.userId) }
}

const EXPORT_BATCH_SIZE = 1000

/** All versions of the viewer's posts with their texts, of deleted posts too, oldest first. */
export async function* streamVersionsOf(db: Database, { userId }: UserViewer) {
  for await (const versions of readBatches<store.OwnedVersion>(EXPORT_BATCH_SIZE, (page) =>
    store.listVersionsOf(db, userId, page),
  ))
    for (const { postId, versionId } of versions) {
      const version = await findVersion(db, postId, versionId)
      if (version) yield { postId, ...version }
    }
}

/** Finds a listed version; it may have been stored, or deleted, since it was listed. */
async function findVersion(db: Database, postId: string, versionId: string | null) {
  const post = versionId === null ? await findPost(db, postId) : undefined
  const stored = await store.findVersionWithText(
    db,
    versionId ?? (post ? firstVersionId(post) : ''),
  )
  if (stored) return { ...toVersion(stored), content: stored.text }
  if (!post) return undefined
  const version = firstVersion(post, await countWordsOf(db, post))
  return { ...toVersion(version), content: post.content }
}

function toVersion(row: store.VersionRow): PostVersion {
  const { id: $id, title, words, wordsAdded, wordsRemoved, restoredFrom } = row
  return {
    $id,
    $createdAt: wireTime(row.createdAt),
    $updatedAt: wireTime(row.savedAt),
    kind: row.kind as VersionKind,
    restoredFrom: restoredFrom && wireTime(restoredFrom),
    title,
    words,
    wordsAdded,
    wordsRemoved,
  }
}

type VersionToRestore = Pick<PostUpdate, 'unlessNewerThan'> &
  Pick<VersionRequest, 'charge'> & { versionId: string }

/**
 * Restores title and text of a version. The current ones remain as a version of their own.
 *
 * @returns the changed post
 * @throws Refusal `document_not_found`, `user_unauthorized`, `document_update_conflict`
 */
export async function restoreVersion(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  { versionId, unlessNewerThan, charge }: VersionToRestore,
): Promise<PostDocument> {
  const before = await readEditable(context.db, viewer, id)
  const { row, content } = await readVersionText(context, before, { id: versionId, charge })
  return saveChanges(context, viewer, before, {
    changes: { title: row.title, content },
    origin: { isAutosave: false, restoredFrom: row.savedAt },
    unlessNewerThan,
  })
}
