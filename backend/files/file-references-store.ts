// References of posts, versions and avatars to files, with their SQL: a file is deleted with its
// last reference, or a day after its upload if it never had one (decision 0025). Rows change within
// the transaction that changes the post or the prefs; bytes are removed after its commit.

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

/** Which of these ids are files of the content bucket that this user uploaded. */
export async function findOwnFiles(
  { contentBucketId }: FilesContext,
  tx: Database,
  { ownerId, ids }: { ownerId: string; ids: string[] },
): Promise<Set<string>> {
  const files = tx.selectFrom('file').select('id').where('bucketId', '=', contentBucketId)
  const own = files.where('userId', '=', ownerId)
  const rows = await own.where(isOneOfTexts(tx, 'id', listParameter(tx, ids))).execute()
  return new Set(rows.map(({ id }) => id))
}

/**
 * Releases the files of a permanently deleted post, those of its cover and its versions: the
 * author's own ones that nothing else uses are deleted.
 */
export async function releaseFilesOfPost(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  { ownerId, fileIds }: { ownerId: string; fileIds: string[] },
): Promise<void> {
  const files = await lockOwn(tx, context.contentBucketId, fileIds, ownerId)
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
   * Ids of files, each once. A place that is undefined keeps its references; an empty cover has
   * none. Undefined when the post is about to be deleted.
   */
  shown: { cover?: string | undefined; body?: string[] | undefined } | undefined
  /** Files that versions of the post no longer refer to. */
  fromVersions?: string[] | undefined
  /** The post was created in this transaction: it has no references yet. */
  isNew?: boolean | undefined
  /** An autosave: files it releases stay for a day, because undo may bring them back. */
  isAutosave?: boolean | undefined
}

/**
 * Sets the references of a post. A file that it no longer refers to is deleted if its author
 * uploaded it and nothing else uses it.
 *
 * All changed files are locked first, so that a save that adds a reference and a deletion of the
 * last other one happen one after the other.
 */
