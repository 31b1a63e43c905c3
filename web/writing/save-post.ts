// The order of saving a post: image first, then the document; the server then removes an image that
// no post needs any more. Remembers what a retry needs, so that pressing again never makes a second
// post or a second file. Knows nothing of forms; the calls are handed in.

import type { FileModel } from '#contract/files.ts'
import { UNUSED_FILE_SECONDS } from '#contract/limits.ts'
import type { PostDocument } from '#contract/posts.ts'
import { type Failure, type Result, succeed } from '../api/result.ts'
import { plainText } from '../posts/plain-text.ts'
import type { PostData } from '../posts/posts-api.ts'
import { nextSlug, type PostValues } from './post-values.ts'

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
  /** A new post whose answer never came: it may be stored, under this slug. */
  unansweredCreate?: { slug: string; data: PostData } | undefined
  /** What was sent in an update whose answer never came: it may be stored. */
  unansweredUpdate?: PostData | undefined
}

/**
 * `conflict` is the post as it was saved in another place since it was opened; nothing was changed
 * then.
 */
export type SaveAnswer = { post: PostDocument } | { failure: Failure } | { conflict: PostDocument }

/** What saving needs to know of the version that was changed. */
export type StoredVersion = Pick<PostDocument, 'featuredImage' | '$updatedAt'>

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

/** The form has been given another text: it is not the one that may be stored already. */
export function forgetUnansweredCreate(saver: Saver): void {
  saver.unansweredCreate = undefined
}

/**
 * Publishes a new post. Nothing is created when the upload fails; an id that is taken moves on by
 * one millisecond, once.
 *
 * @source product.md §4 "Create", product.md §O10, product.md §O38
 */
export async function saveNewPost(
  saver: Saver,
  values: PostValues,
  { image, userId }: { image: File; userId: string },
): Promise<SaveAnswer> {
  const uploaded = await uploadOnce(saver, image)
  if (!uploaded.ok) return { failure: uploaded.failure }
  const data = dataOf(values, uploaded.value)
  const newData = { ...data, userid: userId }
  const slug = slugToKeep(saver) ?? values.slug
  const created = await create(saver, slug, newData)
  if (created.ok || created.failure.type !== 'document_already_exists') return answerOf(created)
  const own = await findOwnPost(saver, slug, newData)
  // The text may have been changed since the answer was lost.
  if (own) return update(saver, slug, { data, unlessNewerThan: own.$updatedAt })
  return answerOf(await create(saver, nextSlug(slug, saver.calls.now()), newData))
}

/**
 * Saves a changed post. The server removes the old image once the post no longer needs it.
 *
 * @param options `image` is the new one, if any; `stored` is the version that was changed
 * @source product.md §4 "Edit", product.md §O18, threat-model.md §5
 */
export async function saveChangedPost(
  saver: Saver,
  values: PostValues,
  { image, stored }: { image: File | undefined; stored: StoredVersion },
): Promise<SaveAnswer> {
  const uploaded = image ? await uploadOnce(saver, image) : succeed(stored.featuredImage)
  if (!uploaded.ok) return { failure: uploaded.failure }
  const data = dataOf(values, uploaded.value)
  return update(saver, values.slug, { data, unlessNewerThan: stored.$updatedAt })
}

/**
 * Sends a file once, however often saving is tried; again only when the server may have removed it
 * because no post shows it.
 */
async function uploadOnce(saver: Saver, file: File): Promise<Result<string>> {
  const { uploaded } = saver
  const sinceMs = saver.calls.now() - UPLOADED_FOR_MS
  if (uploaded?.file === file && uploaded.atMs > sinceMs) return succeed(uploaded.fileId)
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
  const created = await saver.calls.createPost(slug, data)
  if (!created.ok && isUnanswered(created.failure)) saver.unansweredCreate = { slug, data }
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
): Promise<PostDocument | undefined> {
  const found = await calls.getPost(slug)
  if (!found.ok || found.value.userid !== data.userid) return undefined
  const { featuredImage, title } = found.value
  const isOwn = [data, unansweredUpdate, unansweredCreate?.data].some(
    (sent) => sent && (featuredImage === sent.featuredImage || title === sent.title),
  )
  return isOwn ? found.value : undefined
}

async function update(
  saver: Saver,
  slug: string,
  { data, unlessNewerThan }: { data: PostData; unlessNewerThan: string },
): Promise<SaveAnswer> {
  const saved = await saver.calls.updatePost(slug, { data, unlessNewerThan })
  if (saved.ok) return { post: saved.value }
  if (saved.failure.type !== 'document_update_conflict') {
    if (isUnanswered(saved.failure)) saver.unansweredUpdate = data
    return { failure: saved.failure }
  }
  const newer = await saver.calls.getPost(slug)
  if (!newer.ok) return { failure: saved.failure }
  const sent = saver.unansweredUpdate
  if (!sent || !isSameText(newer.value, sent)) return { conflict: newer.value }
  saver.unansweredUpdate = undefined // the newer version is what this form sent: it continues that
  return update(saver, slug, { data, unlessNewerThan: newer.value.$updatedAt })
}

function answerOf(result: Result<PostDocument>): SaveAnswer {
  return result.ok ? { post: result.value } : { failure: result.failure }
}

function isUnanswered({ code }: Failure): boolean {
  return code === 0 || code >= 500
}

/** The same post in words and elements; the server's cleaning may have changed attributes. */
function isSameText(post: PostDocument, data: PostData): boolean {
  const isSameRest =
    post.title === data.title &&
    post.status === data.status &&
    post.featuredImage === data.featuredImage
  return (
    isSameRest &&
    plainText(post.content) === plainText(data.content) &&
    elementsOf(post.content) === elementsOf(data.content)
  )
}

function elementsOf(html: string): string {
  return (html.match(/<\/?[a-z0-9]+/gi) ?? []).join('')
}

function dataOf({ title, content, status }: PostValues, featuredImage: string): PostData {
  return { title: title.trim(), content, featuredImage, status }
}
