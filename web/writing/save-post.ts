// The order of saving a post: image first, then the document; the server then removes an image that
// no post needs any longer. Remembers what a retry needs, so that a second attempt never creates a
// second post or a second file. Independent of the form: the calls are injected.

import type { FileModel } from '#contract/files.ts'
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import { tagKey, tagsOf, tagsOutsideText } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import { cleanLine } from '#contract/visible-text.ts'
import { type Failure, fail, NO_RESPONSE, type Result, succeed } from '../api/client.ts'
import type { Draft, SentDraft } from '../drafts/draft-store.ts'
import { plainText } from '../posts/plain-text.ts'
import { detailsOf, type PostData, type PostDetails, scheduledTimeOf } from '../posts/posts-api.ts'
import { changedDetails, nextSlug, type PostValues } from './post-values.ts'

/** An answer that takes longer counts as lost. */
export const SAVE_ANSWER_MAX_MS = 60_000
/** A file counts as uploaded for half the time after which the server removes unused files. */
const UPLOADED_FOR_MS = (UNUSED_FILE_SECONDS * 1000) / 2

type NewPostData = PostData & { userid: string }

export type SaveCalls = {
  uploadImage: (file: File) => Promise<Result<FileModel>>
  createPost: (slug: string, data: NewPostData) => Promise<Result<PostDocument>>
  updatePost: (
    slug: string,
    change: { data: PostData; unlessNewerThan: string },
  ) => Promise<Result<PostDocument>>
  getPost: (slug: string) => Promise<Result<PostDocument>>
  now: () => number
}

/** The calls, and the results that later attempts need. Lives as long as the form. */
export type Saver = {
  calls: SaveCalls
  uploaded?: { file: File; fileId: string; atMs: number }
  uploading?: { file: File; answer: Promise<Result<string>> } | undefined
  /** A new post that was sent, but not answered: it may be stored under this slug. */
  unansweredCreate?: SentDraft | undefined
  /** The data of an update that was never answered: they may be stored. */
  unansweredUpdate?: PostData | undefined
  /** Called when `unansweredCreate` changes, before the post is sent: it must survive a crash. */
  onCreate?: () => void
}

type SaveOptions = {
  image: File | undefined
  /** Undefined for a new post. */
  stored?: StoredVersion | undefined
  userId: string
  /** Once true, nothing more is sent. */
  isCancelled?: () => boolean
}

/** The save was cancelled; data that were sent before may be stored. */
export const CANCELLED: Failure = { message: '', code: 0, type: 'saving_cancelled' }

/**
 * `conflict` is the version that was saved elsewhere since the post was opened; it was not
 * overwritten.
 */
export type SaveAnswer = { post: PostDocument } | { failure: Failure } | { conflict: PostDocument }

/** The parts of the version being edited that saving needs. */
export type StoredVersion = Pick<
  PostDocument,
  'featuredImage' | 'ownImage' | '$updatedAt' | 'status'
> &
  Partial<PostDetails>

export function createSaver(calls: SaveCalls): Saver {
  return { calls }
}

/**
 * Saves a post, its new image first: when the upload fails, nothing else is sent. The server
 * removes the old image once the post no longer needs it.
 *
 * @param options `image` is the new one, if any; `stored` is the version being edited
 * @source product.md §4 "Create", product.md §4 "Edit", product.md §O10, product.md §O18,
 *   product.md §O38, threat-model.md §5
 */
export async function savePost(
  saver: Saver,
  values: PostValues,
  { image, stored, userId, isCancelled }: SaveOptions,
): Promise<SaveAnswer> {
  const storedId = stored?.featuredImage
  const isStored = saver.uploaded?.file === image && saver.uploaded?.fileId === storedId
  const imageId = image && !isStored ? await uploadOnce(saver, image) : succeed(storedId ?? '')
  if (!imageId.ok) return { failure: imageId.failure }
  if (isCancelled?.()) return { failure: CANCELLED }
  const data = toPostData(values, imageId.value)
  const answer = stored
    ? await update(saver, values.slug, { data, unlessNewerThan: stored.$updatedAt, base: stored })
    : await createOnce(saver, values.slug, { ...data, userid: userId })
  return withOwnImage(answer, imageId.value === storedId ? stored?.ownImage : imageId.value)
}

