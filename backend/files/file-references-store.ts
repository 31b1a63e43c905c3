// What posts, versions and avatars show of files, with its SQL: a file goes with its last use, or a
// day after its upload when it was never used (decision 0025). Rows change within the transaction
// that changes the post or the prefs; bytes go after its commit.
import { sql } from 'kysely'
import {
  among,
  byCodePoint,
  compiledOnce,
  listParameter,
  locked,
  rawIn,
  textsTable,
} from '../database/dialect.ts'
import type { Database, PostFileRow } from '../database/schema.ts'
import type { After } from '../database/transaction.ts'
import { deleteRow, type Files } from './file-access.ts'
import { type FileRow, findFile, setReleased } from './store.ts'
import { findUsed, findWithheld } from './unused-store.ts'

/** What posts and accounts ask of files. */
export type FileUses = ReturnType<typeof makeUses>

export function makeUses(needs: Files) {
  const bucketId = needs.contentBucketId
  return {
    setPostFiles: setPostFiles.bind(undefined, needs),
    setVersionFiles: setVersionFiles.bind(undefined, needs),
    setAvatarFile: setAvatarFile.bind(undefined, needs),
    /**
     * Whether this is a complete image of the content bucket that this person uploaded.
     *
     * @param ownerId undefined for the API key, which may use anybody's
     */
    async isUsableImage(db: Database, id: string, ownerId: string | undefined): Promise<boolean> {
      const file = await findFile(db, { bucketId, id })
      return file?.isComplete === 1 && (ownerId === undefined || file.userId === ownerId)
    },
    /** Which of these ids are files of the content bucket that this person uploaded. */
    async findOwnFiles(tx: Database, { ownerId, ids }: { ownerId: string; ids: string[] }) {
      const files = tx.selectFrom('file').select('id').where('bucketId', '=', bucketId)
      const own = files.where('userId', '=', ownerId)
      const rows = await own.where(among(tx, 'id', listParameter(tx, ids))).execute()
      return new Set(rows.map(({ id }) => id))
    },
    listVersionFiles,
    /**
     * A deleted post is gone for good, and with it what its cover and its versions used: what
     * nothing else uses goes, if the author of the post uploaded it.
     */
    async releaseFiles(tx: Database, after: After, gone: { ownerId: string; fileIds: string[] }) {
      const files = await lockOwn(tx, bucketId, gone.fileIds, gone.ownerId)
      await releaseFiles(needs, tx, after, { files })
    },
  }
}

type PostOfUses = {
  postId: string
  ownerId: string
  /**
   * Ids of files, each once; a place that is undefined shows what it showed, an empty cover shows
   * nothing. Undefined when the post is about to be deleted.
   */
  shown: { cover?: string | undefined; body?: string[] | undefined } | undefined
  /** What versions of the post showed until now, and may be shown by none any more. */
  fromVersions?: string[] | undefined
  /** The post was made in this transaction, and shows nothing yet. */
  isNew?: boolean | undefined
  /** A draft that saves itself: what it lets go stays for a day, because undo may bring it back. */
  isAutosave?: boolean | undefined
}

/**
 * Notes what a post shows from now on. What it no longer shows goes if its author uploaded it and
 * nothing else uses it.
 *
 * The files that come and go are locked first: a save that begins to show a file and a deletion
 * that takes the file's last other use away happen one after the other.
 */
