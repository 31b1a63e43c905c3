// Publishes scheduled posts when their time has come. Whatever processes do so, and whenever one is
// killed: each post is published once, because its schedule ends in the transaction that makes it
// active.

import { isId } from '#contract/ids.ts'
import { roleIn } from '#contract/permissions.ts'
import type { PublishProblem } from '#contract/posts.ts'
import { DatabaseUnavailable } from '../database/database-errors.ts'
import { emit } from '../database/domain-events.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { inTransaction, lockUser } from '../database/transaction.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { lockPost } from '../post-texts/post-texts-store.ts'
import { secondsAfter } from '../process/ids.ts'
import { isPage, MODERATOR } from './access.ts'
import { prepareChanges, writeChanges } from './change-posts.ts'
import { findFeaturedImage } from './shown-files.ts'
import * as store from './store.ts'

/** Posts that are found at once, and published at the same time. */
const FOUND_MAX = 200
const AT_ONCE = 8
/** A post that could not be published is tried again after this time. */
const RETRY_SECONDS = 60

const ACTIVATION = { changes: { status: 'active' }, origin: { isAutosave: false } } as const

/** Publishes all posts that are due. Failures of one post do not keep the others waiting. */
export async function publishScheduled(context: PostsContext, stopping: AbortSignal) {
  for (;;) {
    const ids = await store.listDue(context.db, context.now().toISOString(), FOUND_MAX)
    // Several hosts begin with different posts, so that they rarely wait for each other.
    const waiting = ids.sort(() => Math.random() - 0.5)
    const failures: unknown[] = []
    const publishNext = async () => {
      for (let id = waiting.pop(); id !== undefined && !stopping.aborted; id = waiting.pop())
        await publishOne(context, id).catch(async (error: unknown) => {
          failures.push(error)
          if (!(error instanceof DatabaseUnavailable)) await postpone(context, id)
        })
    }
    await Promise.all(Array.from({ length: AT_ONCE }, publishNext))
    if (failures.length > 0) throw failures[0]
    if (ids.length < FOUND_MAX || stopping.aborted) return
  }
}

/** A post that cannot be published for a reason of its own leaves its place to others. */
async function postpone({ db, now }: PostsContext, id: string): Promise<void> {
  await store.tryAt(db, id, secondsAfter(now(), RETRY_SECONDS))
}

async function publishOne(context: PostsContext, id: string): Promise<void> {
  const before = await store.findPost(context.db, id)
  if (!before) return
  const prepared = await prepareChanges(context, before, {
    ...ACTIVATION,
    unlessNewerThan: undefined,
  })
  await inTransaction(context.db, context.background, async (tx, afterCommit) => {
    const author = await lockUser(tx, before.userId)
    await lockPost(tx, { id })
    const row = await store.findPost(tx, id)
    const now = context.now()
    // Another process has published it, or its author has moved, cancelled or deleted it.
    if (!row || row.publishAt === '' || row.publishAt > now.toISOString()) return
    const problem = await findProblem(context, tx, author, row)
    if (problem === undefined) {
      const { publishAt: scheduledTime } = row
      await writeChanges(context, tx, afterCommit, {
        ...prepared,
        viewer: MODERATOR,
        row,
        scheduledTime,
      })
      return
    }
    await store.tryAt(tx, id, secondsAfter(now, RETRY_SECONDS), problem)
    if (row.publishProblem !== '') return
    const { userId: authorId } = row
    await emit(tx, { kind: 'publishFailed', id, authorId, problem, actor: { role: 'key' } })
  })
}

async function findProblem(
  context: PostsContext,
  tx: Database,
  author: UserRow | undefined,
  post: store.PostRow,
): Promise<PublishProblem | undefined> {
  const mayWrite = author && !author.isBlocked && roleIn(author) !== 'reader'
  if (!mayWrite && !isPage(post)) return 'authorMayNotWrite'
  const { featuredImage: fileId, userId: ownerId } = post
  // Older releases stored any text as a picture.
  const image = { fileId, ownerId }
  const isMissing =
    isId(fileId) && (await findFeaturedImage(context, tx, MODERATOR, image)) === undefined
  return isMissing ? 'imageMissing' : undefined
}
