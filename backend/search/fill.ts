// Keeps the index of words: a post within the transaction that writes it, and beside other work all
// that were there before the index, or were written past this program. May be stopped at any
// moment, and runs in several processes.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { keepWords, tidyWords } from '../database/word-index.ts'
import type { Background } from '../process/background.ts'
import type { SearchNeeds } from './search.ts'
import * as store from './search-store.ts'
import { distinctWords, type IndexedWord, TOKENS_VERSION } from './tokens.ts'

/** Posts that are put into the index at once, and characters of them, beside other work. */
const INDEXED_AT_ONCE = 20
const INDEXED_AT_ONCE_MAX_CHARS = 200_000
/** Pages of the index that are put together at once. */
const INDEX_MERGE_PAGES = 200

export type FillNeeds = SearchNeeds & {
  /** The words of a body as the index takes them; of a long one beside the event loop. */
  splitBody: (content: string) => Promise<IndexedWord[]>
  background: Background
  /** What else is made of the text of a post that was there before, while it is at hand. */
  alsoKeep?: (tx: Database, post: store.SearchedPost) => Promise<void>
  /** Hears which posts were put in, once they are. */
  afterwards?: (seqs: number[]) => Promise<void>
  /** Nobody else wants to work: no time is left for others. */
  isAlone?: boolean
}
type Splitting = Pick<FillNeeds, 'splitBody'>

/** Puts a post that was just written into the index. */
export async function keepSearched(needs: Splitting, tx: Database, postId: string): Promise<void> {
  const post = await store.findDue(tx, postId)
  if (post) await keepPost(needs, tx, post)
}

async function keepPost(
  { splitBody }: Splitting,
  tx: Database,
  { seq, title, content }: store.SearchedPost,
): Promise<void> {
  const body = await splitBody(content)
  await keepWords(tx, seq, { title: distinctWords(title), body, isNew: false })
}

/** Until the index holds all posts. @returns how many were put in */
export async function fillIndex(needs: FillNeeds, { signal }: { signal: AbortSignal }) {
  await beginAnewIfOther(needs)
  let filled = 0
  for (;;) {
    const beganMs = performance.now()
    const count = signal.aborted ? 0 : await fillSome(needs)
    if (count === 0) break
    filled += count
    if (!(await pause(needs, performance.now() - beganMs, signal))) return filled
  }
  if (filled >= INDEXED_AT_ONCE) await tidy(needs, signal)
  return filled
}

/** As long as the work took: half of the time is for others. @returns false at the end */
async function pause(needs: FillNeeds, ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(needs.isAlone ? 0 : ms, true, { signal }).catch(() => false)
}

/** Words that were made otherwise are not what is asked for. */
async function beginAnewIfOther({ db, background, ...needs }: FillNeeds): Promise<void> {
  const version = `${TOKENS_VERSION}${needs.hasTextBodies ? ' text' : ''}`
  if ((await store.readState(db)).version === version) return
  await inTransaction(db, background, async (tx) => {
    const state = await store.lockState(tx)
    if (state.version !== version) await store.restart(tx, version)
  })
}

/** Posts written past this program first, then those that were there before, from the newest on. */
async function fillSome(needs: FillNeeds): Promise<number> {
  const { db } = needs
  const { doneFrom } = await store.readState(db)
  const due = await store.listDue(db, INDEXED_AT_ONCE)
  if (due.length === 0 && doneFrom === 0) return 0
  const next = due.length > 0 ? due : await store.listBefore(db, doneFrom, INDEXED_AT_ONCE)
  const done = await takeUpSome(await splitAhead(needs, next))
  await needs.afterwards?.(done)
  return done.length
}

/** Before the transaction: what is written between is split within it. */
async function splitAhead(needs: FillNeeds, seqs: number[]): Promise<FillNeeds> {
  const words = new Map<string, IndexedWord[]>()
  let chars = 0
  for (const seq of seqs) {
    const content = (await store.readPost(needs.db, seq))?.content ?? ''
    words.set(content, await needs.splitBody(content))
    chars += content.length
    if (chars > INDEXED_AT_ONCE_MAX_CHARS) break
  }
  return { ...needs, splitBody: async (text) => words.get(text) ?? needs.splitBody(text) }
}

function takeUpSome(needs: FillNeeds): Promise<number[]> {
  return inTransaction(needs.db, needs.background, async (tx) => {
    const state = await store.lockState(tx)
    const due = await store.listDue(tx, INDEXED_AT_ONCE)
    if (due.length > 0) return takeUp(needs, tx, due)
    const before = await store.listBefore(tx, state.doneFrom, INDEXED_AT_ONCE)
    const done = await takeUp(needs, tx, before)
    const isLast = before.length < INDEXED_AT_ONCE && done.length === before.length
    await store.setDoneFrom(tx, isLast ? 0 : (done.at(-1) ?? 0))
    return done
  })
}

/** In their order, until they are long enough together. @returns those that were put in */
async function takeUp(needs: FillNeeds, tx: Database, seqs: number[]): Promise<number[]> {
  const done: number[] = []
  let chars = 0
  if (seqs.length > 0) await store.lockPosts(tx, seqs)
  for (const seq of seqs) {
    const post = await store.takeUp(tx, seq)
    if (post) {
      await keepPost(needs, tx, { ...post, seq })
      await needs.alsoKeep?.(tx, { ...post, seq })
    }
    done.push(seq)
    chars += post?.content.length ?? 0
    if (chars > INDEXED_AT_ONCE_MAX_CHARS) break
  }
  return done
}

/** Many small pieces make the index slower and larger. */
async function tidy(needs: FillNeeds, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted; ) {
    const beganMs = performance.now()
    isMore = await inTransaction(needs.db, needs.background, (tx) =>
      tidyWords(tx, INDEX_MERGE_PAGES),
    )
    if (!(await pause(needs, performance.now() - beganMs, signal))) return
  }
}
