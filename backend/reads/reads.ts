// Counts how often posts are read. What was counted waits a few seconds in memory and is written in
// one transaction; a process that is killed loses those seconds. Knows no HTTP.
import { countsReads, type ReadNumbers } from '#contract/reads.ts'
import type { Live } from '../database/live.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import type { UserViewer } from '../http/viewer.ts'
import { makeBoundedQueue } from '../process/bounded-queue.ts'
import { makeReaders, type Reader } from './readers.ts'
import * as store from './reads-store.ts'

const READS_SHOWN_DAYS = 30
/** Longer than a year, so that a day can be looked at beside the same one of the year before. */
export const READS_KEPT_DAYS = 400
/** In the table of the most read ones. */
const READS_POSTS_MAX = 25
/** What a killed process loses of them. */
const READS_WRITE_EVERY_MS = 5000
/** Posts whose reads wait to be written. */
export const READS_WAITING_MAX = 5000
/** In one transaction. */
const READS_DELETED_AT_ONCE = 1000
/** Authors whose reads are summed up (more: 503), and rows at once on SQLite. */
export const READS_SUMMED = { atOnce: 2, waiting: 100, waitingPerKey: 10, waitMaxMs: 10_000 }

export type ReadsNeeds = Omit<Live, 'log'> & {
  /** False: nothing is counted on this blog, and nothing shown. */
  isOn: boolean
}

/** What waits to be written of one post and day. The author is among `people` at most once. */
type Waiting = { postId: string; day: string; guests: number; people: string[] }
type Counting = ReadsNeeds & { waiting: Map<string, Waiting> }

export type Reads = ReturnType<typeof makeReads>

export function makeReads(needs: ReadsNeeds) {
  const { db, background, now, isOn } = needs
  const readers = makeReaders()
  const inQueue = makeBoundedQueue(READS_SUMMED)
  const counting: Counting = { ...needs, waiting: new Map() }
  const heard = makeHeard((one) => {
    if (readers.isFirst(one.day, one.postId, one.reader)) addWaiting(counting.waiting, one)
  })
  let timer: NodeJS.Timeout | undefined
  let isStopped = !isOn

  /** Writes what waits. */
  function write(): Promise<void> {
    heard.settle()
    return writeWaiting(counting)
  }
  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      background.run('counting of reads', write)
    }, READS_WRITE_EVERY_MS).unref()
  }

  return {
    /** Takes note that somebody has read a post; of a reader once a day. */
    note(postId: string, reader: Reader): void {
      if (isStopped) return
      if (heard.add({ day: dayOf(now()), postId, reader })) writeSoon()
    },
    async readNumbers(viewer: UserViewer): Promise<ReadNumbers> {
      // Who looks sees what this process has counted up to now.
      await write().catch((error: unknown) =>
        background.run('counting of reads', () => Promise.reject(error)),
      )
      return await inQueue(() => readNumbers(needs, viewer), { key: viewer.userId })
    },
    /** In the transaction that saves somebody's prefs: those who do not count keep no numbers. */
    async notePrefs(
      tx: Database,
      { userId, prefs }: { userId: string; prefs: Record<string, unknown> },
    ): Promise<void> {
      if (!countsReads(prefs)) await store.deleteReadsOf(tx, userId)
    },
    /** All days of the viewer's posts, oldest first. */
    streamReadsOf: ({ userId }: UserViewer) => streamReadsOf(db, userId),
    sweep: () => sweepReads(needs),
    write,
    /** Writes what waits, and counts no more. */
    async stop(): Promise<void> {
      isStopped = true
      clearTimeout(timer)
      await write()
    },
  }
}

type Heard = { day: string; postId: string; reader: Reader }
/** No address stays longer in memory than this. */
const HEARD_SETTLED_MS = 100
const HEARD_MAX = 1000

/** Whoever asks again and again within a moment is looked at once. */
function makeHeard(settleOne: (one: Heard) => void) {
  const all = new Map<string, Heard>()
  let timer: NodeJS.Timeout | undefined
  function settle(): void {
    clearTimeout(timer)
    timer = undefined
    for (const one of all.values()) settleOne(one)
    all.clear()
  }
  return {
    settle,
    /** @returns false for what is there already */
    add(one: Heard): boolean {
      const { day, postId, reader } = one
      const who = 'userId' in reader ? reader.userId : `${reader.address} ${reader.program}`
      const key = `${day} ${postId} ${who}`
      if (all.has(key)) return false
      all.set(key, one)
      if (all.size >= HEARD_MAX) settle()
      else timer ??= setTimeout(settle, HEARD_SETTLED_MS).unref()
      return true
    },
  }
}

