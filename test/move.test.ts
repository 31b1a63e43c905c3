// Moving a blog to another database and back, by the operator's own command.
// @module-tag more
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import { expect, test } from 'vitest'
import {
  beginExclusive,
  openExclusive,
  requireNoOtherConnections,
} from '#backend/backups/copy-rows.ts'
import { openDatabase } from '#backend/database/database.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { findMigratedSqlite } from '#test/support/find-servers.ts'
import { makeDataDir } from '#test/support/process.ts'
import { type Outcome, runScript } from '#test/support/run-script.ts'

const SEARCH = '/databases/blogdb/collections/posts/search'
const POSTS = 3000

function move(dataDir: string, args: string[], env: Record<string, string> = {}): Promise<Outcome> {
  return runScript('move.ts', args, { BLOG_DATA_DIR: dataDir, ...env })
}

async function makeEmptyPostgres() {
  const { url, drop } = await makePostgresDatabase({ isEmpty: true })
  return { url, [Symbol.asyncDispose]: drop }
}

async function sha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

/** The index is filled beside other work. */
async function untilFound(blog: TestBlog, cookie: string, word: string): Promise<string[]> {
  for (;;) {
    const { body } = await blog.call('GET', `${SEARCH}?q=${word}`, { cookie })
    const ids = body.documents.map((post: { $id: string }) => post.$id)
    if (ids.length > 0) return ids
  }
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}

/** A data folder whose blog has many posts with likes; the newest post is gone again. */
async function makeMany(dataDir: string): Promise<void> {
  await copyFile(await findMigratedSqlite(), join(dataDir, 'blog.sqlite'))
  const file = new SqliteFile(join(dataDir, 'blog.sqlite'))
  const time = '2025-01-01T00:00:00.000Z'
  const user = file.prepare(
    `insert into "user" (id, name, email, isVerified, isBlocked, prefs, createdAt, updatedAt, accessedAt)
       values (?, 'x', ? || '@example.test', 0, 0, '{}', '${time}', '${time}', '${time}')`,
  )
  const post = file.prepare(
    `insert into post (id, title, content, featuredImage, status, userId, permissions, readers, createdAt, updatedAt)
       values (?, 'A lamp 🏮', ?, 'x', 'active', 'alice', '[]', 'users', '${time}', '${time}')`,
  )
  const discussion = file.prepare('insert into discussion (postId) values (?)')
  const like = file.prepare(
    `insert into postLike (discussionSeq, userId, createdAt)
       select seq, ?, '${time}' from discussion where postId = ?`,
  )
  file.transaction(() => {
    for (const name of ['alice', 'bob', 'carla']) user.run(name, name)
    for (let at = 1; at <= POSTS; at++) {
      post.run(`post${at}`, `<p>${'light '.repeat(at % 50)}🕯️</p>`)
      if (at % 3 === 0) discussion.run(`post${at}`)
      if (at % 3 === 0) like.run('bob', `post${at}`)
      if (at % 6 === 0) like.run('carla', `post${at}`)
    }
    file.prepare('delete from post where id = ?').run(`post${POSTS}`)
  })()
  file.close()
}

