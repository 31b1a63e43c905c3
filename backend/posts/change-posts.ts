// The rules for creating, editing and liking a post, and the order of their checks (api.md §3.2).
// Independent of HTTP; SQL is in store.ts. In one piece because the order of the checks is one rule
// for all of them.

import { Refusal } from '#contract/errors.ts'
import { isId, UNIQUE_ID } from '#contract/ids.ts'
import { defaultPermissions, readPermissions } from '#contract/permissions.ts'
import type { PostDocument } from '#contract/posts.ts'
import { findUserRow } from '../accounts/users.ts'
import { isForeignKeyViolation, refuseIfTaken } from '../database/database-errors.ts'
import { emit } from '../database/domain-events.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { type AfterCommit, inTransaction, lockUser } from '../database/transaction.ts'
import { setPostFiles } from '../files/files.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { TEXT_SYNC_MAX_CHARS } from '../post-texts/post-texts.ts'
import { indexIfPending } from '../post-texts/post-texts-store.ts'
import { changeTags, packTags } from '../post-texts/tags.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import { makeId, secondsAfter } from '../process/ids.ts'
import {
  can,
  isReader,
  lockVisible,
  ownerOfNewPost,
  readVisible,
  refuseBlocked,
  refuseForeignAuthor,
  refuseReaders,
  toStoredPermissions,
} from './access.ts'
import {
  applyExtraChanges,
  type ExtraChanges,
  invalidFormat,
  invalidStructure,
  type SentData,
} from './attributes.ts'
import {
  NO_OPTIONS,
  type PostWithOptions,
  type PublishingOptions,
  prepareNewPost,
  saveDerivedTexts,
  savePublishingOptions,
  writeNewPost,
} from './new-post.ts'
import { claimAddress, isNewPage, PAGE_PERMISSIONS, refuseOtherKind } from './pages.ts'
import { checkLike, hasWrittenAttributes, readChanges, readNewPost } from './post-data.ts'
import { applyDetailChanges, type DetailChanges } from './post-details.ts'
import { publishPostEvent } from './post-events.ts'
import {
  asAlreadyClean,
  type CleanedBody,
  prepareCleanedBody,
  readDocument,
} from './post-serialiser.ts'
import { findBase, recordVersion, type SaveOrigin } from './record-version.ts'
import { scheduleAfter } from './schedule.ts'
import { listShownFiles, readFeaturedImage } from './shown-files.ts'
import * as store from './store.ts'
import { isReservedForOther, setLike } from './store.ts'

export type PostCreation = {
  documentId: string
  data: SentData
  permissions: unknown
}

/** The requested changes; `unlessNewerThan` is the stored time (`…Z`) of the caller's copy. */
export type PostUpdate = {
  data: SentData | undefined
  permissions: unknown
  unlessNewerThan: string | undefined
  /** An automatic save of a draft: consecutive ones share one version (api.md §15.10). */
  isAutosave?: boolean | undefined
}

/** @throws Refusals of api.md §3.2 "POST" */
export async function createPost(
  context: PostsContext,
  viewer: Viewer,
  { documentId, data, permissions }: PostCreation,
): Promise<PostDocument> {
  const { db, background, now, hasExtraAttributes } = context
  const ownerId = ownerOfNewPost(viewer, data)
  const newPermissions = readPermissions(permissions, viewer, ownerId)
  if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
  refuseForeignAuthor(data, ownerId)
  const isForPage = isNewPage(viewer, data)
  const sanitise = await context.postTexts.prepareSanitise(data.content, ownerId)
  const written = readNewPost(data, { hasExtraAttributes, sanitise })
  const { extras, tags, details, commentsClosed, publishAt, ...attributes } = written
  await refuseMissingOwner(db, viewer, ownerId)
  const hasChosenId = documentId !== UNIQUE_ID
  const id = hasChosenId ? documentId : makeId(now().getTime())
  const time = now().toISOString()
  const row = {
    id,
    ...attributes,
    userId: ownerId,
    ...(isForPage
      ? PAGE_PERMISSIONS
      : toStoredPermissions(newPermissions ?? defaultPermissions(ownerId))),
    createdAt: time,
    updatedAt: time,
    publishedAt: attributes.status === 'active' ? time : '',
  }
  const withoutOptions = { ...NO_OPTIONS, id, status: 'inactive', publishedAt: '' } as const
  const sent = { changes: attributes, details, commentsClosed, publishAt }
  const options = publishingOptionsAfter(context, withoutOptions, sent)
  const storedExtras = applyExtraChanges('', extras)
  const newPost = { row, attributes: storedExtras, tags, options }
  const prepared = await prepareNewPost(context, newPost)
  return inTransaction(db, background, async (tx, afterCommit) => {
    const owner = await lockOwner(tx, viewer, ownerId)
    const stored = await writeNewPost(context, tx, afterCommit, { viewer, prepared })
    // The id of a deleted post is reserved for its author, who may still restore it.
    if (hasChosenId && (await isReservedForOther(tx, id, ownerId)))
      throw new Refusal('document_already_exists')
    const post = {
      ...row,
      ...stored,
      isHidden: 0,
      likes: 0,
      ...options,
      attributes: storedExtras,
      userName: owner.name,
      isAuthorBlocked: owner.isBlocked,
    }
    return publishPostEvent(context, tx, viewer, {
      id,
      action: 'create',
      post: { row: post, cleanedBody: asAlreadyClean(row.content) },
    })
  }).catch((cause: unknown) => refuseIfTaken('document_already_exists', cause))
}

