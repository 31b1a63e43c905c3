// Regenerates derived texts and word index entries in the background, if they are missing or
// outdated. Can be stopped at any moment, and can run in several processes at once.

import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '#contract/errors.ts'
import { inTransaction } from '../database/transaction.ts'
import type { PostsContext } from './context.ts'
import {
  findBody,
  findDerivedTexts,
  findPendingTitle,
  indexIfPending,
  listPending,
  listRulesOfPosts,
  lockPost,
  selectRulesRange,
  storeDerivedTexts,
} from './post-texts-store.ts'
import { addLineTags } from './tags.ts'

/** Reading this many rows takes some milliseconds, even from a cold disk. */
const POSTS_BATCH_SIZE = 100

type Abortable = { signal: AbortSignal }

/** Indexes all posts that are missing in the word index, the newest first. */
export const backfillIndex = (context: PostsContext, abortable: Abortable): Promise<void> =>
  regenerateListed(context, abortable, listPending)

/** Regenerates outdated texts of all posts, the newest first. */
export async function regenerateTexts(context: PostsContext, abortable: Abortable): Promise<void> {
  const { rulesVersion } = context.postTexts
  const [range] = (await selectRulesRange.execute(context.db)).rows
  const isDue = range?.least !== rulesVersion || range.most !== rulesVersion
  if (isDue) await regenerateListed(context, abortable, listRulesOfPosts)
}

async function regenerateListed(
  context: PostsContext,
  { signal }: Abortable,
  list: typeof listRulesOfPosts,
) {
  for (let before = Number.MAX_SAFE_INTEGER; before > 0 && !signal.aborted; ) {
    const beganMs = performance.now()
    const posts = await list(context.db, { before, limit: POSTS_BATCH_SIZE })
    await pause(beganMs, signal)
    const due = posts.flatMap(({ seq, rules }) =>
      rules === context.postTexts.rulesVersion ? [] : [seq],
    )
    await regeneratePosts(context, due, signal)
    before = posts.at(-1)?.seq ?? 0
  }
}

/** Pauses four times as long as the work took, to leave most of the time to requests. */
async function pause(beganMs: number, signal?: AbortSignal): Promise<void> {
  await delay(4 * (performance.now() - beganMs), undefined, { signal }).catch(() => {})
}

/** Regenerates the outdated texts of these posts. */
export async function regeneratePosts(
  context: PostsContext,
  seqs: readonly number[],
  signal?: AbortSignal,
) {
  for (const seq of seqs) {
    if (signal?.aborted) break
    const beganMs = performance.now()
    await regeneratePost(context, seq)
    await pause(beganMs, signal)
  }
}

async function regeneratePost(context: PostsContext, seq: number): Promise<void> {
  const { db, background, postTexts } = context
  const post = await findBody(db, seq)
  if (!post) return
  const { id: postId, userId: authorId, content } = post
  const isPending = (await findPendingTitle(db, seq)) !== undefined
  if (!isPending && postTexts.isCurrent(await findDerivedTexts(db, postId), content)) return
  const rebuilt = await postTexts.rebuild(content, { authorId }).catch((error: unknown) => {
    // The queue is full, or the work takes too long: the body is cleaned for each answer until the
    // next start.
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!rebuilt) return
  await inTransaction(db, background, async (tx) => {
    await lockPost(tx, { id: postId })
    // If the post was saved meanwhile, its save has stored the texts.
    const current = await findBody(tx, seq)
    if (current?.content !== content) return
    await storeDerivedTexts(tx, { postId, ...rebuilt.texts })
    if (!isPending) return
    await indexIfPending(tx, seq, rebuilt.foldedWords)
    await addLineTags(context, tx, { seq, content })
  })
}
