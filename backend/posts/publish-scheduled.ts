// Publishes scheduled posts when their time has come. Whatever processes do so, and whenever one is
// killed: each post is published once, because its schedule ends in the transaction that makes it
// active.

import { isId } from '#contract/ids.ts'
import { roleIn } from '#contract/permissions.ts'
import type { PublishProblem } from '#contract/posts.ts'
import { DatabaseUnavailable } from '../database/database-errors.ts'
import { emit } from '../database/domain-events.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { type AfterCommit, inTransaction, lockUser } from '../database/transaction.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { lockPost } from '../post-texts/post-texts-store.ts'
import { secondsAfter } from '../process/ids.ts'
import { isPage, MODERATOR } from './access.ts'
import { prepareChanges, writeChanges } from './change-posts.ts'
import { findFeaturedImage } from './shown-files.ts'
import * as store from './store.ts'

/** Due posts that one query finds. */
const FOUND_MAX = 200
/** Authors whose posts are published at the same time. */
const AUTHORS_AT_ONCE = 4
/** Posts of an author that are published in one transaction. */
const BATCH_SIZE = 10
/** A post that could not be published is tried again after this time. */
const RETRY_SECONDS = 60

const ACTIVATION = {
  changes: { status: 'active' },
  origin: { isAutosave: false },
  unlessNewerThan: undefined,
} as const

/**
 * Publishes all posts that are due. A failure does not keep other posts waiting.
 *
 * @throws the first failure, when all others are published
 */
export async function publishScheduled(context: PostsContext, stopping: AbortSignal) {
  const failures: unknown[] = []
  for (let isLast = false; !isLast && failures.length === 0; ) {
    const due = await store.listDue(context.db, context.now().toISOString(), FOUND_MAX)
    isLast = due.length < FOUND_MAX
    // Several hosts begin with different posts, so that they rarely wait for each other.
    const shuffled = due.toSorted(() => Math.random() - 0.5)
    const authors = [...Map.groupBy(shuffled, ({ userId }) => userId).values()]
    const publishNext = async () => {
      for (let posts = authors.pop(); posts; posts = authors.pop())
        for (let at = 0; at < posts.length && !stopping.aborted; at += BATCH_SIZE) {
          const ids = posts.slice(at, at + BATCH_SIZE).map(({ postId }) => postId)
          failures.push(...(await publishEach(context, ids)))
        }
    }
    await Promise.all(Array.from({ length: AUTHORS_AT_ONCE }, publishNext))
    if (stopping.aborted) return
  }
  if (failures.length > 0) throw failures[0]
}

/**
 * Publishes posts of one author together, or one by one if that fails. A post that fails alone is
 * tried again later, so that it does not keep others waiting.
 *
 * @returns the failures
 */
async function publishEach(context: PostsContext, ids: string[]): Promise<unknown[]> {
  try {
    await publishBatch(context, ids)
    return []
  } catch (error) {
    const [id = '', ...others] = ids
    if (error instanceof DatabaseUnavailable) return [error]
    if (others.length > 0)
      return (await Promise.all(ids.map((postId) => publishEach(context, [postId])))).flat()
    await store.tryAt(context.db, id, secondsAfter(context.now(), RETRY_SECONDS))
    return [error]
  }
}

type Prepared = Awaited<ReturnType<typeof prepareChanges>> & { id: string }

async function publishBatch(context: PostsContext, ids: string[]): Promise<void> {
  const posts: Prepared[] = []
  let authorId = ''
  for (const id of ids) {
    const post = await store.findPost(context.db, id)
    // Another process has published it, or its author has moved, cancelled or deleted it.
    if (!post || !isDue(context, post)) continue
    posts.push({ ...(await prepareChanges(context, post, ACTIVATION)), id })
    authorId = post.userId
  }
  if (posts.length === 0) return
  await inTransaction(context.db, context.background, async (tx, afterCommit) => {
    const author = await lockUser(tx, authorId)
    for (const post of posts) await publishOne(context, tx, afterCommit, { author, post })
  })
}

function isDue({ now }: PostsContext, { publishAt }: store.PostRow): boolean {
  return publishAt !== '' && publishAt <= now().toISOString()
}

async function publishOne(
  context: PostsContext,
  tx: Database,
  afterCommit: AfterCommit,
  { author, post: { id, ...prepared } }: { author: UserRow | undefined; post: Prepared },
): Promise<void> {
  await lockPost(tx, { id })
  const row = await store.findPost(tx, id)
  if (!row || !isDue(context, row)) return
  const problem = await findProblem(context, tx, author, row)
  if (problem === undefined) {
    const { publishAt: scheduledTime } = row
    const change = { ...prepared, viewer: MODERATOR, row, scheduledTime }
    await writeChanges(context, tx, afterCommit, change)
    return
  }
  await store.tryAt(tx, id, secondsAfter(context.now(), RETRY_SECONDS), problem)
  if (row.publishProblem !== '') return
  const { userId: authorId } = row
  await emit(tx, { kind: 'publishFailed', id, authorId, problem, actor: { role: 'key' } })
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
