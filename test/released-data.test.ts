// Data that released versions have made stays readable: their migrations never change, and their
// data folders and databases open in the program of today.
import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeFolders, restore } from '#test/support/backups.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { CONTENT, upload } from '#test/support/files.ts'

const FIXTURES = join('test', 'fixtures', 'data-0002')
const CHUNK = 5 * 1024 * 1024

type Facts = {
  madeAt: string
  cookies: Record<string, string>
  passwords: Record<string, string>
  calls: { who: string; path: string; status: number; body: Record<string, unknown> }[]
  bytes: { who: string; path: string; md5: string }[]
}
type Opened = AsyncDisposable & { dataDir: string; facts: Facts; env: Record<string, string> }

test.each([
  [
    '0001-people-posts-files.ts',
    '2d10f34f2a7db33a9e00b14c267cd1e7703be856d125845d68b8f724a26496ce',
  ],
  ['0002-refresh-tokens.ts', '1c8c3b7c541d52c2b77b33cd28e1103df1921fffc05d29d1ccb8f3751b26a6d1'],
])('the migration %s is as it was released', async (name, hash) => {
  const text = await readFile(join('backend', 'database', 'migrations', name))
  expect(createHash('sha256').update(text).digest('hex')).toBe(hash)
})

/** A copy of the fixture's data folder; for PostgreSQL with a database of its own. */
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
  // Sessions and the unfinished upload have not expired at that time.
  return makeTestBlog({ ...env, ...more }, { startsAt: new Date(facts.madeAt) })
}

for (const [kind, tags] of [
  ['sqlite', []],
  ['postgres', ['more']],
] as const)
  describe(`data of 0002 on ${kind}`, { tags: [...tags] }, () => {
    test('everything is readable through the API', async () => {
      await using opened = await openFixture(kind)
      const { calls, bytes, cookies } = opened.facts
      await using blog = await openBlog(opened)
      const headersOf = (who: string) => ({
        headers: who === 'key' ? { 'x-appwrite-key': blog.apiKey } : {},
        ...(cookies[who] ? { cookie: cookies[who] } : {}),
      })
      expect(calls.length).toBeGreaterThan(20)
      for (const { who, path, status, body } of calls)
        expect([path, await blog.call('GET', path, headersOf(who))]).toMatchObject([
          path,
          { status, body },
        ])
      for (const { who, path, md5 } of bytes) {
        const file = await blog.call('GET', path, headersOf(who))
        expect([path, createHash('md5').update(file.bytes).digest('hex')]).toEqual([path, md5])
      }
      expect(blog.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
    })

    test('people go on with it: sign in, like, change a post, finish an upload', {
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
      const liked = { like: before.like + 1, likeId: [...before.likeId, me] }
      expect(
        (await blog.call('PATCH', post, { cookie: gina, body: { data: liked } })).body,
      ).toMatchObject(liked)
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
      const done = await upload(blog, person, chunk, {
        id: 'attic',
        name: 'attic.png',
        headers: { 'content-range': `bytes 0-${CHUNK - 1}/${size}`, 'x-appwrite-id': 'attic' },
      })
      expect(done.body).toMatchObject({ chunksTotal: 2, chunksUploaded: 2, mimeType: 'image/png' })
      expect((await blog.call('GET', `${CONTENT}/attic/view`, { cookie: alice })).status).toBe(200)
    })
  })

test('before its database is changed a backup is made, which restores the data as it was', {
  tags: ['more'],
}, async () => {
  await using opened = await openFixture('sqlite')
  await using folders = await makeFolders()
  await using _blog = await openBlog(opened, { BLOG_BACKUP_DIR: folders.backups })
  expect((await restore(folders.backups, folders.restored)).code).toBe(0)
  expect(migrationsOf(folders.restored)).toEqual(['0001-people-posts-files', '0002-refresh-tokens'])
  expect(migrationsOf(opened.dataDir).length).toBeGreaterThan(2)
})

test('when that backup fails the server does not start, and nothing is changed', async () => {
  await using opened = await openFixture('sqlite')
  await using folders = await makeFolders()
  // A folder where the lock has to be a file.
  await mkdir(join(folders.backups, '.lock'), { recursive: true })
  await expect(openBlog(opened, { BLOG_BACKUP_DIR: folders.backups })).rejects.toThrow(
    'the backup before them failed: nothing was changed',
  )
  expect(migrationsOf(opened.dataDir)).toHaveLength(2)
  expect(await readdir(folders.backups)).toEqual(['.lock'])
})

function migrationsOf(dataDir: string): string[] {
  using file = closing(new SqliteFile(join(dataDir, 'blog.sqlite')))
  return file.database
    .prepare('select name from kysely_migration order by name')
    .pluck()
    .all() as string[]
}

function closing(database: SqliteFile.Database) {
  return { database, [Symbol.dispose]: () => void database.close() }
}