async function setPostFiles(needs: Files, tx: Database, after: After, uses: PostOfUses) {
  const { postId, ownerId, fromVersions = [], isAutosave, isNew, ...post } = uses
  const before = isNew ? [] : (await findFilesOf(tx, { postId })).rows
  const at = (place: string, fileIds: string[] | undefined): PostFileRow[] =>
    fileIds?.map((fileId) => ({ postId, fileId, place })) ??
    before.filter((row) => row.place === place)
  const { cover, body } = post.shown ?? { cover: '', body: [] }
  const covers = cover === undefined ? undefined : [cover].filter(Boolean)
  const wanted = [...at('cover', covers), ...at('body', body)]
  const [gone, begun] = [without(before, wanted), without(wanted, before)]
  if (gone.length + begun.length + fromVersions.length === 0) return
  const changed = [...idsOf(gone), ...idsOf(begun), ...fromVersions]
  const files = await lockFiles(tx, needs.contentBucketId, changed)
  const refused = await findRefused(needs, tx, files, ownerId)
  const added = begun.filter(({ place, fileId }) => place === 'cover' || !refused.has(fileId))
  for (const place of ['cover', 'body']) {
    const [showing, leaving] = [idsOf(added, place), idsOf(gone, place)]
    if (showing.length > 0)
      await insertShown(tx, { postId, place, fileIds: listParameter(tx, showing) })
    const shown = tx.deleteFrom('postFile').where('postId', '=', postId).where('place', '=', place)
    if (leaving.length > 0)
      await shown.where(among(tx, 'fileId', listParameter(tx, leaving))).execute()
  }
  const goneIds = new Set(idsOf(gone))
  const isLetGo = ({ id }: FileRow) => goneIds.has(id)
  await releaseFiles(needs, tx, after, {
    files: ownOf(files, ownerId).filter((file) => isLetGo(file) || fromVersions.includes(file.id)),
    isLetGo,
    isKeptForADay: isAutosave,
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
 * What only versions and deleted posts of others still show: no text of somebody else brings it
 * back before all readers.
 */
async function findRefused(needs: Files, tx: Database, files: FileRow[], ownerId: string) {
  const foreign = files.filter(({ userId }) => userId !== ownerId)
  if (foreign.length === 0) return new Set<string>()
  const withheld = await findWithheld(tx, needs.contentBucketId, foreign)
  return new Set(foreign.flatMap(({ id, storedName }) => (withheld.has(storedName) ? id : [])))
}

type VersionOfUses = { versionId: string; ownerId: string; fileIds: string[]; isNew?: boolean }

/**
 * Notes which files of its author the text of a version shows: it keeps no others, and keeps no
 * others from their readers.
 *
 * @returns what it showed until now and no longer shows
 */
async function setVersionFiles(needs: Files, tx: Database, version: VersionOfUses) {
  const { versionId, ownerId, fileIds, isNew } = version
  const before = isNew ? [] : await listVersionFiles(tx, [versionId])
  const gone = before.filter((id) => !fileIds.includes(id))
  if (gone.length > 0) {
    const shown = tx.deleteFrom('versionFile').where('versionId', '=', versionId)
    await shown.where(among(tx, 'fileId', listParameter(tx, gone))).execute()
  }
  const begun = fileIds.filter((id) => !before.includes(id))
  if (begun.length > 0)
    await sql`insert into "versionFile" ("versionId", "fileId") select ${versionId}, id from file
      where "bucketId" = ${needs.contentBucketId} and "userId" = ${ownerId}
        and ${among(tx, 'id', listParameter(tx, begun))}`.execute(tx)
  return gone
}

type AvatarOfUses = { userId: string; fileId: string | undefined }

/**
 * Notes which file is a person's avatar from now on. The one before goes once another image is in
 * its place. Prefs that name none, or one that is gone, may be an old copy sent back by a program:
 * then it stays for another day.
 */
async function setAvatarFile(needs: Files, tx: Database, after: After, avatar: AvatarOfUses) {
  const { userId, fileId } = avatar
  const before = await findAvatar(tx, userId)
  if (before === fileId) return
  const changed = [before, fileId].filter((id) => id !== undefined)
  const own = await lockOwn(tx, needs.avatarBucketId, changed, userId)
  if (fileId === undefined) await tx.deleteFrom('avatarFile').where('userId', '=', userId).execute()
  else
    await tx
      .insertInto('avatarFile')
      .values({ userId, fileId })
      .onConflict((c) => c.column('userId').doUpdateSet({ fileId }))
      .execute()
  await releaseFiles(needs, tx, after, {
    files: own.filter(({ id }) => id === before),
    isLetGo: () => true,
    isKeptForADay: !own.some(({ id }) => id === fileId),
  })
}

async function lockOwn(tx: Database, bucketId: string, ids: string[], ownerId: string) {
  return ownOf(await lockFiles(tx, bucketId, ids), ownerId)
}

function ownOf(files: FileRow[], ownerId: string): FileRow[] {
  return files.filter(({ userId, isComplete }) => userId === ownerId && isComplete === 1)
}

/**
 * Removes those of these files that nothing uses any more, unless they are kept for a day. For a
 * while their owner may delete them once more: many programs delete a post and then its file.
 *
 * @param gone the files are locked, complete, of one owner and bucket; those that `isLetGo` says
 *   nothing of count as let go only if nothing uses them
 */
async function releaseFiles(
  needs: Files,
  tx: Database,
  after: After,
  gone: {
    files: FileRow[]
    isLetGo?: (file: FileRow) => boolean
    isKeptForADay?: boolean | undefined
  },
): Promise<void> {
  if (gone.files.length === 0) return
  const used = await findUsed(tx, needs.contentBucketId, gone.files)
  const isUnused = ({ storedName }: FileRow) => !used.has(storedName)
  const released = gone.files.filter((file) => gone.isLetGo?.(file) || isUnused(file))
  await setReleased(tx, released, needs.now().toISOString())
  if (gone.isKeptForADay) return
  for (const file of gone.files.filter(isUnused)) await deleteRow(needs, tx, after, file)
}

/**
 * Locks the files among these ids until the transaction ends, always in the same order, so that
 * transactions that lock several of them cannot wait for each other.
 */
export async function lockFiles(tx: Database, bucketId: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  return (await lockAmong(tx, { bucketId, ids: listParameter(tx, ids) })).rows
}

const lockAmong = compiledOnce((tx, { bucketId, ids }: { bucketId: string; ids: unknown }) => {
  const query = tx.selectFrom('file').selectAll().where('bucketId', '=', bucketId)
  return locked(tx, query.where(among(tx, 'id', ids)).orderBy(byCodePoint(tx, sql.ref('id'))))
})

const findFilesOf = compiledOnce((tx, { postId }: { postId: string }) =>
  tx.selectFrom('postFile').selectAll().where('postId', '=', postId),
)

const insertShown = compiledOnce(
  (tx, { postId, place, fileIds }: { postId: string; place: string; fileIds: unknown }) =>
    rawIn(
      tx,
      sql`insert into "postFile" ("postId", place, "fileId")
        select ${postId}, ${place}, value from ${textsTable(tx, fileIds, 'shown')}`,
    ),
)

/** What the texts of these versions show, each once. */
export async function listVersionFiles(tx: Database, versionIds: string[]): Promise<string[]> {
  const shown = tx.selectFrom('versionFile').select('fileId').distinct()
  const rows = await shown.where(among(tx, 'versionId', listParameter(tx, versionIds))).execute()
  return rows.map(({ fileId }) => fileId)
}

export async function findAvatar(tx: Database, userId: string): Promise<string | undefined> {
  const found = tx.selectFrom('avatarFile').select('fileId').where('userId', '=', userId)
  return (await found.executeTakeFirst())?.fileId
}
