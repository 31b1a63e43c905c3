// Backups of a blog whose database is PostgreSQL, or whose files are at an S3 server.
// @module-tag more
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { findPgProgram } from '#backend/backups/pg-programs.ts'
import { findLost, keepPhoto, writeBefore, writeDuring } from '#test/support/backup-writes.ts'
import {
  backUp,
  listBackupPaths,
  makeFolders,
  openRestored,
  restore,
} from '#test/support/backups.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { findDebianPostgres, startDebianPostgres } from '#test/support/debian-postgres.ts'
import { CONTENT } from '#test/support/files.ts'
import { makeBucket } from '#test/support/keepers.ts'
import { runScript } from '#test/support/run-script.ts'

const WRITE_EVERY_MS = 50
const programs = await findDebianPostgres()

/** Without a PostgreSQL of the version of its pg_dump there is nothing to test against. */
describe.skipIf(programs === undefined)('on PostgreSQL', () => {
  test('a backup under writes is restored with every write acknowledged before it began', async () => {
    await using postgres = await startDebianPostgres(programs ?? '')
    await using folders = await makeFolders()
    const env = { BLOG_DATABASE_URL: await postgres.makeDatabase('blog') }
    await using blog = await makeTestBlog(env)
    const alice = await blog.makePerson('alice')
    const before = await writeBefore(blog, alice, 5)
    const { result: made } = await writeDuring(blog, alice, WRITE_EVERY_MS, () =>
      backUp(blog, folders.backups, env),
    )
    expect(made).toMatchObject({ code: 0, err: '' })
    const second = await backUp(blog, folders.backups, env)
    expect(second.out).toMatch(/^\d+ files copied, \d+ unchanged/m)

    const full = await restore(folders.backups, folders.restored, env)
    expect([full.code, full.err]).toEqual([1, expect.stringContaining('is not empty')])
    const kind = await restore(folders.backups, folders.restored)
    expect([kind.code, kind.err]).toEqual([1, expect.stringContaining('of a PostgreSQL database')])
    const [first = '', newest = ''] = await listBackupPaths(folders.backups)
    const dump = join(first, 'blog.dump')
    const bytes = await readFile(dump)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(dump, bytes)
    const empty = { BLOG_DATABASE_URL: await postgres.makeDatabase('again') }
    const damaged = await restore(first, folders.restored, empty)
    expect([damaged.code, damaged.err]).toEqual([1, expect.stringContaining(`${dump} is damaged`)])
    expect(await readdir(join(folders.restored, '..'))).toEqual(['backups'])

    expect(await restore(newest, folders.restored, empty)).toMatchObject({ code: 0, err: '' })
    await using again = await openRestored(folders, empty)
    expect(await findLost(again, alice, before)).toEqual([])
  })
})

describe('pg_dump', () => {
  async function makeProgram(folder: string, major: number): Promise<string> {
    const path = join(folder, String(major))
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'pg_dump'), `#!/bin/sh\necho "pg_dump (PostgreSQL) ${major}.4"\n`)
    await chmod(join(path, 'pg_dump'), 0o755)
    return path
  }

  test('is the oldest that knows the server; none, or only older ones, is said', async () => {
    await using folders = await makeFolders()
    const all = await Promise.all([15, 18, 17].map((one) => makeProgram(folders.backups, one)))
    expect((await findPgProgram('pg_dump', 16, all)).major).toBe(17)
    await expect(findPgProgram('pg_dump', 19, all)).rejects.toThrow(
      'pg_dump 18 is too old for this PostgreSQL 19: install',
    )
    await expect(findPgProgram('pg_dump', 18, [folders.restored])).rejects.toThrow(
      'pg_dump is missing: install the client programs of PostgreSQL 18',
    )
  })
})

describe.skipIf(!inject('hasS3'))('with files at S3', () => {
  test('they are copied, unchanged ones only once, and brought back into an empty bucket', async () => {
    const env = await makeBucketEnv()
    await using folders = await makeFolders()
    await using blog = await makeTestBlog(env)
    const alice = await blog.makePerson('alice')
    const image = await keepPhoto(blog, alice)
    expect(await backUp(blog, folders.backups, env)).toMatchObject({ code: 0, err: '' })
    const second = await backUp(blog, folders.backups, env)
    expect(second.out).toContain('0 files copied, 1 unchanged')

    const elsewhere = await makeBucketEnv()
    expect((await restore(folders.backups, folders.restored, elsewhere)).err).toBe('')
    await using again = await openRestored(folders, elsewhere)
    expect((await again.call('GET', `${CONTENT}/${image}/view`)).bytes).toEqual(
      (await blog.call('GET', `${CONTENT}/${image}/view`)).bytes,
    )
  })

  test('they may stay where they are, and a bucket without them is refused', async () => {
    const env = await makeBucketEnv()
    await using folders = await makeFolders()
    await using blog = await makeTestBlog(env)
    const image = await keepPhoto(blog, await blog.makePerson('alice'))
    const settings = { BLOG_DATA_DIR: blog.dataDir, ...env }
    const made = await runScript('backup.ts', ['--without-files', folders.backups], settings)
    expect([made.code, made.out]).toEqual([0, expect.stringContaining('stayed at the S3 server')])
    const [path = ''] = await listBackupPaths(folders.backups)
    expect(await readdir(join(path, 'files'))).toEqual([])

    const other = await restore(path, folders.restored, await makeBucketEnv())
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('The bucket has no file')])
    expect((await restore(path, folders.restored)).err).toContain('set BLOG_S3_ENDPOINT')
    expect(await readdir(join(folders.restored, '..'))).toEqual(['backups'])
    expect((await restore(path, folders.restored, env)).err).toBe('')
    await using again = await openRestored(folders, env)
    expect((await again.call('GET', `${CONTENT}/${image}/view`)).status).toBe(200)
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
