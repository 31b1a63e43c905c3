// Writes a new post with everything that is derived from it, for posts that are typed and for posts
// that are imported. Checks nothing; the SQL is in store.ts.

import { hash } from 'node:crypto'
import type { Database } from '../database/schema.ts'
import type { AfterCommit } from '../database/transaction.ts'
import { setPostFiles } from '../files/files.ts'
import type { Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import type { DerivedTexts } from '../post-texts/post-texts.ts'
import { storeDerivedTexts } from '../post-texts/post-texts-store.ts'
import { regeneratePosts } from '../post-texts/regenerate-texts.ts'
import { packTags, saveNewTags } from '../post-texts/tags.ts'
import { indexWords } from '../post-texts/word-index-store.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'
import { foldWords } from '../search/fold-words.ts'
import { claimAddress, refuseTooManyPages } from './pages.ts'
import { listShownFiles, readFeaturedImage } from './shown-files.ts'
import * as store from './store.ts'

/** What an author chooses about the publication of a post. */
export type PublishingOptions = Pick<
  store.PostRow,
  'details' | 'commentsClosed' | 'publishAt' | 'publishProblem'
>
export type PostWithOptions = PublishingOptions &
  Pick<store.PostRow, 'id' | 'status' | 'publishedAt'>

export const NO_OPTIONS: PublishingOptions = {
  details: '',
  commentsClosed: 0,
  publishAt: '',
  publishProblem: '',
}

/** A checked post, whose text is clean. */
export type NewPost = {
  row: store.NewPost & { publishedAt: string }
  /** Extra attributes as JSON; empty for none. */
  attributes: string
  /** Without the tags in the last line of the text. */
  tags: readonly string[]
  options: PublishingOptions
}
export type PreparedPost = Awaited<ReturnType<typeof prepareNewPost>>

type Changeable = Pick<store.PostRow, 'title' | 'content' | 'featuredImage' | 'status'>

/** A digest of what people change of a post. */
export function digestOfPost({ title, content, featuredImage, status }: Changeable): string {
  return hash('sha256', JSON.stringify([title, content, featuredImage, status]), 'base64url')
}

/** Derives words and texts, before the transaction that writes them. */
export async function prepareNewPost(context: PostsContext, post: NewPost) {
  const { row, attributes } = post
  const { content, userId: authorId } = row
  const { foldedWords, counts } = await context.postTexts.analyse(content, { key: authorId })
  const texts = await context.postTexts.derive(content, { authorId, words: counts.words })
  const shownFileIds = await listShownFiles(context, context.db, { ...row, attributes })
  return { ...post, foldedWords, texts, shownFileIds }
}

/**
 * Writes a prepared post. Its author must be locked.
 *
 * @throws Refusal `page_count_exceeded`, `page_address_taken`, `page_address_reserved`,
 *   `document_invalid_structure` for the featured image; the database's unique-constraint violation
 *   when the id is taken
 */
export async function writeNewPost(
  context: PostsContext,
  tx: Database,
  afterCommit: AfterCommit,
  { viewer, prepared }: { viewer: Viewer; prepared: PreparedPost },
) {
  const { row, attributes, options, foldedWords, texts } = prepared
  const { id, userId: ownerId } = row
  const image = { fileId: row.featuredImage, ownerId }
  const cover = await readFeaturedImage(context, tx, viewer, image)
  const yieldToEventLoop = makeYieldToEventLoop()
  if (row.readers === 'page') await refuseTooManyPages(tx)
  const seq = await store.insertPost(tx, row)
  await claimAddress(tx, { ...row, ...options })
  await yieldToEventLoop()
  if (attributes !== '') await store.saveExtras(tx, id, attributes)
  await savePublishingOptions(tx, { ...row, ...NO_OPTIONS }, options)
  const tags = await saveNewTags(context, tx, { ...row, seq }, prepared.tags)
  await saveDerivedTexts(context, tx, afterCommit, { id, seq, texts })
  await indexWords(tx, seq, { title: foldWords(row.title), body: foldedWords })
  await yieldToEventLoop()
  await setPostFiles(context, tx, afterCommit, {
    postId: id,
    ownerId,
    fileIds: { cover, body: prepared.shownFileIds },
    isNew: true,
  })
  // The last reference may have been removed since the check above, and the image deleted with
  // it.
  if (cover !== '') await readFeaturedImage(context, tx, viewer, image)
  return { seq, tags: packTags(tags) }
}

/**
 * Stores the derived texts of a post; texts that older rules derived are regenerated after the
 * commit.
 */
export async function saveDerivedTexts(
  context: PostsContext,
  tx: Database,
  afterCommit: AfterCommit,
  { id: postId, seq, texts }: { id: string; seq: number; texts: DerivedTexts },
): Promise<void> {
  await storeDerivedTexts(tx, { postId, ...texts })
  if (texts.rules === context.postTexts.rulesVersion) return
  afterCommit('texts of a post', () => regeneratePosts(context, [seq]))
}

/** @returns whether anything changed */
export async function savePublishingOptions(
  tx: Database,
  row: PostWithOptions,
  { details, commentsClosed, publishAt }: PublishingOptions,
): Promise<boolean> {
  if (details !== row.details) await store.saveDetails(tx, row.id, details)
  const areCommentsChanged = commentsClosed !== row.commentsClosed
  if (areCommentsChanged) await store.setCommentsClosed(tx, row.id, commentsClosed === 1)
  if (publishAt !== row.publishAt) await store.saveSchedule(tx, row.id, publishAt)
  // The change may have solved the problem.
  else if (row.publishProblem !== '') await store.tryAt(tx, row.id, publishAt)
  return details !== row.details || areCommentsChanged || publishAt !== row.publishAt
}