/** @throws Refusal `document_invalid_structure` */
async function refuseMissingOwner(db: Database, viewer: Viewer, ownerId: string): Promise<void> {
  if (ownerId === '') throw invalidStructure('Missing required attribute "userid"')
  if (viewer.role === 'key' && !(isId(ownerId) && (await findUserRow(db, ownerId))))
    throw invalidFormat('userid', 'the id of an existing user')
}

/**
 * The account may have been deleted or blocked since the session was checked; then it must not get
 * another post. A deletion of the locked account waits, and then deletes this post, too.
 *
 * @throws Refusal `user_unauthorized`, `user_blocked`, `user_is_reader`
 */
async function lockOwner(tx: Database, viewer: Viewer, ownerId: string): Promise<UserRow> {
  const owner = await lockUser(tx, ownerId)
  if (!owner) throw new Refusal('user_unauthorized')
  if (owner.isBlocked && viewer.role === 'user') throw new Refusal('user_blocked')
  if (isReader(viewer, owner)) throw new Refusal('user_is_reader')
  return owner
}

/**
 * An edit by the owner, or a like by anybody: a call that sends `likeId` and no written attribute
 * sets or removes the caller's like.
 *
 * @throws Refusals of api.md §3.2 "PATCH"
 * @source api.md §10.3, product.md §O12
 */
export async function updatePost(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  update: PostUpdate,
) {
  const { data = {}, permissions } = update
  const hasPermissions = permissions !== undefined && permissions !== null
  if (Object.keys(data).length === 0 && !hasPermissions)
    throw new Refusal('document_missing_payload')
  const isLike =
    !hasPermissions &&
    !hasWrittenAttributes(data, context) &&
    (Object.hasOwn(data, 'likeId') || Object.hasOwn(data, 'like'))
  return isLike
    ? likePost(context, viewer, id, { ...update, data })
    : editPost(context, viewer, id, { ...update, data })
}

type UpdateWithData = PostUpdate & { data: SentData }

async function editPost(context: PostsContext, viewer: Viewer, id: string, update: UpdateWithData) {
  const { data, permissions, unlessNewerThan, isAutosave = false } = update
  const { hasExtraAttributes } = context
  const before = await readVisible(context.db, viewer, id)
  const newPermissions = readPermissions(permissions, viewer, before.userId)
  if (!can(viewer, 'edit', before)) throw new Refusal('user_unauthorized')
  refuseForeignAuthor(data, before.userId)
  refuseOtherKind(before, data, permissions)
  const sanitise = await context.postTexts.prepareSanitise(data.content, before.userId)
  const rules = { hasExtraAttributes, sanitise }
  const { extras, tags, details, commentsClosed, publishAt, ...attributes } = readChanges(
    data,
    rules,
    before,
  )
  const fileId = attributes.featuredImage
  if (fileId !== undefined && fileId !== before.featuredImage)
    await readFeaturedImage(context, context.db, viewer, { fileId, ownerId: before.userId })
  const changes: store.PostChanges = {
    ...attributes,
    ...(newPermissions ? toStoredPermissions(newPermissions) : {}),
  }
  return saveChanges(context, viewer, before, {
    changes,
    extras,
    tags,
    details,
    commentsClosed,
    publishAt,
    origin: { isAutosave },
    unlessNewerThan,
  })
}

/** Checked changes of a post. */
export type CheckedChanges = {
  changes: store.PostChanges
  /** Undefined when none were sent; a changed last line of the text may still change the tags. */
  tags?: string[] | undefined
  extras?: ExtraChanges
  details?: DetailChanges
  commentsClosed?: boolean | undefined
  /** The time that was sent for the publication; empty cancels a scheduled one. */
  publishAt?: string | undefined
  origin: SaveOrigin
} & Pick<PostUpdate, 'unlessNewerThan'>

/**
 * Writes checked changes, and records the new version and the files that the post shows.
 *
 * @param before the post at the time of the checks
 * @throws Refusal `document_not_found`, `document_update_conflict`, `user_blocked`,
 *   `general_service_disabled`
 */
