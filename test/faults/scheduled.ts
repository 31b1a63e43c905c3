// A process is killed while 1,000 scheduled posts are due: each of them is published once.
import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDatabase } from '#backend/database/database.ts'
import type { Database } from '#backend/database/schema.ts'
import { startEmbeddedPostgres } from '#scripts/embedded-postgres.ts'
import { SAME_SECRETS } from '#test/support/blog.ts'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { openSocket } from '#test/support/realtime.ts'
import { makeChecks, type Outcome, seconds } from './scenario.ts'
import { call, type Person, POSTS, signUp, uploadImage } from './writing.ts'

const COUNT = 1000
const WRITERS = 8
/** How many posts are active when a process is killed. */
const KILLED_AFTER = 100
const GIVEN_UP_MS = 60_000
const CHANNEL = 'databases.blogdb.collections.posts.documents.publish'

/** Two processes on one PostgreSQL; one is killed, the other goes on. */
export async function scheduledOnPostgres(): Promise<Outcome> {
  await using postgres = await startEmbeddedPostgres()
  await using firstData = await makeDataDir()
  await using secondData = await makeDataDir()
  const env = { ...SAME_SECRETS, BLOG_DATABASE_URL: postgres.url }
  const first = await startServer(firstData.path, env)
  const second = await startServer(secondData.path, { ...env, BLOG_PUBLIC_URL: first.url })
  await writeDrafts(first.url, await signUp(first.url, 'scheduler'))
  using socket = openSocket(second, { channels: [CHANNEL] })
  await socket.next()
  const db = await openDatabase({ dataDir: firstData.path, databaseUrl: postgres.url })
  const dueAt = await scheduleAll(db)
  await untilActive(db, KILLED_AFTER)
  await first.stop('SIGKILL')
  const outcome = await check(db, dueAt)
  const events = new Map<string, number>()
  for (const { type, data } of socket.messages)
    if (type === 'event') events.set(data.payload.$id, (events.get(data.payload.$id) ?? 0) + 1)
  const { faults, expect } = makeChecks()
  const repeated = [...events.values()].filter((times) => times !== 1).length
  expect(events.size === COUNT, `events of ${events.size} posts`)
  expect(repeated === 0, `several events of ${repeated} posts`)
  await db.destroy()
  expect((await second.stop()) === 0, 'the stop was not clean')
  return { ...outcome, faults: [...outcome.faults, ...faults] }
}

/** The only process is killed again and again. */
export async function scheduledOnSqlite(): Promise<Outcome> {
  await using data = await makeDataDir()
  let server = await startServer(data.path)
  await writeDrafts(server.url, await signUp(server.url, 'scheduler'))
  const db = await openDatabase({ dataDir: data.path, databaseUrl: undefined })
  const dueAt = await scheduleAll(db)
  for (const count of [1, COUNT / 4, COUNT / 2]) {
    await untilActive(db, count)
    await delay(randomInt(50))
    await server.stop('SIGKILL')
    server = await startServer(data.path)
  }
  const outcome = await check(db, dueAt)
  await db.destroy()
  await server.stop()
  return outcome
}

/** Posts of one author, each with the same picture. */
async function writeDrafts(url: string, person: Person): Promise<void> {
  await uploadImage(url, person, 'cover')
  let next = 0
  const write = async () => {
    for (let id = next++; id < COUNT; id = next++) {
      const text = `<p>${'Light in the harbour. '.repeat(100)}</p>`
      const data = {
        title: `Post ${id}`,
        content: text,
        featuredImage: 'cover',
        status: 'inactive',
      }
      const body = { documentId: `p${id}`, data }
      const { status, bytes } = await call(url, POSTS, { method: 'POST', ...person, body })
      if (status !== 201) throw new Error(`A draft was answered ${status}: ${bytes}`)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
}

/** Makes all drafts due at the same moment, soon. */
async function scheduleAll(db: Database): Promise<string> {
  const time = new Date(Date.now() + 2000).toISOString()
  await sql`insert into "postSchedule" ("postId", "publishAt", "tryAt")
    select id, ${time}, ${time} from post`.execute(db)
  return time
}

async function countActive(db: Database): Promise<number> {
  const active = db.selectFrom('post').where('status', '=', 'active')
  const { total } = await active
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

async function untilActive(db: Database, count: number): Promise<void> {
  const endMs = performance.now() + GIVEN_UP_MS
  while ((await countActive(db)) < count && performance.now() < endMs) await delay(50)
}

async function check(db: Database, dueAt: string): Promise<Outcome> {
  await untilActive(db, COUNT)
  const lateMs = Date.now() - Date.parse(dueAt)
  const { faults, expect } = makeChecks()
  const { rows } = await sql<{ id: string; versions: number }>`
    select post.id, count("postVersion".id) as versions from post
    left join "postVersion" on "postVersion"."postId" = post.id and "postVersion".kind = 'published'
    where post.status = 'active' and post."publishedAt" = ${dueAt} and post."createdAt" = ${dueAt}
    group by post.id`.execute(db)
  const left = await db.selectFrom('postSchedule').select('postId').execute()
  const wrong = rows.filter(({ versions }) => Number(versions) !== 1)
  expect(wrong.length === 0, `${wrong.length} posts do not have one version`)
  expect(left.length === 0, `${left.length} posts are still scheduled`)
  const notes = [`all published after ${seconds(lateMs)}`]
  return { acknowledged: COUNT, lost: COUNT - rows.length, faults, notes }
}