/** When the id is taken, the post gets the id of the next millisecond, once. */
async function createOnce(
  saver: Saver,
  wantedSlug: string,
  data: NewPostData,
): Promise<SaveAnswer> {
  // As long as an earlier attempt may have stored the post, each attempt uses its slug.
  const slug = saver.unansweredCreate?.slug ?? wantedSlug
  const created = await create(saver, slug, data)
  if (created.ok || created.failure.type !== 'document_already_exists') return toAnswer(created)
  const ownPost = await findOwnPost(saver, slug, data)
  if (!ownPost.ok) return { failure: ownPost.failure }
  if (!ownPost.value) return toAnswer(await create(saver, nextSlug(slug, saver.calls.now()), data))
  saver.unansweredCreate = undefined
  // A post that differs was changed in another window. (The text here may have changed, too.)
  const { $createdAt, $updatedAt, status } = ownPost.value
  const isUnchanged = $updatedAt === $createdAt && status === data.status
  if (!isUnchanged && !isIncluded(saver, ownPost.value, data)) return { conflict: ownPost.value }
  const { userid: _author, ...change } = data
  return await update(saver, slug, { data: change, unlessNewerThan: ownPost.value.$updatedAt })
}

/**
 * Sends a file once, however often saving is tried; again only when the server may have removed it
 * because no post shows it.
 */
export function uploadOnce(saver: Saver, file: File): Promise<Result<string>> {
  if (isUploaded(saver, file)) return Promise.resolve(succeed(saver.uploaded?.fileId ?? ''))
  if (saver.uploading?.file === file) return saver.uploading.answer
  const answer = upload(saver, file).finally(() => {
    if (saver.uploading?.answer === answer) saver.uploading = undefined
  })
  saver.uploading = { file, answer }
  return answer
}

/** Whether the server has this file, and will not remove it during a save. */
export function isUploaded({ uploaded, calls }: Saver, file: File): boolean {
  return uploaded?.file === file && uploaded.atMs > calls.now() - UPLOADED_FOR_MS
}

async function upload(saver: Saver, file: File): Promise<Result<string>> {
  const storedFile = await saver.calls.uploadImage(file)
  if (!storedFile.ok) return storedFile
  saver.uploaded = { file, fileId: storedFile.value.$id, atMs: saver.calls.now() }
  return succeed(storedFile.value.$id)
}

async function create(
  saver: Saver,
  slug: string,
  data: NewPostData,
): Promise<Result<PostDocument>> {
  const previousCreate = saver.unansweredCreate
  // A post that may be stored is recognised by the data that were sent first.
  const { title, featuredImage } = data
  if (previousCreate?.slug !== slug)
    saver.unansweredCreate = { slug, data: { title, featuredImage } }
  saver.onCreate?.()
  const created = await withTimeLimit(saver.calls.createPost(slug, data))
  if (created.ok) saver.unansweredCreate = undefined
  else if (!isUnanswered(created.failure)) saver.unansweredCreate = previousCreate
  saver.onCreate?.()
  return created
}

/**
 * The post under this slug, if it was created by this form or by the draft that the form continues:
 * then only an answer was lost. Any other post of the same author must not be overwritten.
 */
async function findOwnPost(
  { calls, unansweredCreate, unansweredUpdate }: Saver,
  slug: string,
  data: NewPostData,
): Promise<Result<PostDocument | undefined>> {
  const post = await withTimeLimit(calls.getPost(slug))
  if (!post.ok) return isUnanswered(post.failure) ? post : succeed(undefined)
  const { featuredImage, title, userid } = post.value
  const isOwn = [data, unansweredUpdate, unansweredCreate?.data].some(
    (sent) =>
      sent &&
      ((featuredImage !== '' && featuredImage === sent.featuredImage) ||
        title === cleanLine(sent.title)),
  )
  return succeed(isOwn && userid === data.userid ? post.value : undefined)
}

type Update = {
  data: PostData
  unlessNewerThan: string
  base?: StoredVersion
  /** The second attempt, which overwrites a newer version because `data` contains all of it. */
  isOverNewer?: boolean
}

async function update(
  saver: Saver,
  slug: string,
  { data, unlessNewerThan, base, isOverNewer = false }: Update,
): Promise<SaveAnswer> {
  const saved = await withTimeLimit(saver.calls.updatePost(slug, { data, unlessNewerThan }))
  if (saved.ok) {
    saver.unansweredUpdate = undefined
    return { post: saved.value }
  }
  if (saved.failure.type !== 'document_update_conflict') {
    if (isUnanswered(saved.failure)) saver.unansweredUpdate = data
    return { failure: saved.failure }
  }
  const newer = await withTimeLimit(saver.calls.getPost(slug))
  if (!newer.ok) return { failure: saved.failure }
  if (isOverNewer || !isIncluded(saver, newer.value, data, base)) return { conflict: newer.value }
  saver.unansweredUpdate = undefined
  return update(saver, slug, {
    data,
    unlessNewerThan: newer.value.$updatedAt,
    isOverNewer: true,
  })
}

function toAnswer(result: Result<PostDocument>): SaveAnswer {
  return result.ok ? { post: result.value } : { failure: result.failure }
}

