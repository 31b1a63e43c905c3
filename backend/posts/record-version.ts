// Records the versions of a post's title and text: when a save begins a new version, how many a
// post retains, and the files that they show. Called in the transaction of the save.
import { hash } from 'node:crypto'
import { countWords } from '#contract/plain-text.ts'
import type { VersionKind } from '#contract/versions.ts'
import type { Database } from '../database/schema.ts'
import { listVersionFiles, setVersionFiles } from '../files/files.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { findDerivedTexts } from '../post-texts/post-texts-store.ts'
import { makeId } from '../process/ids.ts'
import { compareWords, type WordAnalysis, type WordCounts } from '../search/fold-words.ts'
import { findShownFiles } from './shown-files.ts'
import type { PostRow } from './store.ts'
import * as store from './versions-store.ts'

/** Versions that a post retains; the oldest are deleted first. */
export const VERSIONS_MAX = 50

/** All compressed versions of a post: room for 50 with a million letters of prose each. */
export const VERSIONS_MAX_BYTES = 20 * 1024 * 1024

/** Automatic saves of a draft within this time share a version. */
const SHARED_VERSION_SECONDS = 10 * 60

/** The origin of a save; `restoredFrom` is the time at which the restored version was saved. */
export type SaveOrigin = { isAutosave: boolean; restoredFrom?: string | undefined }

/** The words of a text, and how many were added and removed since `base`. */
export type PreparedWords = WordAnalysis & { base: string }

/** A post before and after a save. */
export type SavedText = {
  before: PostRow
  after: Pick<PostRow, 'id' | 'userId' | 'title' | 'content' | 'status'>
  /** Undefined if the text does not change. */
  prepared: PreparedWords | undefined
  origin: SaveOrigin
  /** `$updatedAt` of the saved post, by which the form finds the version that it is based on. */
  time: string
}

/**
 * Records a save within its transaction. Automatic saves of a draft within ten minutes share one
 * version; every other save of a changed title or text begins a new one. A manual save that changes
 * neither makes the last version permanent, so that no later automatic save replaces it. Posts have
 * no version until their text changes: that save also stores the text as it was before.
 *
 * @returns files of deleted versions, which perhaps no other version shows
 */
export async function recordVersion(context: PostsContext, tx: Database, saved: SavedText) {
  const { before, after, origin, time } = saved
  const isChanged = before.title !== after.title || before.content !== after.content
  const newestTwo = await store.listVersions(tx, after.id, 2)
  if (newestTwo.length === 0) {
    if (!isChanged && before.status === after.status) return []
    newestTwo.push(await recordFirstVersion(context, tx, before))
  }
  const [newest, older] = newestTwo
  if (newest && !isChanged) {
    await makePermanent(tx, newest, saved)
    return []
  }
  if (newest && origin.isAutosave && isOpenForAutosaves(context, newest)) {
    const { title, content: text } = after
    const counts = saved.prepared && countsOf(saved.prepared, await readBase(tx, older), text)
    await store.changeVersion(tx, newest.id, { title, text, savedAt: time, ...counts })
    return recordFiles(context, tx, { id: newest.id, isNew: false }, after)
  }
  await addVersion(context, tx, saved)
  return dropOldest(tx, after.id)
}

/** The only version of a post without stored versions: the post as it was created. */
export function firstVersion(
  { seq, id, title, content, status, createdAt }: PostRow,
  words: number,
): store.VersionRow {
  return {
    seq: 0,
    id: firstVersionId({ seq, id }),
    title,
    restoredFrom: '',
    kind: status === 'active' ? 'published' : 'draft',
    words,
    wordsAdded: words,
    wordsRemoved: 0,
    textBytes: Buffer.byteLength(content),
    createdAt,
    savedAt: createdAt,
  }
}

/** The id of a post's first version, the same before and after it is stored. */
export function firstVersionId({ seq, id }: Pick<PostRow, 'seq' | 'id'>): string {
  return hash('sha256', `the first version of ${seq} ${id}`).slice(0, 20)
}

export async function countWordsOf(db: Database, { id, content }: PostRow): Promise<number> {
  return (await findDerivedTexts(db, id))?.words ?? countWords(content)
}

