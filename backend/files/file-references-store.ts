// References of posts, versions and avatars to files, with their SQL. A file is deleted with its
// last reference, or a day after its upload if it never had one (decision 0025). Rows change in the
// transaction that changes the post or the prefs; bytes are removed after its commit.

import { sql } from 'kysely'
import { avatarIn } from '../accounts/users.ts'
import {
  byCodePoint,
  isOneOfTexts,
  listParameter,
  prepared,
  rawQuery,
  textsTable,
  withRowLock,
} from '../database/dialect.ts'
import type { DomainEvent } from '../database/domain-events.ts'
import type { Database, PostFileRow } from '../database/schema.ts'
import type { AfterCommit } from '../database/transaction.ts'
import type { FilesContext } from './context.ts'
import { deleteRow } from './file-access.ts'
import { findUsed, findWithheld } from './file-uses-store.ts'
import { type FileRow, setReleased } from './store.ts'

/**
 * Whether this is a complete image of the content bucket that this user uploaded.
 *
 * @param ownerId undefined for the API key, which may use the images of all users
 */
export async function isUsableImage(
  { contentBucketId: bucketId }: FilesContext,
  db: Database,
  id: string,
  ownerId: string | undefined,
): Promise<boolean> {
  const [file] = (await findUploader(db, { bucketId, id })).rows
  return file?.isComplete === 1 && (ownerId === undefined || file.userId === ownerId)
}

