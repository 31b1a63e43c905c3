// What a post with very many likes costs beside the same post without them.
import SqliteFile from 'better-sqlite3'
import { sqlitePath } from '#backend/database/database.ts'
import type { Place } from './big-blog.ts'
import {
  type Blog,
  call,
  DOCUMENTS,
  FEED_QUERIES,
  listPath,
  PROJECT,
  signUp,
  startBlog,
} from './blog.ts'
import { inTurns, medianOf, medianRatio, processorMs, shoot } from './load.ts'

const LIKES = 100_000
const TURNS = 200

/** Medians: milliseconds of the processor without and with 100,000 likes, and their ratio. */
export type LikedRow = { name: string; without: number; with: number; ratio: number }

/** Makes calls of one kind. @returns milliseconds of the processor of one */
type Costs = Record<string, () => Promise<number>>

/**
 * @param places two equal blogs on SQLite; the newest post of the second gets the likes, so that it
 *   is in the feed
 */
export async function measureLiked(places: [Place, Place], rounds: number): Promise<LikedRow[]> {
  const id = findNewest(places[0].dataDir)
  addLikes(places[1].dataDir, id)
  await using without = await startBlog(places[0])
  await using liked = await startBlog(places[1])
  const sides = [await makeCosts(without, id), await makeCosts(liked, id)] as const
  const rows: LikedRow[] = []
  for (const name of Object.keys(sides[0])) {
    const cost = (side: Costs) => side[name]?.()
    await inTurns(sides, 1, cost)
    const [before = [], after = []] = await inTurns(sides, rounds, cost)
    const ratio = medianRatio(after, before)
    rows.push({ name, without: medianOf(before), with: medianOf(after), ratio })
  }
  return rows
}

async function makeCosts(blog: Blog, id: string): Promise<Costs> {
  const { id: me, cookie } = await signUp(blog.url)
  const headers = { ...PROJECT, cookie }
  const read = (path: string) => async () => {
    const { cpuMs } = await shoot({ ...blog, seconds: 1 }, { paths: [path], headers })
    return cpuMs ?? Number.NaN
  }
  return {
    'its page, signed in': read(`/post/${id}`),
    'the feed with it': read(listPath(...FEED_QUERIES)),
    'the post, JSON': read(`${DOCUMENTS}/${id}`),
    'liking it': () => costOfLike(blog, { id, me, cookie }),
  }
}

async function costOfLike(
  { url, child }: Blog,
  { id, me, cookie }: { id: string; me: string; cookie: string },
): Promise<number> {
  const before = (await processorMs(child)) ?? Number.NaN
  for (let turn = 0; turn < TURNS; turn++)
    await call(url, `${DOCUMENTS}/${id}`, {
      method: 'PATCH',
      body: { data: { likeId: turn % 2 === 0 ? [me] : [] } },
      cookie,
    })
  return (((await processorMs(child)) ?? Number.NaN) - before) / TURNS
}

function findNewest(dataDir: string): string {
  const file = new SqliteFile(sqlitePath(dataDir))
  const newest = `select id from post where status = 'active' order by "createdAt" desc limit 1`
  const id = file.prepare(newest).pluck().get()
  file.close()
  return String(id)
}

function addLikes(dataDir: string, id: string): void {
  const file = new SqliteFile(sqlitePath(dataDir))
  const time = new Date(0).toISOString()
  const person = file.prepare(
    `insert into "user" (id, name, email, "isVerified", "isBlocked", prefs, "createdAt", "updatedAt", "accessedAt")
     values (?, ?, ?, 1, 0, '{}', ?, ?, ?)`,
  )
  const like = file.prepare(
    'insert into "postLike" ("postId", "userId", "createdAt") values (?, ?, ?)',
  )
  file.transaction(() => {
    for (let at = 0; at < LIKES; at++) {
      person.run(`fan-${at}`, `Fan ${at}`, `fan.${at}@example.test`, time, time, time)
      like.run(id, `fan-${at}`, time)
    }
  })()
  file.close()
}