/** Stores the first version of a post without versions, before it is changed or deleted. */
export async function recordFirstVersion(context: PostsContext, tx: Database, post: PostRow) {
  const [newest] = await store.listVersions(tx, post.id, 1)
  if (newest) return newest
  const version = firstVersion(post, await countWordsOf(tx, post))
  const { seq: _seq, textBytes: _bytes, ...row } = version
  await store.insertVersion(tx, { ...row, postId: post.id, text: post.content })
  await recordFiles(context, tx, { id: version.id, isNew: true }, post)
  return version
}

async function readBase(tx: Database, older: store.VersionRow | undefined): Promise<string> {
  return (older && (await store.findVersionWithText(tx, older.id))?.text) ?? ''
}

/** The text that a save will probably be compared with, read before its transaction. */
export async function findBase(
  context: PostsContext,
  db: Database,
  { id, content }: Pick<PostRow, 'id' | 'content'>,
  { isAutosave }: SaveOrigin,
): Promise<string> {
  if (!isAutosave) return content
  const [newest, older] = await store.listVersions(db, id, 2)
  return newest && isOpenForAutosaves(context, newest) ? readBase(db, older) : content
}

function isOpenForAutosaves({ now }: PostsContext, { kind, createdAt }: store.VersionRow) {
  const ageMs = now().getTime() - Date.parse(createdAt)
  return kind === 'autosaved' && Math.abs(ageMs) < SHARED_VERSION_SECONDS * 1000
}

/** A manual save of an unchanged text makes the last automatic version permanent. */
async function makePermanent(
  tx: Database,
  newest: store.VersionRow,
  { before, after, origin, time }: SavedText,
): Promise<void> {
  const isPublishing = before.status !== 'active' && after.status === 'active'
  if (isPublishing) {
    const changes = { kind: 'published', restoredFrom: '', savedAt: time }
    await store.changeVersion(tx, newest.id, changes)
  } else if (newest.kind === 'autosaved' && !origin.isAutosave)
    await store.changeVersion(tx, newest.id, { kind: 'saved' })
}

async function addVersion(context: PostsContext, tx: Database, saved: SavedText): Promise<void> {
  const { before, after, prepared, origin, time } = saved
  const now = context.now()
  const id = makeId(now.getTime())
  await store.insertVersion(tx, {
    id,
    postId: after.id,
    title: after.title,
    text: after.content,
    kind: kindOf(saved),
    restoredFrom: origin.restoredFrom ?? '',
    createdAt: now.toISOString(),
    savedAt: time,
    ...(prepared
      ? countsOf(prepared, before.content, after.content)
      : { words: await countWordsOf(tx, before), wordsAdded: 0, wordsRemoved: 0 }),
  })
  await recordFiles(context, tx, { id, isNew: true }, after)
}

/** Compares again if another save has changed the text since `base` was read. */
function countsOf({ base, counts }: PreparedWords, before: string, text: string): WordCounts {
  return base === before ? counts : compareWords(before, text)
}

function kindOf({ after, origin }: Pick<SavedText, 'after' | 'origin'>): VersionKind {
  if (origin.restoredFrom !== undefined) return 'restored'
  if (after.status === 'active') return 'published'
  return origin.isAutosave ? 'autosaved' : 'saved'
}

function recordFiles(
  context: PostsContext,
  tx: Database,
  { id: versionId, isNew }: { id: string; isNew: boolean },
  { userId: ownerId, content }: Pick<PostRow, 'userId' | 'content'>,
) {
  const fileIds = findShownFiles(content, context.contentBucketId)
  return setVersionFiles(context, tx, { versionId, ownerId, fileIds, isNew })
}

/** Never drops the newest version. */
async function dropOldest(tx: Database, postId: string): Promise<string[]> {
  let bytes = 0
  const dropped = (await store.listSizes(tx, postId)).filter(({ sizeBytes }, at) => {
    bytes += sizeBytes
    return at > 0 && (at >= VERSIONS_MAX || bytes > VERSIONS_MAX_BYTES)
  })
  if (dropped.length === 0) return []
  const ids = dropped.map(({ id }) => id)
  const fileIds = await listVersionFiles(tx, ids)
  await store.deleteVersions(tx, ids)
  return fileIds
}
