// Regenerates derived texts and word index entries in the background, where they are missing or
// were made by older rules. May be stopped at any moment, and run in several processes.

import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '#contract/errors.ts'
import { inTransaction } from '../database/transaction.ts'
import type { PostsContext } from './context.ts'
import {
  findBody,
  findPendingTitle,
  findTexts,
  indexWritten,
  listPending,
  listRules,
  lockPost,
  selectRules,
  storeTexts,
} from './post-texts-store.ts'
import { addLineTags } from './tags.ts'

/** Reading this many rows takes some milliseconds, even from a cold disk. */
const POSTS_BATCH_SIZE = 100

type Until = { signal: AbortSignal }

/** Adds all posts that are missing in the word index, the newest first. */
export const backfillIndex = (context: PostsContext, until: Until): Promise<void> =>
  regenerateFound(context, until, listPending)

/** Goes through all posts, the newest first, if there is anything to do. */
export async function regenerateTexts(context: PostsContext, until: Until): Promise<void> {
  const [made] = (await selectRules.execute(context.db)).rows
  const isDue = made?.least !== context.postTexts.rules || made.most !== context.postTexts.rules
  if (isDue) await regenerateFound(context, until, listRules)
}

async function regenerateFound(context: PostsContext, { signal }: Until, look: typeof listRules) {
  for (let before = Number.MAX_SAFE_INTEGER; before > 0 && !signal.aborted; ) {
    const beganMs = performance.now()
    const posts = await look(context.db, { before, limit: POSTS_BATCH_SIZE })
    await rest(beganMs, signal)
    const due = posts.flatMap(({ seq, rules }) => (rules === context.postTexts.rules ? [] : [seq]))
    await regenerateSome(context, due, signal)
    before = posts.at(-1)?.seq ?? 0
  }
}

/** Pauses four times as long as the work took, to leave most of the time to requests. */
async function rest(beganMs: number, signal?: AbortSignal): Promise<void> {
  await delay(4 * (performance.now() - beganMs), undefined, { signal }).catch(() => {})
}

/** Regenerates what these posts do not have by the present rules. */
export async function regenerateSome(
  context: PostsContext,
  seqs: readonly number[],
  signal?: AbortSignal,
) {
  for (const seq of seqs) {
    if (signal?.aborted) break
    const beganMs = performance.now()
    await regenerateOne(context, seq)
    await rest(beganMs, signal)
  }
}

async function regenerateOne(context: PostsContext, seq: number): Promise<void> {
  const { db, background, postTexts } = context
  const post = await findBody(db, seq)
  if (!post) return
  const { id: postId, userId: authorId, content } = post
  const isPending = (await findPendingTitle(db, seq)) !== undefined
  if (!isPending && postTexts.isPresent(await findTexts(db, postId), content)) return
  const ready = await postTexts.rebuild(content, { authorId }).catch((error: unknown) => {
    // The queue is full, or it takes too long: the body is cleaned for each answer until a restart.
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!ready) return
  await inTransaction(db, background, async (tx) => {
    await lockPost(tx, { id: postId })
    // The post was saved meanwhile, which stored its texts.
    const present = await findBody(tx, seq)
    if (present?.content !== content) return
    await storeTexts(tx, { postId, ...ready.made })
    if (!isPending) return
    await indexWritten(tx, seq, ready.words)
    await addLineTags(context, tx, { seq, content })
  })
}
