// What a person is writing before it is a post: the slug rule and what must be there. Knows nothing of forms or calls.

import { slugAt } from '#contract/ids.ts'
import { CONTENT_MAX_CHARS, TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { PostStatus } from '#contract/posts.ts'

export type PostDraft = { title: string; slug: string; content: string; status: PostStatus }

/** The fields that can be wrong, in the order of the form, each with the sentence to show. */
export type DraftProblems = { title?: string; slug?: string; content?: string; image?: string }

/**
 * The slug after a keystroke in the title or in the slug field: made anew from the time, empty when nothing is left.
 *
 * @source spec §4 "Slug", ruling O10
 */
export function slugWhileTyping(value: string, nowMs: number): string {
  return value === '' ? '' : slugAt(nowMs)
}

/** The slug one millisecond later, for an id that is taken already (ruling O10); anything else gets a fresh one. */
export function nextSlug(slug: string, nowMs: number): string {
  const made = /^blog(\d+)l$/.exec(slug)
  return slugAt(made ? Number(made[1]) + 1 : nowMs)
}

/**
 * What keeps a draft from being saved; an empty object when nothing does. Content may be empty (ruling O41).
 *
 * @param hasImage whether an image is chosen, or kept from before
 */
export function findProblems(draft: PostDraft, hasImage: boolean): DraftProblems {
  const problems: DraftProblems = {}
  if (draft.title.trim() === '') problems.title = 'Write a title first.'
  else if (draft.title.trim().length > TITLE_MAX_CHARS) problems.title = `The title can have ${TITLE_MAX_CHARS} characters at most.`
  if (draft.slug === '') problems.slug = 'A slug is needed. It fills itself in when you type a title.'
  if (draft.content.length > CONTENT_MAX_CHARS) problems.content = 'The text is too long to be saved as one post.'
  if (!hasImage) problems.image = 'Choose an image for the post.'
  return problems
}

const COUNTS = ['Nothing', 'One thing needs', 'Two things need', 'Three things need', 'Four things need']

/** The opening of the summary above the form: "Three things need a look before this can be saved". */
export function summaryOf(problems: DraftProblems): string {
  return `${COUNTS[Object.keys(problems).length]} a look before this can be saved`
}