test('a blog moves to PostgreSQL and back with everything its users see', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  const blogEnv = { BLOG_DATA_DIR: folder.path }
  const file = join(folder.path, 'blog.sqlite')
  const content = await writeEverything(blogEnv, folder.path, postgres.url)
  const before = await sha256(file)

  const outcome = await move(folder.path, ['--to', postgres.url])
  expect(outcome).toMatchObject({ code: 0, err: '' })
  expect(outcome.out).toContain('BLOG_DATABASE_URL=postgres://…@127.0.0.1')
  expect(outcome.out).not.toContain('blog:blog')
  expect(await sha256(file)).toBe(before)
  // The blog keeps its address, and so its sessions.
  const address = { BLOG_PUBLIC_URL: content.url }
  const postgresEnv = { ...blogEnv, ...address, BLOG_DATABASE_URL: postgres.url }
  let added = ''
  {
    await using blog = await makeTestBlog(postgresEnv)
    await expectEverything(blog, content)
    expect(await untilFound(blog, content.alice.cookie, 'kerosene')).toEqual([content.long])
    added = await makeDocuments(blog).post(content.alice, { title: 'Later', content: '<p>x</p>' })
    const { body } = await makeDocuments(blog).list(content.alice)
    expect(body.documents.at(-1).$id).toBe(added)
  }

  const secondMove = await move(folder.path, ['--to', 'sqlite'], postgresEnv)
  expect([secondMove.code, secondMove.err]).toEqual([
    1,
    expect.stringContaining('is there already'),
  ])
  await rename(file, `${file}.old`)
  expect(await move(folder.path, ['--to', 'sqlite'], postgresEnv)).toMatchObject({
    code: 0,
    err: '',
  })
  await using blog = await makeTestBlog({ ...blogEnv, ...address })
  expect((await makeDocuments(blog).get(content.alice, added)).body.title).toBe('Later')
  await makeDocuments(blog).remove(content.alice, added)
  await expectEverything(blog, content)
  expect(await untilFound(blog, content.alice.cookie, 'kerosene')).toEqual([content.long])
})

type Written = Awaited<ReturnType<typeof writeEverything>>

/** Two people with posts of every kind. While the blog runs it is not moved. */
async function writeEverything(folderEnv: Record<string, string>, dataDir: string, to: string) {
  await using blog = await makeTestBlog(folderEnv)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const long = await documents.post(alice, {
    title: '👩🏽‍🚀 kerosene “lamp” \\ \' " $1',
    content: `<p>𝔏ight ${'und Öl '.repeat(40_000)}</p>`,
    tags: ['Öl', 'light'],
  })
  await documents.patch(alice, long, { title: '👩🏽‍🚀 kerosene “lamp”, again' })
  const deletedPost = await documents.post(bob, { title: 'Gone', content: '<p>soon</p>' })
  for (const person of [alice, bob]) {
    expect((await documents.like(person, long, [person.id], 1)).status).toBe(200)
    await documents.like(person, deletedPost, [person.id], 1)
  }
  for (const [person, postId] of [
    [alice, long],
    [bob, long],
    [alice, deletedPost],
    [bob, deletedPost],
  ] as const)
    await blog.call('POST', '/databases/blogdb/collections/comments/documents', {
      body: { documentId: 'unique()', data: { postId, content: `Lit by ${person.name} 🕯️` } },
      cookie: person.cookie,
    })
  await documents.remove(bob, deletedPost)
  await documents.post(bob, { title: 'Draft', content: '<p>not yet</p>', status: 'inactive' })
  const outcome = await move(dataDir, ['--to', to])
  expect([outcome.code, outcome.err]).toEqual([1, expect.stringContaining('stop the server')])
  expect(await ask(to, `select 1 from pg_tables where schemaname = 'public'`)).toEqual([])
  return {
    url: blog.url,
    alice,
    bob,
    long,
    everything: await readEverything(blog, alice, bob, long),
  }
}