export async function setPostFiles(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  uses: FilesOfPost,
) {
  const { postId, ownerId, fromVersions = [], isAutosave, isNew, ...post } = uses
  const before = isNew ? [] : (await findFilesOf(tx, { postId })).rows
  const at = (place: string, fileIds: string[] | undefined): PostFileRow[] =>
    fileIds?.map((fileId) => ({ postId, fileId, place })) ??
    before.filter((row) => row.place === place)
  const { cover, body } = post.shown ?? { cover: '', body: [] }
  const covers = cover === undefined ? undefined : [cover].filter(Boolean)
  const wanted = [...at('cover', covers), ...at('body', body)]
  const gone = without(before, wanted)
  const begun = without(wanted, before)
  if (gone.length + begun.length + fromVersions.length === 0) return
  const changed = [...idsOf(gone), ...idsOf(begun), ...fromVersions]
  const files = await lockFiles(tx, context.contentBucketId, changed)
  const refused = await findRefused(context, tx, files, ownerId)
  const added = begun.filter(({ place, fileId }) => place === 'cover' || !refused.has(fileId))
  for (const place of ['cover', 'body']) {
    const showing = idsOf(added, place)
    const leaving = idsOf(gone, place)
    if (showing.length > 0)
      await insertShown(tx, { postId, place, fileIds: listParameter(tx, showing) })
    const shown = tx.deleteFrom('postFile').where('postId', '=', postId).where('place', '=', place)
    if (leaving.length > 0)
      await shown.where(isOneOfTexts(tx, 'fileId', listParameter(tx, leaving))).execute()
  }
  const goneIds = new Set(idsOf(gone))
  const isReleased = ({ id }: FileRow) => goneIds.has(id)
  await releaseFiles(context, tx, afterCommit, {
    files: ownOf(files, ownerId).filter(
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
  const known = new Set(others.map(({ fileId, place }) => `${place} ${fileId}`))
  return rows.filter(({ fileId, place }) => !known.has(`${place} ${fileId}`))
}

/**
 * Files of other users that only their versions and deleted posts still show: no other post makes
 * them public again.
 */
async function findRefused(context: FilesContext, tx: Database, files: FileRow[], ownerId: string) {
  const foreign = files.filter(({ userId }) => userId !== ownerId)
  if (foreign.length === 0) return new Set<string>()
  const withheld = await findWithheld(tx, context.contentBucketId, foreign)
  return new Set(foreign.flatMap(({ id, storedName }) => (withheld.has(storedName) ? id : [])))
}

/**
 * Sets the references of a version. Only files of its author count: it neither keeps nor withholds
 * files of others.
 *
 * @returns the files that it no longer refers to
 */
export async function setVersionFiles(
  context: FilesContext,
  tx: Database,
  version: { versionId: string; ownerId: string; fileIds: string[]; isNew?: boolean },
) {
  const { versionId, ownerId, fileIds, isNew } = version
  const before = isNew ? [] : await listVersionFiles(tx, [versionId])
  const gone = before.filter((id) => !fileIds.includes(id))
  if (gone.length > 0) {
    const shown = tx.deleteFrom('versionFile').where('versionId', '=', versionId)
    await shown.where(isOneOfTexts(tx, 'fileId', listParameter(tx, gone))).execute()
  }
  const begun = fileIds.filter((id) => !before.includes(id))
  if (begun.length > 0)
    await sql`insert into "versionFile" ("versionId", "fileId") select ${versionId}, id from file
      where "bucketId" = ${context.contentBucketId} and "userId" = ${ownerId}
        and ${isOneOfTexts(tx, 'id', listParameter(tx, begun))}`.execute(tx)
  return gone
}

type AvatarOfUses = { userId: string; fileId: string | undefined }

/**
 * Sets a user's avatar. The one before is deleted once another image replaces it. Prefs that name
 * no file, or a missing one, may be an old copy that a program sends back: then it stays for a day.
 */
export async function setAvatarFile(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  avatar: AvatarOfUses,
) {
  const { userId, fileId } = avatar
  const before = await findAvatar(tx, userId)
  if (before === fileId) return
  const changed = [before, fileId].filter((id) => id !== undefined)
  const own = await lockOwn(tx, context.avatarBucketId, changed, userId)
  if (fileId === undefined) await tx.deleteFrom('avatarFile').where('userId', '=', userId).execute()
  else
    await tx
      .insertInto('avatarFile')
      .values({ userId, fileId })
      .onConflict((c) => c.column('userId').doUpdateSet({ fileId }))
      .execute()
  await releaseFiles(context, tx, afterCommit, {
    files: own.filter(({ id }) => id === before),
    isReleased: () => true,
    isDeletionDelayed: !own.some(({ id }) => id === fileId),
  })
}

/** The avatar that prefs name, when they are replaced. */
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

async function lockOwn(tx: Database, bucketId: string, ids: string[], ownerId: string) {
  return ownOf(await lockFiles(tx, bucketId, ids), ownerId)
}

function ownOf(files: FileRow[], ownerId: string): FileRow[] {
  return files.filter(({ userId, isComplete }) => userId === ownerId && isComplete === 1)
}

/**
 * Deletes the files that nothing uses any more, unless they stay for a day. For a day their owner
 * may delete them once more without a 404: many programs delete a post and then its file.
 *
 * @param gone locked, complete files of one owner and bucket; `isReleased` selects those that count
 *   as released even if something else uses them
 */
async function releaseFiles(
  context: FilesContext,
  tx: Database,
  afterCommit: AfterCommit,
  gone: {
    files: FileRow[]
    isReleased?: (file: FileRow) => boolean
    isDeletionDelayed?: boolean | undefined
  },
): Promise<void> {
  if (gone.files.length === 0) return
  const used = await findUsed(tx, context.contentBucketId, gone.files)
  const isUnused = ({ storedName }: FileRow) => !used.has(storedName)
  const released = gone.files.filter((file) => gone.isReleased?.(file) || isUnused(file))
  await setReleased(tx, released, context.now().toISOString())
  if (gone.isDeletionDelayed) return
  for (const file of gone.files.filter(isUnused)) await deleteRow(context, tx, afterCommit, file)
}

/**
 * Locks the files among these ids until the transaction ends, always in the same order, so that
 * transactions that lock several of them cannot wait for each other.
 */
export async function lockFiles(tx: Database, bucketId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  return (await lockAmong(tx, { bucketId, ids: listParameter(tx, ids) })).rows
}

const lockAmong = prepared((tx, { bucketId, ids }: { bucketId: string; ids: unknown }) => {
  const query = tx.selectFrom('file').selectAll().where('bucketId', '=', bucketId)
  return withRowLock(
    tx,
    query.where(isOneOfTexts(tx, 'id', ids)).orderBy(byCodePoint(tx, sql.ref('id'))),
  )
})

const findFilesOf = prepared((tx, { postId }: { postId: string }) =>
  tx.selectFrom('postFile').selectAll().where('postId', '=', postId),
)

const insertShown = prepared(
  (tx, { postId, place, fileIds }: { postId: string; place: string; fileIds: unknown }) =>
    rawQuery(
      tx,
      sql`insert into "postFile" ("postId", place, "fileId")
        select ${postId}, ${place}, value from ${textsTable(tx, fileIds, 'shown')}`,
    ),
)

/** The files that these versions refer to, each once. */
export async function listVersionFiles(tx: Database, versionIds: string[]): Promise<string[]> {
  const shown = tx.selectFrom('versionFile').select('fileId').distinct()
  const rows = await shown
    .where(isOneOfTexts(tx, 'versionId', listParameter(tx, versionIds)))
    .execute()
  return rows.map(({ fileId }) => fileId)
}

export async function findAvatar(tx: Database, userId: string): Promise<string | undefined> {
  const found = tx.selectFrom('avatarFile').select('fileId').where('userId', '=', userId)
  return (await found.executeTakeFirst())?.fileId
}
