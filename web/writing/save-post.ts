// The order of saving a post: image first, then the document; the server then removes an image that
// no post needs any more. Remembers what a retry needs, so that pressing again never makes a second
// post or a second file. Independent of the form: the calls are handed in.

import type { FileModel } from '#contract/files.ts'
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import { tagKey, tagsOf, tagsOutsideText } from '#contract/plain-text.ts'
import type { PostDocument } from '#contract/posts.ts'
import { cleanLine } from '#contract/visible-text.ts'
import { type Failure, fail, NO_RESPONSE, type Result, succeed } from '../api/client.ts'
import type { SentDraft } from '../drafts/draft.ts'
import { plainText } from '../posts/plain-text.ts'
import type { PostData } from '../posts/posts-api.ts'
import { nextSlug, type PostValues } from './post-values.ts'

/** A later answer counts as lost. */
export const SAVE_ANSWER_MAX_MS = 60_000
/** Half the time after which the server removes a file that nothing uses. */
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

/** The calls, and what is remembered from one try to the next. One for the life of a form. */
export type Saver = {
  calls: SaveCalls
  uploaded?: { file: File; fileId: string; atMs: number }
  uploading?: { file: File; answer: Promise<Result<string>> } | undefined
  /** A new post whose answer has not come: it may be stored, under this slug. */
  unansweredCreate?: SentDraft | undefined
  /** What was sent in an update whose answer never came: it may be stored. */
  unansweredUpdate?: PostData | undefined
  /** Hears when `unansweredCreate` changes, before it is sent: so it outlives a crash. */
  noteCreate?: () => void
}

type SaveOptions = {
  image: File | undefined
  /** Undefined for a new post. */
  stored?: StoredVersion | undefined
  userId: string
  /** Once true, nothing more is sent. */
  isCancelled?: () => boolean
}

/** The save was cancelled; what was sent before may be stored. */
export const CANCELLED: Failure = { message: '', code: 0, type: 'saving_cancelled' }

/**
 * `conflict` is the post as it was saved in another place since it was opened; nothing was changed
 * then.
 */
export type SaveAnswer = { post: PostDocument } | { failure: Failure } | { conflict: PostDocument }

/** What saving needs to know of the version that was changed. */
export type StoredVersion = Pick<
  PostDocument,
  'featuredImage' | 'ownImage' | '$updatedAt' | 'status'
>

export function makeSaver(calls: SaveCalls): Saver {
  return { calls }
}

/**
 * The slug under which a new post may be stored already. As long as that is not known, every try
 * uses this slug.
 */
export function slugToKeep({ unansweredCreate }: Saver): string | undefined {
  return unansweredCreate?.slug
}

type Continued = { sent: SentDraft | undefined; text: PostData }

/**
 * The form goes on with the text of another opening. A crash may have followed when it was sent as
 * a new post; and the page that was left or reloaded may have sent it at its end.
 */
export function continueWith(saver: Saver, { sent, text }: Continued): void {
  saver.unansweredCreate = sent
  saver.unansweredUpdate = text
}

/**
 * Saves a post, its new image first: when the upload fails, nothing else is sent. The server
 * removes the old image once the post no longer needs it.
 *
 * @param options `image` is the new one, if any; `stored` is the version that was changed
 * @source product.md §4 "Create", product.md §4 "Edit", product.md §O10, product.md §O18,
 *   product.md §O38, threat-model.md §5
 */
export async function savePost(
  saver: Saver,
  values: PostValues,
  { image, stored, userId, isCancelled }: SaveOptions,
): Promise<SaveAnswer> {
  const before = stored?.featuredImage
  const isStored = saver.uploaded?.file === image && saver.uploaded?.fileId === before
  const uploaded = image && !isStored ? await uploadOnce(saver, image) : succeed(before ?? '')
  if (!uploaded.ok) return { failure: uploaded.failure }
  if (isCancelled?.()) return { failure: CANCELLED }
  const data = dataOf(values, uploaded.value)
  const saved = stored
    ? await update(saver, values.slug, { data, unlessNewerThan: stored.$updatedAt, base: stored })
    : await createOnce(saver, values.slug, { ...data, userid: userId })
  return withImage(saved, uploaded.value === before ? stored?.ownImage : uploaded.value)
}