async function readEverything(
  blog: TestBlog,
  alice: { cookie: string },
  bob: { cookie: string },
  long: string,
): Promise<unknown[]> {
  const documents = '/databases/blogdb/collections/posts/documents'
  const answers = [
    await blog.call('GET', documents, alice),
    await blog.call('GET', documents, bob),
    await blog.call('GET', `${documents}/${long}`, bob),
    await blog.call('GET', `${documents}/${long}/comments`, alice),
    await blog.call('GET', `${documents}/${long}/versions`, alice),
    await blog.call('GET', '/databases/blogdb/collections/posts/deleted', bob),
    await blog.call('GET', '/account', alice),
    await blog.call('GET', '/databases/blogdb/collections/posts/tags', alice),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  return answers.map(({ body }) =>
    JSON.parse(JSON.stringify(body, (key, value) => (key === 'accessedAt' ? '' : value))),
  )
}

async function expectEverything(
  blog: TestBlog,
  { alice, bob, long, everything }: Written,
): Promise<void> {
  expect(await readEverything(blog, alice, bob, long)).toEqual(everything)
}

/** Kills the command after its first line of output. */
async function killMove(env: Record<string, string>, to: string): Promise<void> {
  const child = spawn(process.execPath, ['scripts/move.ts', '--to', to], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test('a killed move starts over, and no server starts on an incomplete database', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  await makeMany(folder.path)
  const blogEnv = { BLOG_DATA_DIR: folder.path }
  await killMove(blogEnv, postgres.url)
  const opened = openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await expect(opened).rejects.toThrow('could not be brought up to date')

  expect(await move(folder.path, ['--to', postgres.url])).toMatchObject({ code: 0, err: '' })
  const [row] = await ask(
    postgres.url,
    `select count(*)::int as posts, sum(likes)::int as likes,
       (select count(*)::int from "postLike") as rows,
       (select sum(likes)::int from discussion) as counted,
       (select likes::int from post where id = 'post6') as two,
       (select pg_sequence_last_value(pg_get_serial_sequence('post', 'seq')::regclass)::int) as last
       from post`,
  )
  const likes = POSTS / 2 - 2
  // The likes of the deleted post are deleted once the server runs.
  const rows = POSTS / 2
  expect(row).toEqual({ posts: POSTS - 1, likes, rows, counted: rows, two: 2, last: POSTS })
  const db = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await db.destroy()

  const file = join(folder.path, 'blog.sqlite')
  await rename(file, `${file}.old`)
  const postgresEnv = { ...blogEnv, BLOG_DATABASE_URL: postgres.url }
  await killMove(postgresEnv, 'sqlite')
  expect(existsSync(file)).toBe(false)
  expect(await move(folder.path, ['--to', 'sqlite'], postgresEnv)).toMatchObject({
    code: 0,
    err: '',
  })
  const [oldTables, newTables] = [`${file}.old`, file].map(readTables)
  expect(newTables).toEqual(oldTables)
})

test('a move killed after its last row can be repeated, even after the database got its name', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  await makeMany(folder.path)
  const blogEnv = { BLOG_DATA_DIR: folder.path }
  const first = await move(folder.path, ['--to', postgres.url])
  expect(first).toMatchObject({ code: 0, err: '' })
  const secondMove = await move(folder.path, ['--to', postgres.url])
  expect(secondMove).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain(secondMove.out)

  const file = join(folder.path, 'blog.sqlite')
  await rename(file, `${file}.old`)
  const postgresEnv = { ...blogEnv, BLOG_DATABASE_URL: postgres.url }
  const moveBack = await move(folder.path, ['--to', 'sqlite'], postgresEnv)
  expect(moveBack).toMatchObject({ code: 0, err: '' })
  await mkdir(join(folder.path, '.moving'))
  const secondMoveBack = await move(folder.path, ['--to', 'sqlite'], postgresEnv)
  expect(secondMoveBack).toMatchObject({ code: 0, err: '' })
  expect(moveBack.out).toContain(secondMoveBack.out)
  expect(await readdir(folder.path)).toEqual(['blog.sqlite', 'blog.sqlite.old'])
  expect(readTables(file)).toEqual(readTables(`${file}.old`))

  await ask(postgres.url, `update post set title = 'Later' where id = 'post7'`)
  const other = await move(folder.path, ['--to', 'sqlite'], postgresEnv)
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('with other rows')])
  expect(readTables(file)).toEqual(readTables(`${file}.old`))
  await rename(`${file}.old`, file)
  const full = await move(folder.path, ['--to', postgres.url])
  expect([full.code, full.err]).toEqual([1, expect.stringContaining('is not empty')])
})

/** All rows that a server would read, and the number that the next post gets. */
function readTables(path: string): unknown[] {
  const file = new SqliteFile(path)
  const all = ['select * from post order by seq', 'select * from postLike order by seq'].map(
    (sql) => file.prepare(sql).all(),
  )
  const next = file.prepare(`select seq from sqlite_sequence where name = 'post'`).get()
  file.close()
  return [...all, next]
}