/** Adds `ownImage`, which the answer lacks: the featured image if it is a file of the blog. */
function withOwnImage(answer: SaveAnswer, ownImage: string | undefined): SaveAnswer {
  const isUploadedFile = 'post' in answer && ownImage !== undefined
  return isUploadedFile ? { post: { ...answer.post, ownImage } } : answer
}

/** Whether the request may have arrived, although no useful answer came. */
export function isUnanswered({ code }: Failure): boolean {
  return code === 0 || code >= 500
}

/** An answer that takes too long counts as none. */
async function withTimeLimit<Value>(call: Promise<Result<Value>>): Promise<Result<Value>> {
  const timeout = new Promise<Result<Value>>((resolve) => {
    setTimeout(() => resolve(fail(NO_RESPONSE)), SAVE_ANSWER_MAX_MS)
  })
  return await Promise.race([call, timeout])
}

function toPostData(values: PostValues, featuredImage: string): PostData {
  const { title, content, status, tags, details, publishedAt } = values
  return {
    title: cleanLine(title),
    content,
    featuredImage,
    status,
    ...(tags && { tags }),
    ...details,
    publishedAt,
  }
}

/** Whether this form sent the newer version, or overwriting that version loses nothing. */
function isIncluded(
  { unansweredUpdate }: Saver,
  newer: PostDocument,
  data: PostData,
  base?: StoredVersion,
): boolean {
  return [unansweredUpdate, data].some((sent) => sent && isContained(newer, sent, base))
}

/**
 * Whether the text to save contains all of the newer version. Status and image may be those to
 * save, or those of the version with which the writer began.
 */
export function isContained(newer: PostDocument, data: PostData, base?: StoredVersion): boolean {
  return (
    [data.status, base?.status].includes(newer.status) &&
    [data.featuredImage, base?.featuredImage].includes(newer.featuredImage) &&
    isWithin(newer.title, data.title.trim()) &&
    areTagsWithin(newer, data) &&
    areDetailsWithin(newer, data, base) &&
    isWithin(plainText(newer.content), plainText(data.content)) &&
    isWithin(elementsOf(newer.content), elementsOf(data.content))
  )
}

/** Whether the newer version is the scheduled post that the form has, active by now. */
export function isPublication(post: PostDocument | undefined, newer: PostDocument): boolean {
  return (
    post !== undefined &&
    scheduledTimeOf(post) !== undefined &&
    newer.status === 'active' &&
    isSamePost(newer, { ...post, status: newer.status, tags: undefined, details: detailsOf(post) })
  )
}

/** Whether `whole` is `part` with something inserted at one position. */
function isWithin(part: string, whole: string): boolean {
  let start = 0
  while (start < part.length && part[start] === whole[start]) start += 1
  const end = part.slice(start)
  return whole.length >= part.length && whole.endsWith(end)
}

function areTagsWithin(post: PostDocument, { tags }: PostData): boolean {
  if (!tags) return true
  const keys = new Set(tags.map(tagKey))
  return tagsOutsideText(post).every((tag) => keys.has(tagKey(tag)))
}

/** Whether each detail to save replaces the same one, or the one with which the writer began. */
function areDetailsWithin(newer: PostDocument, data: PostData, base?: StoredVersion): boolean {
  const [stored, before] = [detailsOf(newer), detailsOf(base)]
  const names = Object.keys(stored) as (keyof PostDetails)[]
  return names.every(
    (name) => data[name] === undefined || [data[name], before[name]].includes(stored[name]),
  )
}

/** Whether the post has the same title, status, tags, details and text as the draft. */
export function isSamePost(
  post: PostDocument | undefined,
  draft: Pick<Draft, 'title' | 'status' | 'content' | 'tags' | 'details'>,
): boolean {
  return (
    post !== undefined &&
    draft.title === post.title &&
    draft.status === post.status &&
    isSameTags(post, draft) &&
    changedDetails({ ...detailsOf(post), ...draft.details }, post) === undefined &&
    isSameContent(draft.content, post.content)
  )
}

/** The tags in the last line of the post's text are tags of the post, too. */
function isSameTags(post: PostDocument, { tags }: { tags?: string[] | undefined }): boolean {
  if (!tags) return true
  const keys = new Set(tags.map(tagKey))
  const stored = new Set(tagsOf(post).map(tagKey))
  return (
    tags.every((tag) => stored.has(tagKey(tag))) &&
    tagsOutsideText(post).every((tag) => keys.has(tagKey(tag)))
  )
}

function isSameContent(html: string, other: string): boolean {
  return plainText(html) === plainText(other) && elementsOf(html) === elementsOf(other)
}

/** The element names in the HTML, without `span`, which the server adds to colour code. */
function elementsOf(html: string): string {
  return (html.match(/<\/?(?!span\b)[a-z0-9]+/gi) ?? []).join('')
}
