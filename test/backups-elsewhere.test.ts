// Backups of a blog whose database is PostgreSQL, or whose files are at an S3 server.
// @module-tag more
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { findLost, uploadPhoto, writeDuring, writePairs } from '#test/support/backup-writes.ts'
import {
  backUp,
  listBackupPaths,
  makeFolders,
  openRestored,
  restore,
} from '#test/support/backups.ts'
import { makeBucket } from '#test/support/blob-stores.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { CONTENT } from '#test/support/files.ts'
import { runScript } from '#test/support/run-script.ts'

const WRITE_EVERY_MS = 50

describe('on PostgreSQL', () => {
  async function makeDatabase() {
    const { url, drop } = await makePostgresDatabase({ isEmpty: true })
    return { env: { BLOG_DATABASE_URL: url }, url, [Symbol.asyncDispose]: drop }
  }

  test('a backup under writes is restored with every write acknowledged before it began', async () => {
    await using first = await makeDatabase()
    await using second = await makeDatabase()
    await using folders = await makeFolders()
    const { env } = first
    await using blog = await makeTestBlog(env)
    const alice = await blog.makePerson('alice')
    const before = await writePairs(blog, alice, 5)
    const { result: backup } = await writeDuring(blog, alice, WRITE_EVERY_MS, () =>
      backUp(blog, folders.backups, env),
    )
    expect(backup).toMatchObject({ code: 0, err: '' })
    const secondBackup = await backUp(blog, folders.backups, env)
    expect(secondBackup.out).toMatch(/^\d+ files copied, \d+ unchanged/m)
    const used = await restore(folders.backups, folders.restored, env)
    expect([used.code, used.err]).toEqual([1, expect.stringContaining('is in use')])

    const [older = '', newest = ''] = await listBackupPaths(folders.backups)
    const copy = join(older, 'blog.sqlite')
    const bytes = await readFile(copy)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(copy, bytes)
    const damaged = await restore(older, folders.restored, second.env)
    expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining(`${copy} is damaged`)])
    expect(await readdir(join(folders.restored, '..'))).toEqual(['backups'])

    expect(await restore(newest, folders.restored, second.env)).toMatchObject({ code: 0, err: '' })
    {
      await using restored = await openRestored(folders, {
        ...second.env,
        BLOG_PUBLIC_URL: blog.url,
      })
      expect(await findLost(restored, alice, before)).toEqual([])
    }
    await rm(folders.restored, { recursive: true })
    const full = await restore(newest, folders.restored, second.env)
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('is not empty')])
  })

  test('a SQLite backup is restored into PostgreSQL, and a PostgreSQL backup into SQLite', async () => {
    await using postgres = await makeDatabase()
    await using folders = await makeFolders()
    await using blog = await makeTestBlog()
    const alice = await blog.makePerson('alice')
    const before = await writePairs(blog, alice, 3)
    expect((await backUp(blog, folders.backups)).code).toBe(0)
    const outcome = await restore(folders.backups, folders.restored, postgres.env)
    expect(outcome).toMatchObject({ code: 0, err: '' })
    {
      const env = { ...postgres.env, BLOG_PUBLIC_URL: blog.url }
      await using moved = await openRestored(folders, env)
      expect(await findLost(moved, alice, before)).toEqual([])
    }
    const dataDir = folders.restored
    expect((await backUp({ dataDir }, folders.backups, postgres.env)).code).toBe(0)
    await rm(folders.restored, { recursive: true })
    expect(await restore(folders.backups, folders.restored)).toMatchObject({ code: 0, err: '' })
    await using back = await openRestored(folders, { BLOG_PUBLIC_URL: blog.url })
    expect(await findLost(back, alice, before)).toEqual([])
  })

  test('a database of an older version is backed up unchanged and migrated when it is restored', async () => {
    await using postgres = await makeDatabase()
    await using empty = await makeDatabase()
    await using folders = await makeFolders()
    await using data = await makeFolders()
    const dataDir = data.restored
    await cp('test/fixtures/data-2026-11-28/postgres', dataDir, { recursive: true })
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(await readFile(join(dataDir, 'blog.sql'), 'utf8'))
    const { rows } = await client.query('select count(*)::int as n from public.post')
    await client.end()
    await rm(join(dataDir, 'blog.sql'))
    const backup = await backUp({ dataDir }, folders.backups, postgres.env)
    expect(backup).toMatchObject({ code: 0, err: '' })
    expect(backup.out).toContain(`${rows[0].n} posts`)
    const outcome = await restore(folders.backups, folders.restored, empty.env)
    expect(outcome).toMatchObject({ code: 0, err: '' })
    await using db = await openDatabase({ dataDir: '', databaseUrl: empty.url })
    const posts = await db.selectFrom('post').select('likes').execute()
    expect(posts.length).toBe(rows[0].n)
  })
})

describe.skipIf(!inject('hasS3'))('with files at S3', () => {
  test('a backup copies unchanged files only once, and a restore puts them into an empty bucket', async () => {
    const env = await makeBucketEnv()
    await using folders = await makeFolders()
    await using blog = await makeTestBlog(env)
    const alice = await blog.makePerson('alice')
    const image = await uploadPhoto(blog, alice)
    expect(await backUp(blog, folders.backups, env)).toMatchObject({ code: 0, err: '' })
    const second = await backUp(blog, folders.backups, env)
    expect(second.out).toContain('0 files copied, 1 unchanged')

    const elsewhere = await makeBucketEnv()
    expect((await restore(folders.backups, folders.restored, elsewhere)).err).toBe('')
    await using restored = await openRestored(folders, elsewhere)
    expect((await restored.call('GET', `${CONTENT}/${image}/view`)).bytes).toEqual(
      (await blog.call('GET', `${CONTENT}/${image}/view`)).bytes,
    )
  })

  test('a backup may leave the files at S3, and a restore refuses a bucket without them', async () => {
    const env = await makeBucketEnv()
    await using folders = await makeFolders()
    await using blog = await makeTestBlog(env)
    const image = await uploadPhoto(blog, await blog.makePerson('alice'))
    const settings = { BLOG_DATA_DIR: blog.dataDir, ...env }
    const backup = await runScript('backup.ts', ['--without-files', folders.backups], settings)
    expect([backup.code, backup.out]).toEqual([
      0,
      expect.stringContaining('stayed at the S3 server'),
    ])
    const [path = ''] = await listBackupPaths(folders.backups)
    expect(await readdir(join(path, 'files'))).toEqual([])

    const other = await restore(path, folders.restored, await makeBucketEnv())
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('The bucket has no file')])
    expect((await restore(path, folders.restored)).err).toContain('set BLOG_S3_ENDPOINT')
    expect(await readdir(join(folders.restored, '..'))).toEqual(['backups'])
    expect((await restore(path, folders.restored, env)).err).toBe('')
    await using restored = await openRestored(folders, env)
    expect((await restored.call('GET', `${CONTENT}/${image}/view`)).status).toBe(200)
  })

  async function makeBucketEnv(): Promise<Record<string, string>> {
    const { endpoint, bucket, accessKey, secretKey } = await makeBucket()
    return {
      BLOG_S3_ENDPOINT: endpoint,
      BLOG_S3_BUCKET: bucket,
      BLOG_S3_ACCESS_KEY: accessKey,
      BLOG_S3_SECRET_KEY: secretKey,
    }
  }
})