export async function saveChanges(
  context: PostsContext,
  viewer: Viewer,
  before: store.PostRow,
  checkedChanges: CheckedChanges,
): Promise<PostDocument> {
  const prepared = await prepareChanges(context, before, checkedChanges)
  return inTransaction(context.db, context.background, async (tx, afterCommit) => {
    await refuseReaders(tx, viewer)
    const row = await lockVisible(tx, viewer, before.id, checkedChanges.unlessNewerThan)
    return writeChanges(context, tx, afterCommit, { ...prepared, viewer, row })
  })
}

type ChangesOfPost = PreparedChanges & {
  viewer: Viewer
  /** The post, locked. */
  row: store.PostRow
  /** Set when a scheduled post is published: its date, even if the server is late. */
  scheduledTime?: string
}

/** Writes prepared changes in the transaction that has locked the user and the post. */
export async function writeChanges(
  context: PostsContext,
  tx: Database,
  afterCommit: AfterCommit,
  { viewer, row, checkedChanges, texts, cleanedBody, scheduledTime }: ChangesOfPost,
): Promise<PostDocument> {
  const { changes: sentChanges, extras = new Map(), tags, origin } = checkedChanges
  const { id, userId: ownerId } = row
  const { content, featuredImage: fileId } = sentChanges
  const hasText = sentChanges.title !== undefined || content !== undefined
  const yieldToEventLoop = makeYieldToEventLoop()
  await yieldToEventLoop()
  const now = context.now().toISOString()
  const updatedAt = timeOfChange(row, [scheduledTime ?? now, now])
  const attributes = applyExtraChanges(row.attributes, extras)
  const areExtrasChanged = attributes !== row.attributes
  const changes = {
    ...sentChanges,
    ...publicationOf(row, sentChanges, { now, scheduledTime }),
  }
  const options = publishingOptionsAfter(context, row, checkedChanges)
  const savedPost = { ...row, ...changes, ...options }
  const isAutosave = origin.isAutosave && row.status !== 'active' && savedPost.status === row.status
  const version = {
    before: row,
    after: savedPost,
    prepared: texts?.words,
    origin: { ...origin, isAutosave },
    time: updatedAt,
  }
  if (areExtrasChanged) await store.saveExtras(tx, id, attributes)
  const areOptionsChanged = await savePublishingOptions(tx, row, options)
  const newTags = await changeTags(context, tx, row, { content, tags })
  const areOthersChanged = areExtrasChanged || areOptionsChanged || newTags !== undefined
  const isChanged = areOthersChanged || hasDifferences(row, changes)
  const mayShowOtherFiles = content !== undefined || fileId !== undefined || areExtrasChanged
  const body = mayShowOtherFiles
    ? await listShownFiles(context, tx, { ...savedPost, attributes })
    : undefined
  // All sent attributes are written, not only changed ones: of two simultaneous edits, the last
  // one wins as a whole.
  await yieldToEventLoop()
  if (isChanged) await store.updatePost(tx, { ...changes, updatedAt, id })
  if (isChanged) await claimAddress(tx, savedPost)
  await yieldToEventLoop()
  // The words of an unchanged long text are not analysed here, because other requests would wait;
  // the background work indexes them within a minute.
  const isAnalysed = texts || row.content.length <= TEXT_SYNC_MAX_CHARS
  if (isChanged && hasText && isAnalysed) {
    const words = texts?.words ?? (await context.postTexts.analyse(row.content, { key: ownerId }))
    await indexIfPending(tx, row.seq, words.foldedWords)
  }
  await yieldToEventLoop()
  const fromVersions = await recordVersion(context, tx, version)
  await yieldToEventLoop()
  if (isChanged) {
    if (texts)
      await saveDerivedTexts(context, tx, afterCommit, { id, seq: row.seq, texts: texts.derived })
    const isImageChanged = fileId !== undefined && fileId !== row.featuredImage
    const image = { fileId: fileId ?? '', ownerId }
    const cover = isImageChanged ? await readFeaturedImage(context, tx, viewer, image) : undefined
    await setPostFiles(context, tx, afterCommit, {
      postId: id,
      ownerId,
      fileIds: { cover, body },
      fromVersions,
      isAutosave,
    })
    if (cover) await readFeaturedImage(context, tx, viewer, image)
  }
  await yieldToEventLoop()
  const savedTags = newTags ? packTags(newTags) : row.tags
  const post = { row: { ...savedPost, attributes, tags: savedTags, updatedAt }, cleanedBody }
  return isChanged
    ? publishPostEvent(context, tx, viewer, { id, action: 'update', post, before: row })
    : readDocument(context, tx, viewer, id, cleanedBody)
}

/**
 * The first of these times that is after the previous change, or else one just after it. By this
 * time callers learn that their copy is old, so it never goes back, even if a clock does.
 */
