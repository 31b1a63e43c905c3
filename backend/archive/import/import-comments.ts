// Imports the approved comments of imported posts, also new ones of posts of an earlier import.
// Threads here have two levels: deeper replies belong to the comment at their top.
import type { ImportCounts } from '#contract/archive.ts'
import { parseTime } from '#contract/ids.ts'
import {
  addImportedComments,
  fitCommentName,
  fitCommentText,
  type ImportedComment,
} from '../../comments/imported-comments.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { ArchiveContext } from '../context.ts'
import { makeImportedId } from './import-ids.ts'
import type { ApplyTask } from './import-options.ts'
import { findItems, hasPost, insertItem } from './imports-store.ts'
import { toCommentText } from './rewrite-html.ts'
import type { Staging } from './staging-store.ts'
import { withRetries } from './with-retries.ts'

const POSTS_AT_ONCE = 50
const BATCH_COMMENTS = 100

export type CommentsImport = {
  staging: Staging
  task: Pick<ApplyTask, 'runId' | 'ownerId'>
  source: string
  imported: ImportCounts
  signal: AbortSignal
  onBatch(title: string): void
}

type Commented = ReturnType<Staging['listCommented']>[number]
type StagedComments = ReturnType<Staging['listComments']>

/** Comments that are written in one transaction, of one post or several. */
type Batch = { postId: string; comments: NewComment[] }[]
type NewComment = ImportedComment & { key: string }

export async function importComments(context: ArchiveContext, comments: CommentsImport) {
  const { staging, signal, onBatch } = comments
  staging.addPageCommentIssues()
  for (let after = 0; ; ) {
    const posts = staging.listCommented(after, POSTS_AT_ONCE)
    const batch: Batch = []
    for (const post of posts) {
      signal.throwIfAborted()
      await importThreads(context, comments, { post, batch })
    }
    await writeBatch(context, comments, batch)
    const last = posts.at(-1)
    if (!last) return
    onBatch(last.title)
    after = last.seq
  }
}

async function importThreads(
  context: ArchiveContext,
  comments: CommentsImport,
  { post, batch }: { post: Commented; batch: Batch },
): Promise<void> {
  const { staging, signal } = comments
  for (let after = { sortAt: '', isReply: 0, seq: 0 }; ; ) {
    signal.throwIfAborted()
    const staged = staging.listComments(post.key, after)
    const last = staged.at(-1)
    if (!last) return
    const added = await readNew(context, comments, post, staged)
    if (added.length > 0) batch.push({ postId: post.postId, comments: added })
    // The next comments may reply to these.
    const isFull = batch.reduce((sum, part) => sum + part.comments.length, 0) >= BATCH_COMMENTS
    if (isFull) await writeBatch(context, comments, batch)
    after = last
  }
}

/** Writes the comments and empties the batch. */
async function writeBatch(
  context: ArchiveContext,
  { task, source, imported }: CommentsImport,
  batch: Batch,
): Promise<void> {
  const { runId, ownerId: owner = '' } = task
  const parts = batch.splice(0)
  if (parts.length === 0) return
  imported.comments += await withRetries(() =>
    inTransaction(context.db, context.background, async (tx) => {
      let added = 0
      for (const { postId, comments } of parts) {
        // It may have been deleted since.
        if (!(await hasPost(tx, postId))) continue
        await addImportedComments(tx, postId, comments)
        for (const { key, id: targetId } of comments)
          await insertItem(tx, { owner, source, kind: 'comment', key, runId, targetId, digest: '' })
        added += comments.length
      }
      return added
    }),
  )
}

/** Those of these comments that are not imported yet. */
async function readNew(
  context: ArchiveContext,
  { staging, task, source }: CommentsImport,
  post: Commented,
  staged: StagedComments,
): Promise<NewComment[]> {
  const { runId, ownerId: owner = '' } = task
  const keys = staged.flatMap(({ comment, rootKey }) => [comment.key, rootKey].filter(Boolean))
  const ids = new Map<string, string>()
  const items = await findItems(context.db, { owner, source }, 'comment', [...new Set(keys)])
  for (const [key, { targetId }] of items) ids.set(key, targetId)
  const added: NewComment[] = []
  for (const { comment, rootKey } of staged) {
    const { key, text, isHtml, createdAt } = comment
    if (ids.has(key)) continue
    const { content, isCut } = fitCommentText(isHtml ? toCommentText(text) : text)
    const name = fitCommentName(comment.authorName)
    if (content === '' || isCut)
      staging.addIssue('import', {
        what: 'comment',
        name: `${name} ${createdAt}`,
        reason: isCut ? 'tooLong' : 'unreadable',
        post: post.title,
        detail: '',
      })
    if (content === '') continue
    const id = makeImportedId(runId, 'comment', key)
    const parentId = ids.get(rootKey) ?? ''
    const time = parseTime(createdAt) ?? context.now().toISOString()
    added.push({ key, id, parentId, name, content, createdAt: time })
    ids.set(key, id)
  }
  return added
}
