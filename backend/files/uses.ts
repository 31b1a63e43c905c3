// Where files are used, and what that means for them: a file goes with its last use, or a day after
// its upload when it was never used (decision 0025). Rows change within the transaction that
// changes the post or the prefs; bytes go after its commit. Knows no HTTP and no SQL.
import { RELEASED_FILE_SECONDS, UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import type { Database, PostFileRow } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { Buckets } from './buckets.ts'
import { deleteRow, type RemovalNeeds } from './removal.ts'
import type { FileRow } from './store.ts'
import * as uses from './uses-store.ts'

export type UsesNeeds = Buckets & Pick<RemovalNeeds, 'keeper' | 'chunks'> & { now: () => Date }

/**
 * Ids of files, each once; a place that is undefined shows what it showed, an empty cover shows
 * nothing.
 */
export type ShownFiles = { cover?: string | undefined; body?: string[] | undefined }
export type PostOfUses = { postId: string; ownerId: string }

/** What a save changes beside the post itself. */
export type SaveOfUses = {
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
 *
 * @param shown undefined when the post is about to be deleted
 */
export async function notePostFiles(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  {
    postId,
    ownerId,
    shown,
    fromVersions = [],
    isAutosave = false,
    isNew = false,
  }: PostOfUses & SaveOfUses & { shown: ShownFiles | undefined },
): Promise<void> {
  const before = isNew ? [] : await uses.listPostFiles(tx, postId)
  const at = (place: string, fileIds: string[] | undefined): PostFileRow[] =>
    fileIds?.map((fileId) => ({ postId, fileId, place })) ??
    before.filter((row) => row.place === place)
  const wanted = shown
    ? [
        ...at('cover', shown.cover === undefined ? undefined : [shown.cover].filter(Boolean)),
        ...at('body', shown.body),
      ]
    : []
  const [gone, begun] = [without(before, wanted), without(wanted, before)]
  if (gone.length + begun.length + fromVersions.length === 0) return
  const changed = [...[...gone, ...begun].map(({ fileId }) => fileId), ...fromVersions]
  const files = await uses.lockFiles(tx, needs.contentBucketId, changed)
  const refused = await findRefused(needs, tx, files, ownerId)
  const added = begun.filter(({ place, fileId }) => place === 'cover' || !refused.has(fileId))
  await uses.insertPostFiles(tx, added)
  for (const place of ['cover', 'body']) {
    const fileIds = gone.filter((row) => row.place === place).map(({ fileId }) => fileId)
    await uses.deletePostFiles(tx, { postId, place, fileIds })
  }
  const goneIds = new Set(gone.map(({ fileId }) => fileId))
  const bucketId = needs.contentBucketId
  const own = files.filter(({ userId, isComplete }) => userId === ownerId && isComplete === 1)
  await letGo(needs, tx, after, {
    files: own.filter(({ id }) => goneIds.has(id)),
    bucketId,
    isKeptForADay: isAutosave,
  })
  const others = own.filter(({ id }) => fromVersions.includes(id) && !goneIds.has(id))
  await letGoOfUnused(needs, tx, after, { files: others, isKeptForADay: isAutosave })
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
  const withheld = await uses.findWithheld(tx, contentBucketId, foreign)
  return new Set(foreign.flatMap(({ id, storedName }) => (withheld.has(storedName) ? id : [])))
}

/** Which of these ids are files of the content bucket that this person uploaded. */
export async function findOwnFiles(
  { contentBucketId: bucketId }: Pick<Buckets, 'contentBucketId'>,
  tx: Database,
  { ownerId, ids }: { ownerId: string; ids: string[] },
): Promise<Set<string>> {
  return uses.findOwnIds(tx, { bucketId, ownerId, ids })
}

/**
 * Notes which files of its author the text of a version shows: it keeps no others, and keeps no
 * others from their readers.
 *
 * @returns what it showed until now and no longer shows
 */
export async function noteVersionFiles(
  { contentBucketId: bucketId }: UsesNeeds,
  tx: Database,
  {
    versionId,
    ownerId,
    fileIds,
    isNew = false,
  }: { versionId: string; ownerId: string; fileIds: string[]; isNew?: boolean },
): Promise<string[]> {
  const before = isNew ? [] : await uses.listVersionFiles(tx, [versionId])
  const gone = before.filter((id) => !fileIds.includes(id))
  await uses.deleteVersionFiles(tx, versionId, gone)
  const begun = fileIds.filter((id) => !before.includes(id))
  const added = await uses.findOwnIds(tx, { bucketId, ownerId, ids: begun })
  await uses.insertVersionFiles(
    tx,
    [...added].map((fileId) => ({ versionId, fileId })),
  )
  return gone
}

/**
 * A deleted post is gone for good, and with it what its cover and its versions used: what nothing
 * else uses goes, if the author of the post uploaded it.
 */
export async function letGoOfFiles(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  { ownerId, fileIds }: { ownerId: string; fileIds: string[] },
): Promise<void> {
  const files = await uses.lockFiles(tx, needs.contentBucketId, fileIds)
  const own = files.filter(({ userId, isComplete }) => userId === ownerId && isComplete === 1)
  await letGoOfUnused(needs, tx, after, { files: own, isKeptForADay: false })
}

/** Only what nothing uses counts as let go by this. */
async function letGoOfUnused(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  { files, isKeptForADay }: { files: FileRow[]; isKeptForADay: boolean },
): Promise<void> {
  if (files.length === 0) return
  const bucketId = needs.contentBucketId
  const used = await uses.findUsed(tx, bucketId, files)
  const unused = files.filter(({ storedName }) => !used.has(storedName))
  await letGo(needs, tx, after, { files: unused, bucketId, isKeptForADay })
}

/**
 * Notes which file is a person's avatar from now on. The one before goes once another image is in
 * its place. Prefs that name none, or one that is gone, may be an old copy sent back by a program:
 * then it stays for another day.
 */
export async function noteAvatar(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  { userId, fileId }: { userId: string; fileId: string | undefined },
): Promise<void> {
  const before = (await uses.findAvatar(tx, userId))?.fileId
  if (before === fileId) return
  const bucketId = needs.avatarBucketId
  const changed = [before, fileId].filter((id) => id !== undefined)
  const files = await uses.lockFiles(tx, bucketId, changed)
  await uses.saveAvatar(tx, { userId, fileId })
  const own = files.filter((file) => file.userId === userId && file.isComplete === 1)
  const former = own.filter(({ id }) => id === before)
  if (own.some(({ id }) => id === fileId))
    await letGo(needs, tx, after, { files: former, bucketId })
  else await noteRelease(needs, tx, { files: former, bucketId })
}

/**
 * Removes those of these files that nothing uses any more. For a while their owner may delete them
 * once more: many programs delete a post and then its file.
 *
 * @param files locked, complete, of one owner
 */
async function letGo(
  needs: UsesNeeds,
  tx: Database,
  after: After,
  {
    files,
    bucketId,
    isKeptForADay = false,
  }: { files: FileRow[]; bucketId: string; isKeptForADay?: boolean },
): Promise<void> {
  await noteRelease(needs, tx, { files, bucketId })
  if (isKeptForADay) return
  const used = await uses.findUsed(tx, needs.contentBucketId, files)
  for (const file of files) if (!used.has(file.storedName)) await deleteRow(needs, tx, after, file)
}

async function noteRelease(
  { now }: Pick<UsesNeeds, 'now'>,
  tx: Database,
  { files, bucketId }: { files: FileRow[]; bucketId: string },
): Promise<void> {
  const ids = files.map(({ id }) => id)
  await uses.setReleased(tx, { bucketId, ids, releasedAt: now().toISOString() })
}

/** Whether this person's file was let go a moment ago, and may be gone with that. */
export async function wasReleased(
  { now }: Pick<UsesNeeds, 'now'>,
  db: Database,
  { bucketId, id, userId }: { bucketId: string; id: string; userId: string },
): Promise<boolean> {
  const known = await uses.findId(db, { bucketId, id })
  const since = new Date(now().getTime() - RELEASED_FILE_SECONDS * 1000).toISOString()
  return known?.ownerId === userId && known.releasedAt > since
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
  { bucketId, id, userId }: Pick<FileRow, 'bucketId' | 'id'> & { userId: string },
): Promise<boolean> {
  const isContent = bucketId === needs.contentBucketId
  if (isContent && (await uses.isOfDeletedPost(tx, { fileId: id, ownerId: userId }))) return true
  const posts = isContent
    ? await uses.countHolding(tx, { fileId: id, ownerId: userId, most: 2 })
    : 0
  const isAvatar =
    bucketId === needs.avatarBucketId && (await uses.findAvatar(tx, userId))?.fileId === id
  const places = posts + Number(isAvatar)
  return places > 1 || (places === 1 && (await wasReleased(needs, tx, { bucketId, id, userId })))
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
    const { found, upTo } = await uses.findUnused(needs.db, { contentBucketId, before, after: seq })
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
  return await inTransaction(needs.db, needs.background, async (tx, after) => {
    let removed = 0
    for (const bucketId of [...new Set(files.map((file) => file.bucketId))].sort()) {
      const ids = files.filter((file) => file.bucketId === bucketId).map(({ id }) => id)
      const names = new Set(files.map(({ storedName }) => storedName))
      const locked = await uses.lockFiles(tx, bucketId, ids)
      const used = await uses.findUsed(tx, needs.contentBucketId, locked)
      for (const file of locked) {
        if (used.has(file.storedName) || !names.has(file.storedName)) continue
        if (await deleteRow(needs, tx, after, file)) removed += 1
      }
    }
    return removed
  })
}

function without(rows: PostFileRow[], others: PostFileRow[]): PostFileRow[] {
  const known = new Set(others.map(({ fileId, place }) => `${place} ${fileId}`))
  return rows.filter(({ fileId, place }) => !known.has(`${place} ${fileId}`))
}