/** An id that is taken moves on by one millisecond, once. */
async function createOnce(saver: Saver, wanted: string, data: NewPostData): Promise<SaveAnswer> {
  const slug = slugToKeep(saver) ?? wanted
  const created = await create(saver, slug, data)
  if (created.ok || created.failure.type !== 'document_already_exists') return answerOf(created)
  const own = await findOwnPost(saver, slug, data)
  if (!own.ok) return { failure: own.failure }
  if (!own.value) return answerOf(await create(saver, nextSlug(slug, saver.calls.now()), data))
  saver.unansweredCreate = undefined
  // It was changed in another window. (The text here may have been changed, too.)
  const { $createdAt, $updatedAt, status } = own.value
  const isAsSent = $updatedAt === $createdAt && status === data.status
  if (!isAsSent && !isKnown(saver, own.value, data)) return { conflict: own.value }
  const { userid: _author, ...change } = data
  return await update(saver, slug, { data: change, unlessNewerThan: own.value.$updatedAt })
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

/** Whether the server has this file, and keeps it for as long as a save may take. */
export function isUploaded({ uploaded, calls }: Saver, file: File): boolean {
  return uploaded?.file === file && uploaded.atMs > calls.now() - UPLOADED_FOR_MS
}

async function upload(saver: Saver, file: File): Promise<Result<string>> {
  const stored = await saver.calls.uploadImage(file)
  if (!stored.ok) return stored
  saver.uploaded = { file, fileId: stored.value.$id, atMs: saver.calls.now() }
  return succeed(stored.value.$id)
}

async function create(
  saver: Saver,
  slug: string,
  data: NewPostData,
): Promise<Result<PostDocument>> {
  const before = saver.unansweredCreate
  // A post that may be stored is known by what was sent first.
  const { title, featuredImage } = data
  if (before?.slug !== slug) saver.unansweredCreate = { slug, data: { title, featuredImage } }
  saver.noteCreate?.()
  const created = await answered(saver.calls.createPost(slug, data))
  if (created.ok) saver.unansweredCreate = undefined
  else if (!isUnanswered(created.failure)) saver.unansweredCreate = before
  saver.noteCreate?.()
  return created
}

/**
 * The post under this slug, if it was created by this form or by the draft that the form continues:
 * then an answer got lost, not the post. Any other post of the same author must not be overwritten.
 */
async function findOwnPost(
  { calls, unansweredCreate, unansweredUpdate }: Saver,
  slug: string,
  data: NewPostData,
): Promise<Result<PostDocument | undefined>> {
  const found = await answered(calls.getPost(slug))
  if (!found.ok) return isUnanswered(found.failure) ? found : succeed(undefined)
  const { featuredImage, title, userid } = found.value
  const isOwn = [data, unansweredUpdate, unansweredCreate?.data].some(
    (sent) =>
      sent &&
      ((featuredImage !== '' && featuredImage === sent.featuredImage) ||
        title === cleanLine(sent.title)),
  )
  return succeed(isOwn && userid === data.userid ? found.value : undefined)
}

type Update = {
  data: PostData
  unlessNewerThan: string
  base?: StoredVersion
  /** A newer version was found to hold nothing else, and is saved over. */
  isOverKnown?: boolean
}

async function update(
  saver: Saver,
  slug: string,
  { data, unlessNewerThan, base, isOverKnown = false }: Update,
): Promise<SaveAnswer> {
  const saved = await answered(saver.calls.updatePost(slug, { data, unlessNewerThan }))
  if (saved.ok) {
    saver.unansweredUpdate = undefined
    return { post: saved.value }
  }
  if (saved.failure.type !== 'document_update_conflict') {
    if (isUnanswered(saved.failure)) saver.unansweredUpdate = data
    return { failure: saved.failure }
  }
  const newer = await answered(saver.calls.getPost(slug))
  if (!newer.ok) return { failure: saved.failure }
  if (isOverKnown || !isKnown(saver, newer.value, data, base)) return { conflict: newer.value }
  saver.unansweredUpdate = undefined
  return update(saver, slug, {
    data,
    unlessNewerThan: newer.value.$updatedAt,
    isOverKnown: true,
  })
}

function answerOf(result: Result<PostDocument>): SaveAnswer {
  return result.ok ? { post: result.value } : { failure: result.failure }
}

/** Answers to changes do not tell whether the image is a file of the blog; an upload always is. */
function withImage(answer: SaveAnswer, ownImage: string | undefined): SaveAnswer {
  const isKnown = 'post' in answer && ownImage !== undefined
  return isKnown ? { post: { ...answer.post, ownImage } } : answer
}

/** What is sent may have arrived all the same. */
export function isUnanswered({ code }: Failure): boolean {
  return code === 0 || code >= 500
}

/** Ends in any case: an answer that does not come is none. */
async function answered<Value>(call: Promise<Result<Value>>): Promise<Result<Value>> {
  const late = new Promise<Result<Value>>((resolve) => {
    setTimeout(() => resolve(fail(NO_RESPONSE)), SAVE_ANSWER_MAX_MS)
  })
  return await Promise.race([call, late])
}

function dataOf({ title, content, status, tags }: PostValues, featuredImage: string): PostData {
  return { title: cleanLine(title), content, featuredImage, status, ...(tags && { tags }) }
}

// Whether a stored post says what was sent, or a part of it.

/** Whether the newer version was sent from this form, or is lost in no part by saving this one. */
function isKnown(
  { unansweredUpdate }: Saver,
  newer: PostDocument,
  data: PostData,
  base?: StoredVersion,
): boolean {
  return [unansweredUpdate, data].some((own) => own && isContained(newer, own, base))
}

/**
 * Whether all that the newer version says is in the text that is to be saved. What else the writer
 * has chosen counts where the newer version has what they began with.
 */
export function isContained(newer: PostDocument, data: PostData, base?: StoredVersion): boolean {
  return (
    [data.status, base?.status].includes(newer.status) &&
    [data.featuredImage, base?.featuredImage].includes(newer.featuredImage) &&
    isWithin(newer.title, data.title.trim()) &&
    areTagsWithin(newer, data) &&
    isWithin(plainText(newer.content), plainText(data.content)) &&
    isWithin(elementsOf(newer.content), elementsOf(data.content))
  )
}

/** Whether one text is the other but for what was typed in at one place. */
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

/** The tags in the last line of the post's text count, too. */
export function isSameTags(post: PostDocument, { tags }: { tags?: string[] | undefined }): boolean {
  if (!tags) return true
  const keys = new Set(tags.map(tagKey))
  const stored = new Set(tagsOf(post).map(tagKey))
  return (
    tags.every((tag) => stored.has(tagKey(tag))) &&
    tagsOutsideText(post).every((tag) => keys.has(tagKey(tag)))
  )
}

export function isSameContent(one: string, other: string): boolean {
  return plainText(one) === plainText(other) && elementsOf(one) === elementsOf(other)
}

/** Without `span`: the server colours code. */
function elementsOf(html: string): string {
  return (html.match(/<\/?(?!span\b)[a-z0-9]+/gi) ?? []).join('')
}
