// Data that released versions have made stays readable: their data folders and databases open in
// the program of today, or are refused with the name of the version that they need first. Once the
// files of the baseline (backend/database/migrations/0100-schema*) are released, a test here pins
// their hashes: a released migration never changes.
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { listMigrations, openDatabase } from '#backend/database/database.ts'
import { OLD_MIGRATIONS } from '#backend/database/old-database.ts'
import type { Database } from '#backend/database/schema.ts'
import { makeFolders, restore } from '#test/support/backups.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { describeSchema } from '#test/support/describe-schema.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { CONTENT, upload } from '#test/support/files.ts'

const FIXTURES = join('test', 'fixtures', 'data-2026-11-28')
const CHUNK = 5 * 1024 * 1024

type Facts = {
  madeAt: string
  cookies: Record<string, string>
  passwords: Record<string, string>
  calls: { who: string; path: string; status: number; body: Record<string, unknown> }[]
  bytes: { who: string; path: string; md5: string }[]
}
type Opened = AsyncDisposable & { dataDir: string; facts: Facts; env: Record<string, string> }

/** A copy of the fixture's data folder; for PostgreSQL with a separate database. */
async function openFixture(kind: 'sqlite' | 'postgres'): Promise<Opened> {
  const folders = await makeFolders()
  const dataDir = folders.restored
  await cp(join(FIXTURES, kind), dataDir, { recursive: true })
  const facts = JSON.parse(await readFile(join(dataDir, 'facts.json'), 'utf8')) as Facts
  const database = kind === 'postgres' ? await loadDump(join(dataDir, 'blog.sql')) : undefined
  return {
    dataDir,
    facts,
    env: { BLOG_DATA_DIR: dataDir, ...(database ? { BLOG_DATABASE_URL: database.url } : {}) },
    async [Symbol.asyncDispose]() {
      await database?.drop()
      await folders[Symbol.asyncDispose]()
    },
  }
}

async function loadDump(path: string) {
  const database = await makePostgresDatabase({ isEmpty: true })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(await readFile(path, 'utf8'))
  await client.end()
  return database
}

function openBlog({ env, facts }: Opened, more: Record<string, string> = {}): Promise<TestBlog> {
  const blogEnv = { ...env, BLOG_EXTRA_ATTRIBUTES: 'on', ...more }
  // Sessions and the unfinished upload have not expired at that time.
  return makeTestBlog(blogEnv, { startsAt: new Date(facts.madeAt) })
}

function openData({ dataDir, env }: Opened): Promise<Database> {
  return openDatabase({ dataDir, databaseUrl: env.BLOG_DATABASE_URL })
}

const asDisposable = (db: Database) => ({ db, [Symbol.asyncDispose]: () => db.destroy() })

