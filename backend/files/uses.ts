// Where files are used, and what that means for them: a file goes with its last use, or a day after
// its upload when it was never used (decision 0025). Rows change within the transaction that
// changes the post or the prefs; bytes go after its commit. Knows no HTTP and no SQL.
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import type { Database, PostFileRow } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import { type Buckets, deleteRow, type RemovalNeeds } from './file-access.ts'
import { setReleased, wasReleased } from './file-ids-store.ts'
import { type FileRow, findFile } from './store.ts'
import * as store from './uses-store.ts'

export type UsesNeeds = Buckets & Pick<RemovalNeeds, 'keeper' | 'chunks'> & { now: () => Date }

/** What posts and accounts ask of files. */
export function makeUses(needs: UsesNeeds) {
  const bucketId = needs.contentBucketId
  return {
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
    findOwnFiles: (tx: Database, files: { ownerId: string; ids: string[] }) =>
      store.findOwnIds(tx, { bucketId, ...files }),
    listVersionFiles: store.listVersionFiles,
    /**
     * A deleted post is gone for good, and with it what its cover and its versions used: what
     * nothing else uses goes, if the author of the post uploaded it.
     */
    async letGoOfFiles(tx: Database, after: After, gone: { ownerId: string; fileIds: string[] }) {
      const files = await lockOwn(tx, bucketId, gone.fileIds, gone.ownerId)
      await letGo(needs, tx, after, { files })
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
export async function notePostFiles(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  { postId, ownerId, fromVersions = [], isAutosave, isNew, ...post }: PostOfUses,
): Promise<void> {
  const before = isNew ? [] : await store.listPostFiles(tx, postId)
  const at = (place: string, fileIds: string[] | undefined): PostFileRow[] =>
    fileIds?.map((fileId) => ({ postId, fileId, place })) ??
    before.filter((row) => row.place === place)
  const { cover, body } = post.shown ?? { cover: '', body: [] }
  const covers = cover === undefined ? undefined : [cover].filter(Boolean)
  const wanted = [...at('cover', covers), ...at('body', body)]
  const [gone, begun] = [without(before, wanted), without(wanted, before)]
  if (gone.length + begun.length + fromVersions.length === 0) return
  const changed = [...idsOf(gone), ...idsOf(begun), ...fromVersions]
  const files = await store.lockFiles(tx, needs.contentBucketId, changed)
  const refused = await findRefused(needs, tx, files, ownerId)
  const added = begun.filter(({ place, fileId }) => place === 'cover' || !refused.has(fileId))
  for (const place of ['cover', 'body']) {
    await store.insertPostFiles(tx, { postId, place, fileIds: idsOf(added, place) })
    await store.deletePostFiles(tx, { postId, place, fileIds: idsOf(gone, place) })
  }
  const goneIds = new Set(idsOf(gone))
  const isLetGo = ({ id }: FileRow) => goneIds.has(id)
  await letGo(needs, tx, after, {
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
async function findRefused(
  { contentBucketId }: UsesNeeds,
  tx: Database,
  files: FileRow[],
  ownerId: string,
): Promise<Set<string>> {
  const foreign = files.filter(({ userId }) => userId !== ownerId)
  const withheld = await store.findWithheld(tx, contentBucketId, foreign)
  return new Set(foreign.flatMap(({ id, storedName }) => (withheld.has(storedName) ? id : [])))
}

type VersionOfUses = { versionId: string; ownerId: string; fileIds: string[]; isNew?: boolean }

/**
 * Notes which files of its author the text of a version shows: it keeps no others, and keeps no
 * others from their readers.
 *
 * @returns what it showed until now and no longer shows
 */
export async function noteVersionFiles(
  { contentBucketId: bucketId }: UsesNeeds,
  tx: Database,
  { versionId, ownerId, fileIds, isNew }: VersionOfUses,
): Promise<string[]> {
  const before = isNew ? [] : await store.listVersionFiles(tx, [versionId])
  const gone = before.filter((id) => !fileIds.includes(id))
  await store.deleteVersionFiles(tx, versionId, gone)
  const ids = fileIds.filter((id) => !before.includes(id))
  await store.insertVersionFiles(tx, versionId, { bucketId, ownerId, ids })
  return gone
}

type AvatarOfUses = { userId: string; fileId: string | undefined }

/**
 * Notes which file is a person's avatar from now on. The one before goes once another image is in
 * its place. Prefs that name none, or one that is gone, may be an old copy sent back by a program:
 * then it stays for another day.
 */
export async function noteAvatar(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  { userId, fileId }: AvatarOfUses,
): Promise<void> {
  const before = await store.findAvatar(tx, userId)
  if (before === fileId) return
  const changed = [before, fileId].filter((id) => id !== undefined)
  const own = await lockOwn(tx, needs.avatarBucketId, changed, userId)
  await store.saveAvatar(tx, { userId, fileId })
  await letGo(needs, tx, after, {
    files: own.filter(({ id }) => id === before),
    isLetGo: () => true,
    isKeptForADay: !own.some(({ id }) => id === fileId),
  })
}

async function lockOwn(
  tx: Database,
  bucketId: string,
  ids: string[],
  ownerId: string,
): Promise<FileRow[]> {
  return ownOf(await store.lockFiles(tx, bucketId, ids), ownerId)
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
async function letGo(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  gone: {
    files: FileRow[]
    isLetGo?: (file: FileRow) => boolean
    isKeptForADay?: boolean | undefined
  },
): Promise<void> {
  if (gone.files.length === 0) return
  const used = await store.findUsed(tx, needs.contentBucketId, gone.files)
  const isUnused = ({ storedName }: FileRow) => !used.has(storedName)
  const released = gone.files.filter((file) => gone.isLetGo?.(file) || isUnused(file))
  await setReleased(tx, released, needs.now().toISOString())
  if (gone.isKeptForADay) return
  for (const file of gone.files.filter(isUnused)) await deleteRow(needs, tx, after, file)
}

/**
 * Whether a file stays although its owner deletes it. One place that shows it does not hold it: an
 * edit may delete the old image before it saves the post. Two do, and so does one after another has
 * just let it go: then the deletion belongs to that other place. So does a deleted post of its
 * owner, as long as it can be brought back. Versions and bodies of other people hold nothing.
 */
export async function isHeld(
  needs: UsesNeeds,
  tx: Database,
  file: Pick<FileRow, 'bucketId' | 'id'> & { userId: string },
): Promise<boolean> {
  const { bucketId, id: fileId, userId: ownerId } = file
  const isContent = bucketId === needs.contentBucketId
  if (isContent && (await store.isOfDeletedPost(tx, { fileId, ownerId }))) return true
  const posts = isContent ? await store.countHolding(tx, { fileId, ownerId }) : 0
  const isAvatar =
    bucketId === needs.avatarBucketId && (await store.findAvatar(tx, ownerId)) === fileId
  const places = posts + Number(isAvatar)
  return places > 1 || (places === 1 && (await wasReleased(tx, file, needs.now())))
}

/**
 * Removes the files of people that nothing has used for a day.
 *
 * @param between is called after each batch; false ends it there
 * @returns how many
 */
export async function removeUnused(
  needs: UsesNeeds & RemovalNeeds,
  between: () => Promise<boolean>,
): Promise<number> {
  const before = new Date(needs.now().getTime() - UNUSED_FILE_SECONDS * 1000).toISOString()
  let removed = 0
  for (let seq = 0; ; ) {
    const { contentBucketId } = needs
    const { found, upTo } = await store.findUnused(needs.db, {
      ...{ contentBucketId, before, after: seq },
    })
    if (found.length > 0) removed += await removeStillUnused(needs, found)
    if (upTo === undefined || !(await between())) return removed
    seq = upTo
  }
}

/** Looks again with the files locked: one of them may have come into use since it was found. */
export async function removeStillUnused(
  needs: UsesNeeds & RemovalNeeds,
  files: FileRow[],
): Promise<number> {
  const names = new Set(files.map(({ storedName }) => storedName))
  const byBucket = Map.groupBy(files, ({ bucketId }) => bucketId)
  return await inTransaction(needs.db, needs.background, async (tx, after) => {
    let removed = 0
    for (const [bucketId, some] of [...byBucket].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const ids = some.map(({ id }) => id)
      const locked = await store.lockFiles(tx, bucketId, ids)
      const used = await store.findUsed(tx, needs.contentBucketId, locked)
      for (const file of locked)
        if (!used.has(file.storedName) && names.has(file.storedName))
          removed += Number(await deleteRow(needs, tx, after, file))
    }
    return removed
  })
}
