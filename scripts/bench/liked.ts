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
import { measure, processorMs } from './load.ts'

const LIKES = 100_000
const TURNS = 200

/** Milliseconds of the processor for each: without and with 100,000 likes. */
export type LikedRow = { name: string; without: number; with: number }

/** @param place a blog on SQLite; its newest post gets the likes, so that it is in the feed */
export async function measureLiked({ dataDir }: Place, seconds: number): Promise<LikedRow[]> {
  const place = { dataDir, databaseUrl: undefined }
  const id = findNewest(dataDir)
  const before = await measureAll(place, id, seconds)
  addLikes(dataDir, id)
  const after = await measureAll(place, id, seconds)
  return before.map(({ name, cpuMs }, at) => ({
    name,
    without: cpuMs,
    with: after[at]?.cpuMs ?? Number.NaN,
  }))
}

async function measureAll(place: Place, id: string, seconds: number) {
  await using blog = await startBlog(place)
  const { id: me, cookie } = await signUp(blog.url)
  const headers = { ...PROJECT, cookie }
  const read = async (name: string, path: string) => {
    const load = await measure({ ...blog, seconds }, { paths: [path], headers })
    return { name, cpuMs: load.cpuMs ?? Number.NaN }
  }
  return [
    await read('its page, signed in', `/post/${id}`),
    await read('the feed with it', listPath(...FEED_QUERIES)),
    await read('the post, JSON', `${DOCUMENTS}/${id}`),
    { name: 'liking it', cpuMs: await costOfLike(blog, { id, me, cookie }) },
  ]
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