/** Which of these ids are files of this user in the content bucket. */
export async function findOwnFiles(
  { contentBucketId }: FilesContext,
  tx: Database,
  { ownerId, ids }: { ownerId: string; ids: string[] },
): Promise<Set<string>> {
  const files = tx.selectFrom('file').select('id').where('bucketId', '=', contentBucketId)
  const ownFiles = files.where('userId', '=', ownerId)
  const rows = await ownFiles.where(isOneOfTexts(tx, 'id', listParameter(tx, ids))).execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Releases the files of the cover and the versions of a permanently deleted post: deletes those of
 * its author that nothing else uses.
 */
export async function releaseFilesOfPost(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  { ownerId, fileIds }: { ownerId: string; fileIds: string[] },
): Promise<void> {
  const files = await lockOwnFiles(tx, context.contentBucketId, fileIds, ownerId)
  await releaseFiles(context, tx, afterCommit, { files })
}

const findUploader = prepared((db, { bucketId, id }: { bucketId: string; id: string }) => {
  const query = db.selectFrom('file').select(['userId', 'isComplete'])
  return query.where('bucketId', '=', bucketId).where('id', '=', id)
})

export type FilesOfPost = {
  postId: string
  ownerId: string
  /**
   * Ids of files without duplicates. An undefined `cover` or `body` keeps its references; an empty
   * cover has none. Undefined when the post is about to be deleted.
   */
  fileIds: { cover?: string | undefined; body?: string[] | undefined } | undefined
  /** Files that versions of the post no longer refer to. */
  fromVersions?: string[] | undefined
  /** The post was created in this transaction: it has no references yet. */
  isNew?: boolean | undefined
  /** Files that an autosave releases stay for a day, because the writer may undo the change. */
  isAutosave?: boolean | undefined
}

/**
 * Sets the references of a post. A file that it no longer refers to is deleted if its author
 * uploaded it and nothing else uses it.
 *
 * Locks all affected files first, so that adding a reference and deleting the last other one cannot
 * overlap.
 */
export async function setPostFiles(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  references: FilesOfPost,
) {
  const { postId, ownerId, fromVersions = [], isAutosave, isNew, fileIds } = references
  const before = isNew ? [] : (await findReferencesOf(tx, { postId })).rows
  const rowsAt = (place: string, ids: string[] | undefined): PostFileRow[] =>
    ids?.map((fileId) => ({ postId, fileId, place })) ?? before.filter((row) => row.place === place)
  const { cover, body } = fileIds ?? { cover: '', body: [] }
  const covers = cover === undefined ? undefined : [cover].filter(Boolean)
  const wanted = [...rowsAt('cover', covers), ...rowsAt('body', body)]
  const removed = without(before, wanted)
  const added = without(wanted, before)
  if (removed.length + added.length + fromVersions.length === 0) return
  const changed = [...idsOf(removed), ...idsOf(added), ...fromVersions]
  const files = await lockFiles(tx, context.contentBucketId, changed)
  const withheld = await findWithheldFromOthers(context, tx, files, ownerId)
  const allowed = added.filter(({ place, fileId }) => place === 'cover' || !withheld.has(fileId))
  for (const place of ['cover', 'body']) {
    const addedIds = idsOf(allowed, place)
    const removedIds = idsOf(removed, place)
    if (addedIds.length > 0)
      await insertReferences(tx, { postId, place, fileIds: listParameter(tx, addedIds) })
    const deletion = tx
      .deleteFrom('postFile')
      .where('postId', '=', postId)
      .where('place', '=', place)
    if (removedIds.length > 0)
      await deletion.where(isOneOfTexts(tx, 'fileId', listParameter(tx, removedIds))).execute()
  }
  const removedIds = new Set(idsOf(removed))
  const isReleased = ({ id }: FileRow) => removedIds.has(id)
  await releaseFiles(context, tx, afterCommit, {
    files: completeFilesOf(files, ownerId).filter(
      (file) => isReleased(file) || fromVersions.includes(file.id),
    ),
    isReleased,
    isDeletionDelayed: isAutosave,
  })
}

function idsOf(rows: PostFileRow[], place?: string): string[] {
  return rows.flatMap((row) => (place === undefined || row.place === place ? row.fileId : []))
}

function without(rows: PostFileRow[], others: PostFileRow[]): PostFileRow[] {
  const keys = new Set(others.map(({ fileId, place }) => `${place} ${fileId}`))
  return rows.filter(({ fileId, place }) => !keys.has(`${place} ${fileId}`))
}

/**
 * Files of other users that only the versions and deleted posts of those users show. A post by this
 * author must not make them public again.
 */
async function findWithheldFromOthers(
  context: FilesContext,
  tx: Database,
  files: FileRow[],
  ownerId: string,
) {
  const foreign = files.filter(({ userId }) => userId !== ownerId)
  if (foreign.length === 0) return new Set<string>()
  const withheld = await findWithheld(tx, context.contentBucketId, foreign)
  return new Set(foreign.flatMap(({ id, storedName }) => (withheld.has(storedName) ? id : [])))
}

/**
 * Sets the references of a version. Only files of its author get one: a version neither preserves
 * nor withholds files of others.
 *
 * @returns the ids of files that it no longer refers to
 */
export async function setVersionFiles(
  context: FilesContext,
  tx: Database,
  version: { versionId: string; ownerId: string; fileIds: string[]; isNew?: boolean },
) {
  const { versionId, ownerId, fileIds, isNew } = version
  const before = isNew ? [] : await listVersionFiles(tx, [versionId])
  const removed = before.filter((id) => !fileIds.includes(id))
  if (removed.length > 0) {
    const deletion = tx.deleteFrom('versionFile').where('versionId', '=', versionId)
    await deletion.where(isOneOfTexts(tx, 'fileId', listParameter(tx, removed))).execute()
  }
  const added = fileIds.filter((id) => !before.includes(id))
  if (added.length > 0)
    await sql`insert into "versionFile" ("versionId", "fileId") select ${versionId}, id from file
      where "bucketId" = ${context.contentBucketId} and "userId" = ${ownerId}
        and ${isOneOfTexts(tx, 'id', listParameter(tx, added))}`.execute(tx)
  return removed
}

type AvatarReference = { userId: string; fileId: string | undefined }

/**
 * Sets a user's avatar, and deletes the previous one if another image replaces it. Prefs that name
 * no file, or a missing one, may be a program's outdated copy: then the previous one stays for a
 * day.
 */
export async function setAvatarFile(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  avatar: AvatarReference,
) {
  const { userId, fileId } = avatar
  const before = await findAvatar(tx, userId)
  if (before === fileId) return
  const changed = [before, fileId].filter((id) => id !== undefined)
  const ownFiles = await lockOwnFiles(tx, context.avatarBucketId, changed, userId)
  if (fileId === undefined) await tx.deleteFrom('avatarFile').where('userId', '=', userId).execute()
  else
    await tx
      .insertInto('avatarFile')
      .values({ userId, fileId })
      .onConflict((c) => c.column('userId').doUpdateSet({ fileId }))
      .execute()
  await releaseFiles(context, tx, afterCommit, {
    files: ownFiles.filter(({ id }) => id === before),
    isReleased: () => true,
    isDeletionDelayed: !ownFiles.some(({ id }) => id === fileId),
  })
}

/** Sets the avatar that new prefs name. */
export async function updateAvatarOnPrefsEvent(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  event: DomainEvent,
): Promise<void> {
  if (event.kind !== 'prefs') return
  const { userId, prefs } = event
  await setAvatarFile(context, tx, afterCommit, { userId, fileId: avatarIn(prefs) })
}

async function lockOwnFiles(tx: Database, bucketId: string, ids: string[], ownerId: string) {
  return completeFilesOf(await lockFiles(tx, bucketId, ids), ownerId)
}

function completeFilesOf(files: FileRow[], ownerId: string): FileRow[] {
  return files.filter(({ userId, isComplete }) => userId === ownerId && isComplete === 1)
}

/**
 * Deletes files that nothing uses now, unless `isDeletionDelayed`: then the sweep deletes them
 * after a day. For a day their owner may delete them again without a 404, because many programs
 * delete a post and then its file.
 *
 * @param released `files` are locked, complete, and of one owner and bucket; `isReleased` selects
 *   those that count as released even if something else uses them
 */
async function releaseFiles(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  released: {
    files: FileRow[]
    isReleased?: (file: FileRow) => boolean
    isDeletionDelayed?: boolean | undefined
  },
): Promise<void> {
  if (released.files.length === 0) return
  const used = await findUsed(tx, context.contentBucketId, released.files)
  const isUnused = ({ storedName }: FileRow) => !used.has(storedName)
  const releasedFiles = released.files.filter(
    (file) => released.isReleased?.(file) || isUnused(file),
  )
  await setReleased(tx, releasedFiles, context.now().toISOString())
  if (released.isDeletionDelayed) return
  for (const file of released.files.filter(isUnused))
    await deleteRow(context, tx, afterCommit, file)
}

/**
 * Locks the files with these ids until the transaction ends, always in the same order, so that two
 * transactions cannot deadlock.
 */
export async function lockFiles(tx: Database, bucketId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  return (await lockByIds(tx, { bucketId, ids: listParameter(tx, ids) })).rows
}

const lockByIds = prepared((tx, { bucketId, ids }: { bucketId: string; ids: unknown }) => {
  const query = tx.selectFrom('file').selectAll().where('bucketId', '=', bucketId)
  return withRowLock(
    tx,
    query.where(isOneOfTexts(tx, 'id', ids)).orderBy(byCodePoint(tx, sql.ref('id'))),
  )
})

const findReferencesOf = prepared((tx, { postId }: { postId: string }) =>
  tx.selectFrom('postFile').selectAll().where('postId', '=', postId),
)

const insertReferences = prepared(
  (tx, { postId, place, fileIds }: { postId: string; place: string; fileIds: unknown }) =>
    rawQuery(
      tx,
      sql`insert into "postFile" ("postId", place, "fileId")
        select ${postId}, ${place}, value from ${textsTable(tx, fileIds, 'shown')}`,
    ),
)

/** The ids of files that these versions refer to, without duplicates. */
export async function listVersionFiles(tx: Database, versionIds: string[]): Promise<string[]> {
  const fileIds = tx.selectFrom('versionFile').select('fileId').distinct()
  const rows = await fileIds
    .where(isOneOfTexts(tx, 'versionId', listParameter(tx, versionIds)))
    .execute()
  return rows.map(({ fileId }) => fileId)
}

export async function findAvatar(tx: Database, userId: string): Promise<string | undefined> {
  const avatar = tx.selectFrom('avatarFile').select('fileId').where('userId', '=', userId)
  return (await avatar.executeTakeFirst())?.fileId
}
