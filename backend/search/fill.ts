// Keeps the index of words: a post within the transaction that writes it, and beside other work all
// that were there before the index, or were written past this program. May be stopped at any
// moment, and runs in several processes.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { indexWords } from '../database/word-index.ts'
import type { Background } from '../process/background.ts'
import { makeTurns } from '../process/turns.ts'
import { foldWords } from './fold.ts'
import * as store from './search-store.ts'

/** Posts that are put into the index at once, and characters of them, beside other work. */
const POSTS_AT_ONCE = 20
const AT_ONCE_MAX_CHARS = 200_000

export type FillNeeds = {
  db: Database
  background: Background
  /** The words of a body as the index takes them; of a long one beside the event loop. */
  splitBody: (content: string) => Promise<string>
  /** What else is made of the text of a post that was there before, while it is at hand. */
  alsoKeep?: (tx: Database, post: store.SearchedPost) => Promise<void>
  /** Hears which posts were put in, once they are. */
  afterwards?: (seqs: number[]) => Promise<void>
}

/** Puts a post that was just written into the index. */
export async function indexWritten(
  { splitBody }: Pick<FillNeeds, 'splitBody'>,
  tx: Database,
  postId: string,
): Promise<void> {
  const post = await store.findPending(tx, postId)
  if (post) await indexPost(tx, post, await splitBody(post.content))
}

async function indexPost(tx: Database, post: store.SearchedPost, body: string): Promise<void> {
  await indexWords(tx, post.seq, { title: foldWords(post.title), body })
}

/** Until the index holds all posts, the newest first. @returns how many were put in */
export async function fillIndex(
  needs: FillNeeds,
  { signal }: { signal: AbortSignal },
): Promise<number> {
  for (let filled = 0; ; ) {
    const beganMs = performance.now()
    const some = signal.aborted ? [] : await store.listPending(needs.db, POSTS_AT_ONCE)
    if (some.length === 0) return filled
    const done = await fillSome(needs, some)
    if (done.length === 0) return filled
    await needs.afterwards?.(done)
    filled += done.length
    // As long as the work took: half of the time is for others.
    await delay(performance.now() - beganMs, undefined, { signal }).catch(() => undefined)
  }
}

async function fillSome(needs: FillNeeds, seqs: number[]): Promise<number[]> {
  const { db, background, splitBody } = needs
  const split = new Map<number, { content: string; body: string }>()
  let chars = 0
  for (const seq of seqs) {
    const content = (await store.readPost(db, seq))?.content ?? ''
    split.set(seq, { content, body: await splitBody(content) })
    chars += content.length
    if (chars > AT_ONCE_MAX_CHARS) break
  }
  return inTransaction(db, background, async (tx) => {
    const turns = makeTurns()
    await store.lockPosts(tx, [...split.keys()])
    const done: number[] = []
    for (const [seq, { content, body }] of split) {
      await turns()
      const post = await store.readPost(tx, seq)
      // One that was changed meanwhile has its turn with the next ones.
      if (post?.content !== content) continue
      await indexPost(tx, post, body)
      await needs.alsoKeep?.(tx, post)
      done.push(seq)
    }
    return done
  })
}
