// The order of saving a post: image first, then the document; the server then removes an image that
// no post needs any more. Keeps what a retry needs, so that pressing again never makes a second
// post or a second file. Knows nothing of forms; the calls are handed in.

import type { FileModel } from '#contract/files.ts'
import type { PostDocument } from '#contract/posts.ts'
import { type Failure, type Result, succeed } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { plainText } from '../posts/plain-text.ts'
import type { PostValues } from '../posts/posts-api.ts'
import { nextSlug, type PostDraft } from './post-values.ts'

export type SaveCalls = {
  uploadImage: (file: File) => Promise<Result<FileModel>>
  createPost: (
    slug: string,
    values: PostValues & { userid: string },
  ) => Promise<Result<PostDocument>>
  updatePost: (
    slug: string,
    change: { values: PostValues; unlessNewerThan: string },
  ) => Promise<Result<PostDocument>>
  getPost: (slug: string) => Promise<Result<PostDocument>>
  now: () => number
}

/** `conflict` is the post as somebody else saved it meanwhile; nothing was changed then. */
export type SaveAnswer = { post: PostDocument } | { failure: Failure } | { conflict: PostDocument }

export function makeSaver(calls: SaveCalls) {
  let sent: { file: File; fileId: string } | undefined
  /** What was sent in an update whose answer never came: it may have been saved all the same. */
  let lost: PostValues | undefined
  /** A new post whose answer never came: it may be there, under this id. */
  let begun: { slug: string; values: PostValues } | undefined

  /** Sends a file once, however often saving is tried. */
  async function send(file: File): Promise<Result<string>> {
    if (sent?.file === file) return succeed(sent.fileId)
    const stored = await calls.uploadImage(file)
    if (!stored.ok) return stored
    sent = { file, fileId: stored.value.$id }
    return succeed(sent.fileId)
  }

  async function make(
    slug: string,
    values: PostValues & { userid: string },
  ): Promise<Result<PostDocument>> {
    const made = await calls.createPost(slug, values)
    if (!made.ok && isUnanswered(made.failure)) begun = { slug, values }
    return made
  }

  /**
   * The post under this slug if it is the one this form, or the draft it goes on with, made: then
   * an answer got lost, not the post.
   */
  async function findOwn(
    slug: string,
    values: PostValues & { userid: string },
  ): Promise<PostDocument | undefined> {
    const answer = await calls.getPost(slug)
    if (!answer.ok || answer.value.userid !== values.userid) return undefined
    const found = answer.value
    const sentBefore = [values, lost, begun?.values]
    return sentBefore.some(
      (one) => one && (found.featuredImage === one.featuredImage || found.title === one.title),
    )
      ? found
      : undefined
  }

  async function change(
    slug: string,
    values: PostValues,
    unlessNewerThan: string,
  ): Promise<SaveAnswer> {
    const saved = await calls.updatePost(slug, { values, unlessNewerThan })
    if (saved.ok) return { post: saved.value }
    if (saved.failure.type !== 'document_update_conflict') {
      if (isUnanswered(saved.failure)) lost = values
      return { failure: saved.failure }
    }
    const newer = await calls.getPost(slug)
    if (!newer.ok) return { failure: saved.failure }
    if (!lost || !isSameText(newer.value, lost)) return { conflict: newer.value }
    lost = undefined // the newer version is what this form sent: it goes on from there
    return change(slug, values, newer.value.$updatedAt)
  }

  return {
    /**
     * The id that a new post may have been stored under already: as long as nothing is known of it,
     * it keeps this one.
     */
    begunSlug: () => begun?.slug,
    /** Another text is in the form: it is not the one that may have been stored. */
    startAnew() {
      begun = undefined
    },

    /**
     * Publishes a new post. Nothing is created when the upload fails; an id that is taken moves on
     * by one millisecond, once.
     *
     * @source product.md §4 "Create", product.md §O10, §O38
     */
    async create(
      draft: PostDraft,
      { image, userId }: { image: File; userId: string },
    ): Promise<SaveAnswer> {
      const uploaded = await send(image)
      if (!uploaded.ok) return { failure: uploaded.failure }
      const values = { ...valuesOf(draft, uploaded.value), userid: userId }
      const slug = begun?.slug ?? draft.slug
      const made = await make(slug, values)
      if (made.ok) return { post: made.value }
      if (made.failure.type !== 'document_already_exists') return { failure: made.failure }
      const own = await findOwn(slug, values)
      // It may have been written on since the answer was lost.
      if (own) return change(slug, valuesOf(draft, uploaded.value), own.$updatedAt)
      const second = await make(nextSlug(slug, calls.now()), values)
      return second.ok ? { post: second.value } : { failure: second.failure }
    },

    /**
     * Saves a changed post. The server removes the old image once the post no longer needs it.
     *
     * @param options `image` is the new one, if any; `stored` is the version that was changed
     * @source product.md §4 "Edit", product.md §O18, threat-model.md §5
     */
    async update(
      draft: PostDraft,
      { image, stored }: { image: File | undefined; stored: StoredVersion },
    ): Promise<SaveAnswer> {
      const uploaded = image ? await send(image) : succeed(stored.featuredImage)
      if (!uploaded.ok) return { failure: uploaded.failure }
      return change(draft.slug, valuesOf(draft, uploaded.value), stored.$updatedAt)
    },
  }
}

function isUnanswered({ code }: Failure): boolean {
  return code === 0 || code >= 500
}

/** What saving needs to know of the version that was changed. */
export type StoredVersion = Pick<PostDocument, 'featuredImage' | '$updatedAt'>

/** The same post in words and elements; cleaning on the server may have changed attributes. */
function isSameText(post: PostDocument, values: PostValues): boolean {
  const isSameRest =
    post.title === values.title &&
    post.status === values.status &&
    post.featuredImage === values.featuredImage
  return (
    isSameRest &&
    plainText(post.content) === plainText(values.content) &&
    elementsOf(post.content) === elementsOf(values.content)
  )
}

function elementsOf(html: string): string {
  return (html.match(/<\/?[a-z0-9]+/gi) ?? []).join('')
}

function valuesOf({ title, content, status }: PostDraft, featuredImage: string): PostValues {
  return { title: title.trim(), content, featuredImage, status }
}

/** Refusals that the person can do something about, by type; the rest is said in one sentence. */
const REASONS: Record<string, string> = {
  storage_file_type_unsupported: texts.images.wrongType,
  storage_invalid_file: texts.images.unreadable,
  storage_invalid_file_size: texts.savingFailures.tooLarge,
  general_rate_limit_exceeded: texts.failures.tooManyTries,
  upload_cancelled: texts.savingFailures.cancelled,
  document_not_found: texts.savingFailures.deleted,
}

function reasonOf({ code, type, message }: Failure): string {
  return code === 401 ? texts.failures.signedOut : (REASONS[type] ?? (code === 400 ? message : ''))
}

/** What the form says when saving failed. */
export function saveFailureText(failure: Failure): string {
  const reason = reasonOf(failure)
  return reason ? texts.savingFailures.because(reason) : texts.savingFailures.stillHere
}

/** What is said when saving failed after the form was left. */
export function leftFailureText(failure: Failure): string {
  return texts.savingFailures.afterLeaving(reasonOf(failure))
}

/** Why an image of the text could not be stored. The editor says already that it failed. */
export function imageFailureText(failure: Failure): string {
  return failure.code === 0 ? texts.failures.checkConnection : reasonOf(failure) || failure.message
}
