// What a person is writing before it is a post: the slug rule and what must be there. Knows nothing
// of forms or calls.

import { slugAt } from '#contract/ids.ts'
import { CONTENT_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { PostStatus } from '#contract/posts.ts'
import { texts } from '../locales/texts.ts'

export type PostDraft = { title: string; slug: string; content: string; status: PostStatus }

/** The fields that can be wrong, in the order of the form, each with the sentence to show. */
export type DraftProblems = { title?: string; slug?: string; content?: string; image?: string }

/**
 * The slug after a keystroke in the title or in the slug field: made anew from the time, empty when
 * nothing is left.
 *
 * @source product.md §4 "Slug", product.md §O10
 */
export function slugWhileTyping(value: string, nowMs: number): string {
  return value === '' ? '' : slugAt(nowMs)
}

/**
 * The slug one millisecond later, for an id that is taken already (product.md §O10); anything else
 * gets a fresh one.
 */
export function nextSlug(slug: string, nowMs: number): string {
  const made = /^blog(\d+)l$/.exec(slug)
  return slugAt(made ? Number(made[1]) + 1 : nowMs)
}

/**
 * What keeps a draft from being saved; an empty object when nothing does. Content may be empty
 * (product.md §O41).
 *
 * @param hasImage whether an image is chosen, or kept from before
 */
export function findProblems(draft: PostDraft, hasImage: boolean): DraftProblems {
  const said = texts.problems
  const problems: DraftProblems = {}
  if (draft.title.trim() === '') problems.title = said.title
  const lengthProblem = findLengthProblem(draft.title)
  if (lengthProblem) problems.title = lengthProblem
  if (draft.slug === '') problems.slug = said.slug
  if (draft.content.length > CONTENT_MAX_CHARS) problems.content = said.contentTooLong
  if (!hasImage) problems.image = said.image
  return problems
}

/** A title that is too long, told while it is typed or pasted: nothing of it is cut off unseen. */
export function findLengthProblem(title: string): string | undefined {
  return title.trim().length > TITLE_MAX_CHARS
    ? texts.problems.titleTooLong(TITLE_MAX_CHARS)
    : undefined
}

/**
 * The opening of the summary above the form: "Three things need a look before this can be saved".
 */
export function summaryOf(problems: DraftProblems): string {
  return texts.problems.summary(Object.keys(problems).length)
}