function timeOfChange({ updatedAt }: store.PostRow, times: string[]): string {
  return times.find((time) => time > updatedAt) ?? secondsAfter(new Date(updatedAt), 0.001)
}

/** What the author has chosen about the publication of a post, after a change. */
function publishingOptionsAfter(
  { now, hasExtraAttributes }: PostsContext,
  row: PostWithOptions,
  sentChanges: Omit<CheckedChanges, 'origin' | 'unlessNewerThan'>,
): PublishingOptions {
  const { details = {}, commentsClosed, publishAt: sentTime } = sentChanges
  const { status } = sentChanges.changes
  const sent = { status, publishAt: sentTime }
  const publishAt = scheduleAfter(row, sent, { now: now(), hasExtraAttributes })
  return {
    details: applyDetailChanges(row.details, details),
    commentsClosed: commentsClosed === undefined ? row.commentsClosed : Number(commentsClosed),
    publishAt,
    publishProblem: publishAt === row.publishAt ? row.publishProblem : '',
  }
}

/**
 * When a post becomes active for the first time, or at its scheduled time, that moment becomes its
 * date in lists, feeds and cursors. Its versions keep the time of its creation. A stored date in
 * the future was only a plan, and is replaced, too.
 */
function publicationOf(
  { status: before, publishedAt }: store.PostRow,
  { status }: store.PostChanges,
  { now, scheduledTime }: { now: string; scheduledTime: string | undefined },
): store.PostChanges {
  if (status !== 'active' || before === 'active') return {}
  const isFirst = publishedAt === '' || publishedAt > now
  const time = scheduledTime ?? (isFirst ? now : undefined)
  return time === undefined ? {} : { publishedAt: time, createdAt: time }
}

/** Changes with all that is derived from them before their transaction. */
type PreparedChanges = {
  checkedChanges: CheckedChanges
  /** Undefined if the text does not change. */
  texts: Awaited<ReturnType<typeof prepareTexts>> | undefined
  cleanedBody: CleanedBody
}

/** Derives words and texts before the transaction that saves them. */
export async function prepareChanges(
  context: PostsContext,
  before: store.PostRow,
  checkedChanges: CheckedChanges,
): Promise<PreparedChanges> {
  const { changes, origin } = checkedChanges
  const { content } = changes
  if (content === undefined) {
    const cleanedBody = await prepareCleanedBody(context, before)
    return { checkedChanges, texts: undefined, cleanedBody }
  }
  const texts = await prepareTexts(context, before, content, origin)
  return { checkedChanges, texts, cleanedBody: asAlreadyClean(content) }
}

async function prepareTexts(
  context: PostsContext,
  before: store.PostRow,
  content: string,
  origin: SaveOrigin,
) {
  const base = await findBase(context, context.db, before, origin)
  const analysis = await context.postTexts.analyse(content, { base, key: before.userId })
  const author = { authorId: before.userId, words: analysis.counts.words }
  const derived = await context.postTexts.derive(content, author)
  return { words: { ...analysis, base }, derived }
}

async function likePost(
  context: PostsContext,
  viewer: Viewer,
  id: string,
  { data, unlessNewerThan }: UpdateWithData,
): Promise<PostDocument> {
  const { db, background, now } = context
  const before = await readVisible(db, viewer, id)
  if (viewer.role !== 'user' || !can(viewer, 'like', before)) throw new Refusal('user_unauthorized')
  refuseForeignAuthor(data, before.userId)
  const liked = checkLike(data).includes(viewer.userId)
  const cleanedBody = await prepareCleanedBody(context, before)
  return inTransaction(db, background, async (tx) => {
    await refuseBlocked(tx, viewer)
    const row = await lockVisible(tx, viewer, id, unlessNewerThan)
    // The author may have deactivated the post since it was read above.
    if (!can(viewer, 'like', row)) throw new Refusal('user_unauthorized')
    const like = { postId: id, userId: viewer.userId, createdAt: now().toISOString() }
    const post = { row: { ...row, likes: row.likes + (liked ? 1 : -1) }, cleanedBody }
    const hasChanged = await setLike(tx, like, liked)
    if (hasChanged) await emit(tx, { kind: 'like', postId: id })
    return hasChanged
      ? publishPostEvent(context, tx, viewer, { id, action: 'update', post })
      : readDocument(context, tx, viewer, id, cleanedBody)
  }).catch((error: unknown) => {
    // The post or the account was deleted since the check above.
    throw isForeignKeyViolation(error)
      ? new Refusal('document_not_found', undefined, { cause: error })
      : error
  })
}

function hasDifferences(row: store.PostRow, changes: store.PostChanges): boolean {
  return Object.entries(changes).some(([name, value]) => row[name as keyof typeof row] !== value)
}
