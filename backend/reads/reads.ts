// Counts how often posts are read. What was counted waits a few seconds in memory and is written in
// one transaction; a process that is killed loses those seconds. Independent of HTTP.

import type { Prefs } from '#contract/accounts.ts'
import { countsReads, type ReadNumbers } from '#contract/reads.ts'
import { changeInBatches } from '../database/change-in-batches.ts'
import type { Database } from '../database/schema.ts'
import { type AfterCommit, databaseOf, inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { readBatches } from '../process/batches.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import type { BaseContext } from '../site/context.ts'
import * as store from './reads-store.ts'
import { makeUniqueReaders, type Reader } from './unique-readers.ts'

const READS_SHOWN_DAYS = 30
/** Longer than a year, so that a day can be looked at beside the same one of the year before. */
export const READS_RETENTION_DAYS = 400
/** In the table of the most read ones. */
const READS_POSTS_MAX = 25
/** What a killed process loses of them. */
const READS_WRITE_EVERY_MS = 5000
/** Posts whose reads wait to be written. */
export const PENDING_POSTS_MAX = 5000
/** Authors whose reads are summed up (more: 503), and rows at once on SQLite. */
export const READ_SUMS_QUEUE = {
  concurrency: 2,
  waiting: 100,
  waitingPerKey: 10,
  waitMaxMs: 10_000,
}

/** What waits to be written of one post and day; `readers` are ids of users, "" for a guest. */
type Waiting = store.DayOfPost & { readers: string[] }

export type Reads = ReturnType<typeof makeReads>

export function makeReads(context: BaseContext) {
  const { db, background, now, hasReadCounts: isOn } = context
  const readers = makeUniqueReaders()
  const inQueue = makeBoundedQueue(READ_SUMS_QUEUE)
  const waiting = new Map<string, Waiting>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = !isOn

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = [...waiting.values()]
    waiting.clear()
    try {
      if (taken.length > 0) await inTransaction(db, background, (tx) => writeReads(tx, taken))
    } catch (error) {
      for (const one of taken) addWaiting(waiting, one)
      throw error
    }
  }

  return {
    /** Records that a post was read, once per reader and day. */
    record(postId: string, reader: Reader): void {
      if (isStopped) return
      const day = dayOf(now())
      if (!readers.isFirst(day, postId, reader)) return
      addWaiting(waiting, { postId, day, readers: ['userId' in reader ? reader.userId : ''] })
      timer ??= setTimeout(
        () => background.run('counting of reads', write),
        READS_WRITE_EVERY_MS,
      ).unref()
    },
    async readNumbers(viewer: UserViewer): Promise<ReadNumbers> {
      // Who looks sees what this process has counted up to now.
      await write().catch((error: unknown) =>
        background.run('counting of reads', () => Promise.reject(error)),
      )
      return await inQueue(() => readNumbers(context, viewer), { key: viewer.userId })
    },
    /** All days of the viewer's posts, oldest first. */
    async *streamReadsOf({ userId }: UserViewer) {
      for await (const rows of readsOf(db, userId, ''))
        for (const { postId, day, count } of rows) yield { postId, day, reads: count }
    },
    sweep: () => sweepReads(context),
    write,
    /** Writes what waits, and counts no more. */
    async stop(): Promise<void> {
      isStopped = true
      await write()
    },
  }
}

/**
 * Called in the transaction that saves a user's prefs: those who do not count keep no numbers. They
 * go after the commit, in batches.
 */
export async function deleteUncountedReads(
  tx: Database,
  afterCommit: AfterCommit,
  { userId, prefs }: { userId: string; prefs: Prefs },
): Promise<void> {
  if (countsReads(prefs)) return
  const root = databaseOf(tx)
  afterCommit('reads that are not counted', () => store.deleteReadsOf(root, userId))
}

/** Deletes days that are older than `READS_RETENTION_DAYS`. @returns how many rows went */
async function sweepReads({ db, now }: BaseContext): Promise<number> {
  const [oldest = ''] = lastDays(now(), READS_RETENTION_DAYS)
  return await changeInBatches((limit) => store.deleteReadsBefore(db, oldest, limit))
}

function addWaiting(all: Map<string, Waiting>, { readers, ...of }: Waiting): void {
  const key = `${of.day} ${of.postId}`
  const known = all.get(key)
  if (known) for (const one of readers) known.readers.push(one)
  // As many posts in so few seconds are no readers.
  else if (all.size < PENDING_POSTS_MAX) all.set(key, { ...of, readers })
}

async function writeReads(tx: Database, taken: readonly Waiting[]): Promise<void> {
  const posts = await store.findReadPosts(tx, [...new Set(taken.map(({ postId }) => postId))])
  const rows = taken.flatMap(({ postId, day, readers }) => {
    const { userId, prefs } = posts.get(postId) ?? { userId: '', prefs: '{}' }
    const count = readers.filter((one) => one !== userId).length
    const isCounted = userId !== '' && count > 0 && countsReads(JSON.parse(prefs))
    return isCounted ? [{ postId, day, userId, count }] : []
  })
  await store.addReads(tx, rows)
}

/** Reads the numbers of the viewer's own posts, for the viewer alone. */
async function readNumbers(context: BaseContext, { userId }: UserViewer): Promise<ReadNumbers> {
  const { db, now, hasReadCounts: isOn } = context
  const prefs = isOn ? await store.findPrefs(db, userId) : undefined
  if (prefs === undefined || !countsReads(JSON.parse(prefs)))
    return { isCounted: false, days: [], posts: [] }
  const days = lastDays(now(), READS_SHOWN_DAYS)
  const today = days.at(-1)
  const byDay = new Map(days.map((day) => [day, 0]))
  const byPost = new Map<string, PostSum>()
  for await (const rows of readsOf(db, userId, days[0] ?? '')) {
    for (const { postId: $id, day, count } of rows) {
      const sum = byPost.get($id) ?? { $id, reads: 0, today: 0 }
      byPost.set($id, sum)
      sum.reads += count
      if (day === today) sum.today += count
      byDay.set(day, (byDay.get(day) ?? 0) + count)
    }
  }
  const most = pickMost(byPost.values())
  const titles = await store.findTitles(
    db,
    most.map(({ $id }) => $id),
  )
  return {
    isCounted: true,
    days: [...byDay].map(([day, reads]) => ({ day, reads })),
    posts: most.flatMap((one) => {
      const title = titles.get(one.$id)
      return title === undefined ? [] : [{ ...one, title }]
    }),
  }
}

type PostSum = { $id: string; reads: number; today: number }

/** Never sorts more than those that are shown. */
function pickMost(all: Iterable<PostSum>): PostSum[] {
  const order = (a: PostSum, b: PostSum) => b.reads - a.reads || (a.$id < b.$id ? -1 : 1)
  const most: PostSum[] = []
  for (const one of all) {
    const last = most.at(-1)
    if (most.length === READS_POSTS_MAX && last && order(last, one) < 0) continue
    most.push(one)
    most.sort(order).splice(READS_POSTS_MAX)
  }
  return most
}

/** Days are those of UTC, the same for everybody and every process. */
function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000

/** Oldest first, the last one today. */
function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_none, at) =>
    dayOf(new Date(now.getTime() - (count - 1 - at) * DAY_MS)),
  )
}

/** All of an author's from a day on, oldest first. */
function readsOf(db: Database, userId: string, day: string) {
  return readBatches<store.ReadRow>(store.READS_SUM_BATCH_SIZE, ({ after, limit }) =>
    store.listReadsOf(db, userId, { after: after ?? { day, postId: '' }, limit }),
  )
}