test('a PostgreSQL database that another client uses is not moved', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  const migrated = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await migrated.destroy()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const env = { BLOG_DATABASE_URL: postgres.url }
  const outcome = await move(folder.path, ['--to', 'sqlite'], env)
  await client.end()
  expect([outcome.code, outcome.err]).toEqual([1, expect.stringContaining('is in use')])
  expect(existsSync(join(folder.path, '.moving'))).toBe(false)
})

test('during a move from PostgreSQL others can read it, but nobody can write', async () => {
  await using postgres = await makeEmptyPostgres()
  const migrated = await openDatabase({ dataDir: '', databaseUrl: postgres.url })
  await migrated.destroy()
  await using side = await openExclusive(postgres.url)
  await beginExclusive(side, 'begin isolation level repeatable read')
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`set lock_timeout = '50ms'`)
  await expect(client.query('delete from post')).rejects.toMatchObject({ code: '55P03' })
  expect((await client.query('select 1 from post')).rows).toEqual([])
  await expect(requireNoOtherConnections(side, postgres.url)).rejects.toThrow('is in use')
  await client.end()
})

test('a move repeated after a kill contains no rows deleted in between', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  await makeMany(folder.path)
  await killMove({ BLOG_DATA_DIR: folder.path }, postgres.url)
  const file = new SqliteFile(join(folder.path, 'blog.sqlite'))
  file.prepare(`delete from post where id = 'post1'`).run()
  file.close()
  expect(await move(folder.path, ['--to', postgres.url])).toMatchObject({ code: 0, err: '' })
  expect(await ask(postgres.url, `select 1 from post where id = 'post1'`)).toEqual([])
})

test('a move into a database that is not empty changes nothing', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  await makeMany(folder.path)
  await ask(postgres.url, 'create table recipe (id text)')
  const foreign = await move(folder.path, ['--to', postgres.url])
  expect([foreign.code, foreign.err]).toEqual([1, expect.stringContaining('the table "recipe"')])
  const tables = await ask(
    postgres.url,
    `select tablename from pg_tables where schemaname = 'public'`,
  )
  expect(tables).toEqual([{ tablename: 'recipe' }])
  const same = await move(folder.path, ['--to', 'sqlite'])
  expect([same.code, same.err]).toEqual([1, expect.stringContaining('there already')])
  expect(existsSync(join(folder.path, '.moving'))).toBe(false)
})

test('a text that PostgreSQL cannot store is reported with its table', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  await makeMany(folder.path)
  const file = new SqliteFile(join(folder.path, 'blog.sqlite'))
  file.prepare(`update post set title = 'a' || char(0) || 'b' where id = 'post1'`).run()
  file.close()
  const { code, err } = await move(folder.path, ['--to', postgres.url])
  expect([code, err]).toEqual([1, expect.stringContaining('of the table "post"')])
})

test('wrong arguments and unreachable databases are refused before anything is read', async () => {
  await using folder = await makeDataDir()
  const cases: [args: string[], err: string][] = [
    [[], 'npm run move -- --to postgres://'],
    [['--to', 'mysql://x'], '--to: neither'],
    [['--to', 'postgres'], '--settings FILE'],
    [['--files-to', 's3'], 'BLOG_S3_ENDPOINT'],
    [['--to', 'postgres://x@127.0.0.1:1/x'], 'There is no database'],
  ]
  const outcomes = await Promise.all(cases.map(([args]) => move(folder.path, args)))
  expect(outcomes).toEqual(
    cases.map(([, err]) => ({ code: 1, out: '', err: expect.stringContaining(err) })),
  )
})

test('the address of the database may come from a settings file', async () => {
  await using folder = await makeDataDir()
  await using postgres = await makeEmptyPostgres()
  await copyFile(await findMigratedSqlite(), join(folder.path, 'blog.sqlite'))
  const settings = join(folder.path, 'new.env')
  await writeFile(settings, `BLOG_DATABASE_URL=${postgres.url}\n`)
  expect(await move(folder.path, ['--to', 'postgres', '--settings', settings])).toMatchObject({
    code: 0,
  })
  const nowhere = await move(folder.path, ['--to', 'postgres://x@127.0.0.1:1/x'])
  expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringContaining('cannot be reached')])
})
