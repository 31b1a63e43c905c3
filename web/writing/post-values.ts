// The values of the post form: the slug, and the problems that keep values from being saved.

import { slugAt } from '#contract/ids.ts'
import {
  CONTENT_FILE_MAX_BYTES,
  CONTENT_MAX_CHARS,
  TAG_MAX_CHARS,
  TAGS_MAX,
  TITLE_MAX_CHARS,
} from '#contract/limits.ts'
import { hasMoreCharacters, isTag } from '#contract/plain-text.ts'
import { isVisible } from '#contract/visible-text.ts'
import { texts } from '../locales/texts.ts'
import { detailsOf, type PostDetails } from '../posts/posts-api.ts'
import { findDetailProblem } from '../publishing/detail-problems.ts'

export type PostValues = {
  title: string
  slug: string
  content: string
  status: string
  /** As typed, possibly none; undefined when the tags of the post do not change. */
  tags?: string[] | undefined
  /** Only those that change. */
  details?: Partial<PostDetails> | undefined
  /** When the post turns active, null for never; undefined leaves its schedule as it is. */
  publishedAt?: string | null | undefined
}

/** The sentence to show for each field with a problem, in the order of the form. */
export type PostProblems = {
  title?: string
  slug?: string
  content?: string
  tags?: string
  image?: string
  details?: string
}

/**
 * The slug after a keystroke in the title or in the slug field: made from the time of that
 * keystroke, empty when the field is empty.
 *
 * @source product.md §4 "Slug", product.md §O10
 */
export function slugWhileTyping(value: string, nowMs: number): string {
  return value === '' ? '' : slugAt(nowMs)
}

/**
 * The slug one millisecond later, for an id that is taken already (product.md §O10). A slug in
 * another form becomes one made from the current time.
 */
export function nextSlug(slug: string, nowMs: number): string {
  const time = /^blog(\d+)l$/.exec(slug)?.[1]
  return slugAt(time === undefined ? nowMs : Number(time) + 1)
}

/**
 * Finds the problems that keep a post from being saved. Content may be empty (product.md §O41); a
 * post that is not public needs no image.
 *
 * @param hasImage whether an image is chosen, or the post has one
 */
export function findProblems(values: PostValues, hasImage: boolean): PostProblems {
  const sentences = texts.problems
  const problems: PostProblems = {}
  if (!isVisible(values.title)) problems.title = sentences.title
  const lengthProblem = findLengthProblem(values.title)
  if (lengthProblem) problems.title = lengthProblem
  if (values.slug === '') problems.slug = sentences.slug
  if (hasMoreCharacters(values.content, CONTENT_MAX_CHARS))
    problems.content = sentences.contentTooLong
  const tagProblem = findTagProblem(values.tags ?? [])
  if (tagProblem) problems.tags = tagProblem
  if (!hasImage && values.status === 'active') problems.image = sentences.image
  if (findDetailProblem(values.details)) problems.details = sentences.details
  return problems
}

/** The details that differ from those of the post; undefined if none does. */
export function changedDetails(
  details: PostDetails,
  post: Partial<PostDetails> | undefined,
): Partial<PostDetails> | undefined {
  const stored = detailsOf(post)
  const names = Object.keys(stored) as (keyof PostDetails)[]
  const changed = names.filter((name) => asStored(details[name]) !== stored[name])
  if (changed.length === 0) return undefined
  return Object.fromEntries(changed.map((name) => [name, details[name]]))
}

/** The server stores texts as one line. */
function asStored(detail: string | boolean): string | boolean {
  return typeof detail === 'string' ? detail.replace(/\s+/g, ' ').trim() : detail
}

export function hasProblems(problems: PostProblems): boolean {
  return Object.keys(problems).length > 0
}

/** A title that is too long is reported while it is typed or pasted; nothing is cut off. */
export function findLengthProblem(title: string): string | undefined {
  return hasMoreCharacters(title.trim(), TITLE_MAX_CHARS)
    ? texts.problems.titleTooLong(TITLE_MAX_CHARS)
    : undefined
}

export function findTagProblem(tags: readonly string[]): string | undefined {
  if (!tags.every(isTag)) return texts.problems.tag(TAG_MAX_CHARS)
  return tags.length > TAGS_MAX ? texts.problems.tagsTooMany : undefined
}

/**
 * The opening of the summary above the form: "Three things need a look before this can be saved".
 */
export function summaryOf(problems: PostProblems): string {
  return texts.problems.summary(Object.keys(problems).length)
}

// The size limit of images in posts, with the sentence for a larger one.

const MILLION = 1_000_000

export const CONTENT_IMAGE_LIMIT = {
  maxBytes: CONTENT_FILE_MAX_BYTES,
  tooLarge: texts.postForm.imageTooLarge(CONTENT_FILE_MAX_BYTES / MILLION),
}
