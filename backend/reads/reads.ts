// Counts how often posts are read. Reads are collected in memory for a few seconds, then written in
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
/** Longer than a year, so that a day can be compared with the same day of the year before. */
export const READS_RETENTION_DAYS = 400
/** Posts in the table of the most read posts. */
const READS_POSTS_MAX = 25
/** How often reads are written: a killed process loses the reads of this time. */
const READS_WRITE_EVERY_MS = 5000
/** Posts with reads that are not written yet. */
export const PENDING_POSTS_MAX = 5000
/** How many authors' reads are summed up at a time; more requests are refused with 503. */
export const READ_SUMS_QUEUE = {
  concurrency: 2,
  waiting: 100,
  waitingPerKey: 10,
  waitMaxMs: 10_000,
}

/** Unwritten reads of one post and day; `readers` are ids of users, "" for a guest. */
type PendingReads = store.DayOfPost & { readers: string[] }

export type Reads = ReturnType<typeof makeReads>

export function makeReads(context: BaseContext) {
  const { db, background, now, hasReadCounts: isOn } = context
  const readers = makeUniqueReaders()
  const inQueue = makeBoundedQueue(READ_SUMS_QUEUE)
  const pending = new Map<string, PendingReads>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = !isOn

  async function write(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const batch = [...pending.values()]
    pending.clear()
    try {
      if (batch.length > 0) await inTransaction(db, background, (tx) => writeReads(tx, batch))
    } catch (error) {
      for (const reads of batch) addPending(pending, reads)
      throw error
    }
  }

  return {
    /** Records that a post was read, once per reader and day. */
    record(postId: string, reader: Reader): void {
      if (isStopped) return
      const day = dayOf(now())
      if (!readers.isFirst(day, postId, reader)) return
      addPending(pending, { postId, day, readers: ['userId' in reader ? reader.userId : ''] })
      timer ??= setTimeout(
        () => background.run('counting of reads', write),
        READS_WRITE_EVERY_MS,
      ).unref()
    },
    async readNumbers(viewer: UserViewer): Promise<ReadNumbers> {
      // The numbers include what this process has counted so far.
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
    /** Writes pending reads, and stops counting. */
    async stop(): Promise<void> {
      isStopped = true
      await write()
    },
  }
}

/**
 * Called in the transaction that saves a user's prefs. When they turn counting off, the reads of
 * their posts are deleted after the commit, in batches.
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

/** Deletes days that are older than `READS_RETENTION_DAYS`. @returns the number of deleted rows */
async function sweepReads({ db, now }: BaseContext): Promise<number> {
  const [oldest = ''] = lastDays(now(), READS_RETENTION_DAYS)
  return await changeInBatches((limit) => store.deleteReadsBefore(db, oldest, limit))
}

function addPending(pending: Map<string, PendingReads>, reads: PendingReads): void {
  const key = `${reads.day} ${reads.postId}`
  const earlier = pending.get(key)
  if (earlier) for (const reader of reads.readers) earlier.readers.push(reader)
  // Further posts are dropped: people do not open so many in a few seconds.
  else if (pending.size < PENDING_POSTS_MAX) pending.set(key, reads)
}

async function writeReads(tx: Database, pending: readonly PendingReads[]): Promise<void> {
  const posts = await store.findReadPosts(tx, [...new Set(pending.map(({ postId }) => postId))])
  const rows = pending.flatMap(({ postId, day, readers }) => {
    const { userId, prefs } = posts.get(postId) ?? { userId: '', prefs: '{}' }
    const count = readers.filter((reader) => reader !== userId).length
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
  const mostRead = pickMostRead(byPost.values())
  const titles = await store.findTitles(
    db,
    mostRead.map(({ $id }) => $id),
  )
  return {
    isCounted: true,
    days: [...byDay].map(([day, reads]) => ({ day, reads })),
    posts: mostRead.flatMap((sum) => {
      const title = titles.get(sum.$id)
      return title === undefined ? [] : [{ ...sum, title }]
    }),
  }
}

type PostSum = { $id: string; reads: number; today: number }

/** The most read posts; at most `READS_POSTS_MAX + 1` are sorted at a time. */
function pickMostRead(sums: Iterable<PostSum>): PostSum[] {
  const order = (a: PostSum, b: PostSum) => b.reads - a.reads || (a.$id < b.$id ? -1 : 1)
  const mostRead: PostSum[] = []
  for (const sum of sums) {
    const last = mostRead.at(-1)
    if (mostRead.length === READS_POSTS_MAX && last && order(last, sum) < 0) continue
    mostRead.push(sum)
    mostRead.sort(order).splice(READS_POSTS_MAX)
  }
  return mostRead
}

/** Days are UTC days, the same for everybody and every process. */
function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

const DAY_MS = 86_400_000

/** The last days, oldest first, today included. */
function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    dayOf(new Date(now.getTime() - (count - 1 - index) * DAY_MS)),
  )
}

/** Reads of an author's posts from a day on, oldest first. */
function readsOf(db: Database, userId: string, day: string) {
  return readBatches<store.ReadRow>(store.READS_SUM_BATCH_SIZE, ({ after, limit }) =>
    store.listReadsOf(db, userId, { after: after ?? { day, postId: '' }, limit }),
  )
}
