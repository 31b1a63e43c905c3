// Makes the texts of posts anew beside other work: of those that other rules have made, and of
// those that were written past this program. May be stopped at any moment, and run in several
// processes.
import { setTimeout as delay } from 'node:timers/promises'
import { Refusal } from '#contract/errors.ts'
import { inTransaction } from '../database/transaction.ts'
import type { PostNeeds } from './needs.ts'
import * as store from './store.ts'

type RenewNeeds = Pick<PostNeeds, 'db' | 'background' | 'bodies'>

const POSTS_LOOKED_AT_ONCE = 500

/** Goes through all posts, the newest first. */
export async function renewTexts(
  needs: RenewNeeds,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; !signal.aborted; ) {
    const posts = await store.listRules(needs.db, { before, limit: POSTS_LOOKED_AT_ONCE })
    const other = posts.flatMap(({ seq, rules }) => (rules === needs.bodies.rules ? [] : [seq]))
    await renewSome(needs, other, signal)
    before = posts.at(-1)?.seq ?? 0
    if (before === 0) return
  }
}

/** Of these posts, where they are not present. */
export async function renewSome(
  needs: RenewNeeds,
  seqs: readonly number[],
  signal?: AbortSignal,
): Promise<void> {
  for (const seq of seqs) {
    if (signal?.aborted) return
    const beganMs = performance.now()
    await renewOne(needs, seq)
    // As long as the work took: half of the time is for others.
    await delay(performance.now() - beganMs, undefined, { signal }).catch(() => {})
  }
}

async function renewOne({ db, background, bodies }: RenewNeeds, seq: number): Promise<void> {
  const post = await store.findBody(db, seq)
  if (!post || bodies.isPresent(await store.findTexts(db, post.id), post.content)) return
  const { id: postId, userId: authorId, content } = post
  const made = await bodies.makeAnew(content, { authorId }).catch((error: unknown) => {
    // Too many long texts wait, or it takes too long: cleaned for each answer until the next start.
    if (error instanceof Refusal) return undefined
    throw error
  })
  if (!made) return
  await inTransaction(db, background, async (tx) => {
    await store.lockPost(tx, { id: postId })
    // Who has saved it meanwhile has stored its texts.
    const present = await store.findBody(tx, seq)
    if (present?.content === content) await store.keepTexts(tx, { postId, ...made })
  })
}
