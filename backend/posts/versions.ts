// The versions of a post's title and text: when a save begins a new one, how many are kept, and who
// reads them. Bringing one back is an edit (change-posts.ts). Independent of HTTP.

import { hash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import type {
  PostVersion,
  PostVersionList,
  PostVersionWithText,
  VersionKind,
} from '#contract/history.ts'
import { wireTime } from '#contract/ids.ts'
import { countWords } from '#contract/plain-text.ts'
import type { Database } from '../database/schema.ts'
import { listVersionFiles, setVersionFiles } from '../files/files.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { readBatches } from '../process/batches.ts'
import { makeId } from '../process/ids.ts'
import { compareWords, type DerivedText, type WordNumbers } from '../search/fold.ts'
import { can, readVisible } from './access.ts'
import type { PostsContext } from './context.ts'
import { findPost, findTexts, type PostRow } from './store.ts'
import { findShownFiles } from './tags-and-files.ts'
import * as store from './versions-store.ts'

/** Versions of a post's text that are kept; the oldest go first. */
export const VERSIONS_MAX = 50
/** All compressed versions of a post: room for 50 with a million letters of prose each. */
export const VERSIONS_MAX_BYTES = 20 * 1024 * 1024
/** Saves of a draft by itself within this time are one version. */
const AUTOSAVES_ARE_ONE_SECONDS = 10 * 60
/** Reading the text of one version costs what cleaning it costs, for each KiB. */
const VERSION_PRICE_MS_PER_KIB = 0.2

/** How a save came about; `restoredFrom` is when the version that is brought back was saved. */
export type Saving = { isAutosave: boolean; restoredFrom?: string | undefined }

/** A text, and how many words of it came and went against `base`. */
export type ReadyText = DerivedText & { base: string }

/** A post before and after a save. */
export type SavedText = {
  before: PostRow
  after: Pick<PostRow, 'id' | 'userId' | 'title' | 'content' | 'status'>
  /** Undefined where the text stays. */
  ready: ReadyText | undefined
  saving: Saving
}

/**
 * Notes a save within its transaction. Saves of a draft by itself within ten minutes are one
 * version; every other save of a changed title or text begins a new one. A save that changes
 * neither, but was asked for, turns the last version into one that no later save takes the place
 * of. The first save that a post's only version would not tell any more writes that one, too.
 *
 * @returns files that versions showed until now and may not be shown by any any more
 */
export async function noteVersion(context: PostsContext, tx: Database, saved: SavedText) {
  const { before, after, saving } = saved
  const isChanged = before.title !== after.title || before.content !== after.content
  const found = await store.listVersions(tx, after.id, 2)
  if (found.length === 0) {
    if (!isChanged && before.status === after.status) return []
    found.push(await keepFirst(context, tx, before))
  }
  const [newest, older] = found
  if (newest && !isChanged) {
    await settle(context, tx, newest, saved)
    return []
  }
  if (newest && saving.isAutosave && isStillOne(context, newest)) {
    const { title, content: text } = after
    const numbers = saved.ready && numbersOf(saved.ready, await readBase(tx, older), text)
    const savedAt = context.now().toISOString()
    await store.changeVersion(tx, newest.id, { title, text, savedAt, ...numbers })
    return noteFiles(context, tx, { id: newest.id, isNew: false }, after)
  }
  await addVersion(context, tx, saved)
  return dropOldest(tx, after.id)
}

/** What a post without a version shows as its only one: as it was created. */
function firstVersion(
  { seq, id, title, content, status, createdAt }: PostRow,
  words: number,
): store.VersionRow {
  return {
    seq: 0,
    id: firstIdOf({ seq, id }),
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

/** The same before it is written and afterwards, and never that of another post. */
function firstIdOf({ seq, id }: Pick<PostRow, 'seq' | 'id'>): string {
  return hash('sha256', `the first version of ${seq} ${id}`).slice(0, 20)
}

async function countWordsOf(db: Database, { id, content }: PostRow): Promise<number> {
  return (await findTexts(db, id))?.words ?? countWords(content)
}

/** Writes the only version of a post that has none, before it is changed or deleted. */
export async function keepFirst(context: PostsContext, tx: Database, post: PostRow) {
  const [newest] = await store.listVersions(tx, post.id, 1)
  if (newest) return newest
  const version = firstVersion(post, await countWordsOf(tx, post))
  const { seq: _seq, textBytes: _bytes, ...row } = version
  await store.insertVersion(tx, { ...row, postId: post.id, text: post.content })
  await noteFiles(context, tx, { id: version.id, isNew: true }, post)
  return version
}

async function readBase(tx: Database, older: store.VersionRow | undefined): Promise<string> {
  return (older && (await store.findWithText(tx, older.id))?.text) ?? ''
}

/** The text that the next save will probably be compared with. */
export async function findBase(
  context: PostsContext,
  db: Database,
  { id, content }: Pick<PostRow, 'id' | 'content'>,
  { isAutosave }: Saving,
): Promise<string> {
  if (!isAutosave) return content
  const [newest, older] = await store.listVersions(db, id, 2)
  return newest && isStillOne(context, newest) ? readBase(db, older) : content
}

function isStillOne({ now }: PostsContext, { kind, createdAt }: store.VersionRow) {
  const ageMs = now().getTime() - Date.parse(createdAt)
  return kind === 'autosaved' && Math.abs(ageMs) < AUTOSAVES_ARE_ONE_SECONDS * 1000
}

/** The same text was saved once more, for good. */
async function settle(
  { now }: PostsContext,
  tx: Database,
  newest: store.VersionRow,
  { before, after, saving }: SavedText,
): Promise<void> {
  const isPublishing = before.status !== 'active' && after.status === 'active'
  if (isPublishing) {
    const changes = { kind: 'published', restoredFrom: '', savedAt: now().toISOString() }
    await store.changeVersion(tx, newest.id, changes)
  } else if (newest.kind === 'autosaved' && !saving.isAutosave)
    await store.changeVersion(tx, newest.id, { kind: 'saved' })
}

async function addVersion(context: PostsContext, tx: Database, saved: SavedText): Promise<void> {
  const { before, after, ready, saving } = saved
  const id = makeId(context.now().getTime())
  const time = context.now().toISOString()
  await store.insertVersion(tx, {
    id,
    postId: after.id,
    title: after.title,
    text: after.content,
    kind: kindOf(saved),
    restoredFrom: saving.restoredFrom ?? '',
    createdAt: time,
    savedAt: time,
    ...(ready
      ? numbersOf(ready, before.content, after.content)
      : { words: await countWordsOf(tx, before), wordsAdded: 0, wordsRemoved: 0 }),
  })
  await noteFiles(context, tx, { id, isNew: true }, after)
}

/** The second of two saves at once finds another text before it, and is compared anew. */
function numbersOf({ base, numbers }: ReadyText, present: string, text: string): WordNumbers {
  return base === present ? numbers : compareWords(present, text)
}

function kindOf({ after, saving }: Pick<SavedText, 'after' | 'saving'>): VersionKind {
  if (saving.restoredFrom !== undefined) return 'restored'
  if (after.status === 'active') return 'published'
  return saving.isAutosave ? 'autosaved' : 'saved'
}

function noteFiles(
  context: PostsContext,
  tx: Database,
  { id: versionId, isNew }: { id: string; isNew: boolean },
  { userId: ownerId, content }: Pick<PostRow, 'userId' | 'content'>,
) {
  const fileIds = findShownFiles(content, context.contentBucketId)
  return setVersionFiles(context, tx, { versionId, ownerId, fileIds, isNew })
}

/** The newest is always kept. */
async function dropOldest(tx: Database, postId: string): Promise<string[]> {
  let bytes = 0
  const gone = (await store.listSizes(tx, postId)).filter(({ sizeBytes }, at) => {
    bytes += sizeBytes
    return at > 0 && (at >= VERSIONS_MAX || bytes > VERSIONS_MAX_BYTES)
  })
  if (gone.length === 0) return []
  const ids = gone.map(({ id }) => id)
  const fileIds = await listVersionFiles(tx, ids)
  await store.deleteVersions(tx, ids)
  return fileIds
}

/** @throws Refusal `document_not_found`, `user_unauthorized` for a post that is only read */
export async function readEditable(db: Database, viewer: Viewer, id: string): Promise<PostRow> {
  const post = await readVisible(db, viewer, id)
  if (!can(viewer, 'edit', post)) throw new Refusal('user_unauthorized')
  return post
}

export async function listVersions(
  { db }: PostsContext,
  viewer: Viewer,
  id: string,
): Promise<PostVersionList> {
  const post = await readEditable(db, viewer, id)
  const found = await store.listVersions(db, post.id, VERSIONS_MAX)
  const rows = found.length > 0 ? found : [firstVersion(post, await countWordsOf(db, post))]
  return { total: rows.length, versions: rows.map(toVersion) }
}

/** `pay` hears what reading costs, in milliseconds, before the work; may refuse. */
export type VersionAsked = { id: string; pay?: ((ms: number) => void) | undefined }

/** @throws Refusal `user_unauthorized`, `document_not_found` */
export async function readVersion(
  context: PostsContext,
  viewer: Viewer,
  postId: string,
  asked: VersionAsked,
): Promise<PostVersionWithText> {
  const post = await readEditable(context.db, viewer, postId)
  const { row, content } = await readKept(context, post, asked)
  return { ...toVersion(row), content }
}

/**
 * A version of a post with its text, cleaned by the rules of today.
 *
 * @throws Refusal `document_not_found`
 */
export async function readKept(
  { db, postTexts }: PostsContext,
  post: PostRow,
  { id, pay }: VersionAsked,
) {
  const stored = await store.findVersion(db, { postId: post.id, id })
  const isFirst =
    !stored && id === firstIdOf(post) && (await store.listVersions(db, post.id, 1)).length === 0
  const row = isFirst ? firstVersion(post, await countWordsOf(db, post)) : stored
  if (row) pay?.((row.textBytes / 1024) * VERSION_PRICE_MS_PER_KIB)
  const text = isFirst ? post.content : (await store.findWithText(db, id))?.text
  if (!row || text === undefined)
    throw new Refusal('document_not_found', 'There is no such version.')
  return { row, content: await postTexts.cleanKept(text, post.userId) }
}

const VERSIONS_BATCH_SIZE = 1000

/** All versions of the viewer's posts with their texts, of deleted posts too, oldest first. */
export async function* streamVersionsOf(db: Database, { userId }: UserViewer) {
  for await (const found of readBatches<store.OwnedVersion>(VERSIONS_BATCH_SIZE, (page) =>
    store.listVersionsOf(db, userId, page),
  ))
    for (const { postId, versionId } of found) {
      const version = await findWithText(db, postId, versionId)
      if (version) yield { postId, ...version }
    }
}

/** One that may have been written, or may have gone, since it was listed. */
async function findWithText(db: Database, postId: string, versionId: string | null) {
  const post = versionId === null ? await findPost(db, postId) : undefined
  const stored = await store.findWithText(db, versionId ?? (post ? firstIdOf(post) : ''))
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