/** Days are those of UTC, the same for everybody and every process. */
function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function addWaiting(all: Map<string, Waiting>, { postId, day, reader }: Heard): void {
  const key = `${day} ${postId}`
  const one = all.get(key) ?? { postId, day, guests: 0, people: [] }
  // As many posts in so few seconds are no readers.
  if (one.guests + one.people.length === 0 && all.size >= READS_WAITING_MAX) return
  all.set(key, one)
  if ('userId' in reader) one.people.push(reader.userId)
  else one.guests++
}

/** What cannot be written waits for the next time. */
async function writeWaiting({ db, background, waiting }: Counting): Promise<void> {
  if (waiting.size === 0) return
  const taken = [...waiting.values()]
  waiting.clear()
  try {
    await inTransaction(db, background, async (tx) => {
      const ids = [...new Set(taken.map(({ postId }) => postId))]
      const found = await store.findReadPosts(tx, ids)
      const posts = new Map(found.map((post) => [post.id, post]))
      const rows = taken.flatMap((one) => {
        const post = posts.get(one.postId)
        return post ? toRow(one, post) : []
      })
      await store.addReads(tx, rows)
    })
  } catch (error) {
    for (const one of taken) {
      const key = `${one.day} ${one.postId}`
      const later = waiting.get(key)
      if (!later && waiting.size >= READS_WAITING_MAX) continue
      waiting.set(key, {
        ...one,
        guests: one.guests + (later?.guests ?? 0),
        people: [...one.people, ...(later?.people ?? [])],
      })
    }
    throw error
  }
}

function toRow(
  { postId, day, guests, people }: Waiting,
  { userId, prefs }: { userId: string; prefs: string },
): store.CountedReads[] {
  const count = guests + people.filter((one) => one !== userId).length
  return count > 0 && countsReads(JSON.parse(prefs)) ? [{ postId, day, userId, count }] : []
}

/** Of the viewer's own posts, for the viewer alone. */
async function readNumbers(
  { db, now, isOn }: Pick<ReadsNeeds, 'db' | 'now' | 'isOn'>,
  { userId }: UserViewer,
): Promise<ReadNumbers> {
  const prefs = isOn ? await store.findPrefs(db, userId) : undefined
  if (prefs === undefined || !countsReads(JSON.parse(prefs)))
    return { isCounted: false, days: [], posts: [] }
  const days = lastDays(now(), READS_SHOWN_DAYS)
  const { byDay, posts } = await store.sumReads(db, { userId, days, postsMax: READS_POSTS_MAX })
  return {
    isCounted: true,
    days: days.map((day) => ({ day, reads: byDay.get(day) ?? 0 })),
    posts: posts.map(({ id, ...post }) => ({ $id: id, ...post })),
  }
}

const DAY_MS = 86_400_000

/** Oldest first, the last one today. */
function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_none, at) =>
    dayOf(new Date(now.getTime() - (count - 1 - at) * DAY_MS)),
  )
}

const BATCH = 500

async function* streamReadsOf(
  db: Database,
  userId: string,
): AsyncIterable<{ postId: string; day: string; reads: number }> {
  for (let after: { day: string; postId: string } | undefined; ; ) {
    const rows = await store.listReadsOf(db, userId, { after, limit: BATCH })
    for (const { postId, day, count } of rows) yield { postId, day, reads: count }
    after = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

/** Deletes days that are older than `READS_KEPT_DAYS`. @returns how many rows went */
async function sweepReads({ db, now }: Pick<ReadsNeeds, 'db' | 'now'>): Promise<number> {
  const [oldest = ''] = lastDays(now(), READS_KEPT_DAYS)
  for (let gone = 0; ; ) {
    const count = await store.deleteReadsBefore(db, oldest, READS_DELETED_AT_ONCE)
    if (count === 0) return gone
    gone += count
  }
}
