// Makes the texts of posts anew beside other work: of those that other rules have made, and of
// those that were written past this program. May be stopped at any moment, and run in several
// processes.
import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Background } from '../process/background.ts'
import { QueueFull } from '../process/bounded-queue.ts'
import type { MadeTexts, PostTexts } from './post-texts.ts'
import * as store from './post-texts-store.ts'

type RenewNeeds = {
  db: Database
  background: Background
  bodies: Pick<PostTexts, 'rules' | 'isPresent' | 'makeAnew'>
}

const POSTS_LOOKED_AT_ONCE = 500
const POSTS_AT_ONCE = 20
const CHARS_AT_ONCE = 200_000

/** Goes through all posts, the newest first. */
export async function renewTexts(
  needs: RenewNeeds,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (let before = Number.MAX_SAFE_INTEGER; !signal.aborted; ) {
    const posts = await store.listRules(needs.db, { before, limit: POSTS_LOOKED_AT_ONCE })
    const last = posts.at(-1)
    if (!last) return
    const other = posts.filter(({ rules }) => rules !== needs.bodies.rules)
    await renewSome(
      needs,
      other.map(({ seq }) => seq),
      { signal },
    )
    before = last.seq
  }
}

type Renewed = { id: string; content: string; made: MadeTexts }

/** Of these posts, where they are not present. */
export async function renewSome(
  needs: RenewNeeds,
  seqs: readonly number[],
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  let batch: Renewed[] = []
  let chars = 0
  let beganMs = performance.now()
  for (const [at, seq] of seqs.entries()) {
    if (signal?.aborted) return
    const one = await makeOne(needs, seq)
    if (one) batch.push(one)
    chars += one?.content.length ?? 0
    const isLast = at === seqs.length - 1
    if (batch.length < POSTS_AT_ONCE && chars < CHARS_AT_ONCE && !isLast) continue
    await keep(needs, batch)
    batch = []
    chars = 0
    // As long as the work took: half of the time is for others.
    await delay(performance.now() - beganMs, undefined, { signal }).catch(() => {})
    beganMs = performance.now()
  }
}

async function makeOne({ db, bodies }: RenewNeeds, seq: number): Promise<Renewed | undefined> {
  const post = await store.findBody(db, seq)
  if (!post || bodies.isPresent(await store.findTexts(db, post.id), post.content)) return undefined
  const { id, userId: authorId, content } = post
  try {
    return { id, content, made: await bodies.makeAnew(content, { authorId }) }
  } catch (error) {
    // Too many long texts wait: this one is cleaned for each answer until the next start.
    if (error instanceof QueueFull) return undefined
    throw error
  }
}

async function keep({ db, background }: RenewNeeds, batch: Renewed[]): Promise<void> {
  if (batch.length === 0) return
  const ids = batch.map(({ id }) => id)
  await inTransaction(db, background, async (tx) => {
    const present = new Map(
      (await store.lockBodies(tx, ids)).map(({ id, content }) => [id, content]),
    )
    // Who has saved it meanwhile has stored its texts.
    for (const { id, content, made } of batch)
      if (present.get(id) === content) await store.keepTexts(tx, { postId: id, ...made })
  })
}