for (const [name, tags, openNew] of DATABASES) {
  const kind = name === 'SQLite' ? 'sqlite' : 'postgres'
  describe(`data of 2026-11-28 on ${name}`, { tags: [...tags] }, () => {
    test('a converted database has the same schema as a new one', async () => {
      await using opened = await openFixture(kind)
      await using converted = asDisposable(await openData(opened))
      await using fresh = await openNew()
      const schema = await describeSchema(converted.db)
      expect(schema).toEqual(await describeSchema(fresh.db))
      expect(schema.length).toBeGreaterThan(600)
      expect(await migrationsOf(converted.db)).toEqual(await migrationsOf(fresh.db))
      // What was public by another word stays so.
      const statuses = new Map(await statusesOf(converted.db))
      expect([statuses.get('other-word'), statuses.get('draft-word')]).toEqual([
        'active',
        'inactive',
      ])
      expect(statuses.get('other-in-bin')).toBe('inactive')
    })

    test('the conversion removes imported password hashes, so that such accounts need no old password', async () => {
      await using opened = await openFixture(kind)
      const run = await openUnchanged(opened)
      const [id = ''] = await run('select id from "user" where "passwordHash" is not null')
      const imported = `'$2b$10$${'a'.repeat(53)}'`
      await run(`update "user" set "passwordHash" = ${imported} where id = '${id}' returning id`)
      await using converted = asDisposable(await openData(opened))
      const users = converted.db.selectFrom('user').where('passwordHash', 'is', null)
      const rows = await users.select(['id', 'passwordUpdatedAt']).execute()
      expect(rows).toContainEqual({ id, passwordUpdatedAt: null })
      const others = converted.db.selectFrom('user').where('passwordHash', 'is not', null)
      expect(await others.select('id').execute()).not.toEqual([])
    })

    test('a failed conversion changes nothing, and the next start converts everything', async () => {
      await using opened = await openFixture(kind)
      const run = await openUnchanged(opened)
      await run('create view "inTheWay" as select "isDue" from "searchPost"')
      const before = await run('select status from post order by seq')
      await expect(openData(opened)).rejects.toThrow()
      expect(await run('select name from kysely_migration order by name')).toEqual(OLD_MIGRATIONS)
      expect(await run('select status from post order by seq')).toEqual(before)
      expect(await run('select key from "declaredIndex"')).toEqual(['bySubtitle'])
      await run('drop view "inTheWay"')
      await using converted = asDisposable(await openData(opened))
      await using fresh = await openNew()
      expect(await describeSchema(converted.db)).toEqual(await describeSchema(fresh.db))
    })

    test('several processes may start the conversion at once', async () => {
      await using opened = await openFixture(kind)
      await using stack = new AsyncDisposableStack()
      const started = Array.from({ length: 3 }, () => openData(opened))
      for (const db of await Promise.all(started)) {
        stack.defer(() => db.destroy())
        expect(await migrationsOf(db)).toEqual(listMigrations())
      }
    })

    test('everything is readable through the API', async () => {
      await using opened = await openFixture(kind)
      const { calls, bytes, cookies } = opened.facts
      await using blog = await openBlog(opened)
      const headersOf = (who: string) => ({
        headers: who === 'key' ? { 'x-appwrite-key': blog.apiKey } : {},
        ...(cookies[who] ? { cookie: cookies[who] } : {}),
      })
      expect(calls.length).toBeGreaterThan(50)
      for (const { who, path, status, body } of calls)
        expect([path, await blog.call('GET', path, headersOf(who))]).toMatchObject([
          path,
          { status, body },
        ])
      for (const { who, path, md5 } of bytes) {
        const file = await blog.call('GET', path, headersOf(who))
        expect([path, createHash('md5').update(file.bytes).digest('hex')]).toEqual([path, md5])
      }
      // What has changed on purpose: other names are in every post, and nothing is declared.
      const post = await blog.call('GET', `${DOCUMENTS}/subtitled`, headersOf('bob'))
      const { userid } = post.body
      expect(post.body).toMatchObject({
        subtitle: 'of a lamp',
        userId: userid,
        user_id: userid,
        authorId: userid,
        author_id: userid,
        username: 'bob',
        user_name: 'bob',
      })
      const path = '/databases/blogdb/collections/posts/attributes'
      expect((await blog.call('GET', path, headersOf('key'))).status).toBe(501)
      expect(blog.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
    })

    test('users can sign in, like, edit a post and finish an upload', {
      tags: ['more'],
    }, async () => {
      await using opened = await openFixture(kind)
      await using blog = await openBlog(opened)
      const { cookies, passwords } = opened.facts
      const signIn = (name: string) =>
        blog.call('POST', '/account/sessions/email', {
          body: { email: `${name}@example.test`, password: passwords[name] },
        })
      expect((await signIn('alice')).status).toBe(201)
      expect((await signIn('carol')).body.type).toBe('user_blocked')
      const [alice = '', gina = ''] = [cookies.alice, cookies.gina]
      const post = `${DOCUMENTS}/lamps-by-night`
      const before = (await blog.call('GET', post, { cookie: gina })).body
      const me = (await blog.call('GET', '/account', { cookie: gina })).body.$id
      const like = { like: before.like + 1, likeId: [...before.likeId, me] }
      expect(
        (await blog.call('PATCH', post, { cookie: gina, body: { data: like } })).body,
      ).toMatchObject(like)
      const changed = await blog.call('PATCH', post, {
        cookie: alice,
        body: { data: { title: 'Lamps by day' } },
      })
      expect([changed.status, changed.body.title]).toEqual([200, 'Lamps by day'])

      // The chunk that was missing: an image, and what pads it to the size of a chunk.
      const image = await sharp({
        create: { width: 8, height: 8, channels: 3, background: '#804020' },
      })
        .png()
        .toBuffer()
      const chunk = Buffer.concat([image, Buffer.alloc(CHUNK - image.length)])
      const size = CHUNK + 100
      const person = { id: '', name: 'alice', email: '', password: '', cookie: alice }
      const answer = await upload(blog, person, chunk, {
        id: 'attic',
        name: 'attic.png',
        headers: { 'content-range': `bytes 0-${CHUNK - 1}/${size}`, 'x-appwrite-id': 'attic' },
      })
      expect(answer.body).toMatchObject({
        chunksTotal: 2,
        chunksUploaded: 2,
        mimeType: 'image/png',
      })
      expect((await blog.call('GET', `${CONTENT}/attic/view`, { cookie: alice })).status).toBe(200)
    })
  })

  test(`a backup is made before the conversion and restores the data as it was, on ${name}`, {
    tags: ['more'],
  }, async () => {
    await using opened = await openFixture(kind)
    await using folders = await makeFolders()
    {
      await using _blog = await openBlog(opened, { BLOG_BACKUP_DIR: folders.backups })
    }
    expect((await restore(folders.backups, folders.restored)).code).toBe(0)
    using file = closing(new SqliteFile(join(folders.restored, 'blog.sqlite')))
    const read = (query: string) => file.database.prepare(query).pluck().all()
    expect(read('select name from kysely_migration order by name')).toEqual(OLD_MIGRATIONS)
    expect(read(`select id from post where status = 'draft'`)).toEqual(['draft-word'])
    expect(read('select key from "declaredIndex"')).toEqual(['bySubtitle'])
    expect(read(`select spellings from "postExtra" where "postId" = 'subtitled'`)).toEqual([
      '["user_id"]',
    ])
    await using converted = asDisposable(
      await openDatabase({ dataDir: folders.restored, databaseUrl: undefined }),
    )
    expect(await migrationsOf(converted.db)).toEqual(listMigrations())
  })
}

test('if that backup fails, the server does not start and nothing is changed', async () => {
  await using opened = await openFixture('sqlite')
  await using folders = await makeFolders()
  // A folder where the lock has to be a file.
  await mkdir(join(folders.backups, '.lock'), { recursive: true })
  await expect(openBlog(opened, { BLOG_BACKUP_DIR: folders.backups })).rejects.toThrow(
    'the backup before them failed: nothing was changed',
  )
  using file = closing(new SqliteFile(join(opened.dataDir, 'blog.sqlite')))
  const names = file.database.prepare('select name from kysely_migration order by name')
  expect(names.pluck().all()).toEqual(OLD_MIGRATIONS)
  expect(await readdir(folders.backups)).toEqual(['.lock'])
})

test.each([
  ['of the first days', OLD_MIGRATIONS.slice(0, 2)],
  ['without the last migration', OLD_MIGRATIONS.slice(0, -1)],
  ['without one between', OLD_MIGRATIONS.toSpliced(20, 1)],
])(
  'data %s is refused with the version that it needs first, and not changed',
  async (_name, names) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-too-old-'))
    using file = closing(new SqliteFile(join(folder.path, 'blog.sqlite')))
    file.database.exec('create table kysely_migration (name text primary key, timestamp text)')
    const insert = file.database.prepare('insert into kysely_migration values (?, ?)')
    for (const name of names) insert.run(name, '2026-11-21T20:46:20.798Z')
    let backups = 0
    const opening = openDatabase({
      dataDir: folder.path,
      databaseUrl: undefined,
      beforeChange: async () => void backups++,
    })
    await expect(opening).rejects.toThrow(
      /last used by a version older than 2026-11-28\. Start that version once, then this one: git checkout/,
    )
    const tables = file.database.prepare('select name from sqlite_master').pluck().all()
    expect(tables.filter((name) => !String(name).startsWith('sqlite_'))).toEqual([
      'kysely_migration',
    ])
    expect(backups).toBe(0)
  },
)

async function statusesOf(db: Database) {
  const posts = await db.selectFrom('post').select(['id', 'status']).execute()
  const deleted = await db.selectFrom('deletedPost').select(['postId as id', 'status']).execute()
  return [...posts, ...deleted].map(({ id, status }) => [id, status] as const)
}

async function migrationsOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Runs a statement without the program. @returns the first column of its rows */
async function openUnchanged({ dataDir, env }: Opened) {
  return async (text: string): Promise<unknown[]> => {
    if (env.BLOG_DATABASE_URL === undefined) {
      using file = closing(new SqliteFile(join(dataDir, 'blog.sqlite')))
      const statement = file.database.prepare(text)
      if (statement.reader) return statement.pluck().all()
      statement.run()
      return []
    }
    const client = new pg.Client({ connectionString: env.BLOG_DATABASE_URL })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text)
    await client.end()
    return rows.map((row) => Object.values(row)[0])
  }
}

function closing(database: SqliteFile.Database) {
  return { database, [Symbol.dispose]: () => void database.close() }
}
