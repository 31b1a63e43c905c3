// A move that is killed at each of its steps, and repeated.
// @module-tag more
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { MOVE_STEPS, moveBlog } from '#backend/archive/move.ts'
import type { StorageConfig } from '#backend/backups/blog-contents.ts'
import { exportTo, fillBlog, folderEnv, readDataOf } from '#test/support/archives.ts'
import { makeBucket } from '#test/support/blob-stores.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { makeDataDir } from '#test/support/process.ts'

async function killAt(step: string, from: StorageConfig, to: StorageConfig): Promise<void> {
  const script = fileURLToPath(new URL('support/killed-move.ts', import.meta.url))
  const args = [script, step, JSON.stringify(from), JSON.stringify(to)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const [code, signal] = await once(child, 'exit')
  expect([code, signal, errors]).toEqual([null, 'SIGKILL', ''])
}

test('a move that was killed at any step, the last one included, ends the same when it is repeated', async () => {
  await using root = await makeDataDir()
  const env = folderEnv(root.path, 'blog')
  await fillBlog(env)
  const before = join(root.path, 'before')
  await exportTo(before, env, { hasPeople: true })
  const data = await readDataOf(before)
  for (const step of MOVE_STEPS) {
    const dataDir = join(root.path, step.replaceAll(' ', '-'))
    await cp(env.BLOG_DATA_DIR, dataDir, { recursive: true })
    const { url, drop } = await makePostgresDatabase({ isEmpty: true })
    const s3 = inject('hasS3') ? await makeBucket() : undefined
    const local: StorageConfig = { dataDir, databaseUrl: undefined, s3: undefined }
    const remote: StorageConfig = { dataDir, databaseUrl: url, s3 }
    // Steps of a database that is a file are none of PostgreSQL.
    if (!step.startsWith('database')) await killAt(step, local, remote)
    const rows = (await moveBlog(local, remote, { onProgress: () => {} })).rows
    await rename(join(dataDir, 'blog.sqlite'), join(dataDir, 'blog.sqlite.old'))
    if (s3) await rename(join(dataDir, 'files'), join(dataDir, 'files.old'))
    await killAt(step, remote, local)
    expect((await moveBlog(remote, local, { onProgress: () => {} })).rows).toBe(rows)
    expect(await readdir(dataDir)).not.toContain('.moving')
    const after = join(root.path, `after ${step}`)
    const movedEnv = { BLOG_DATA_DIR: dataDir }
    await exportTo(after, movedEnv, { hasPeople: true })
    expect(await readDataOf(after)).toEqual(data)
    await drop()
  }
})

const RENAME = `update post set title = 'Later' where title = 'Next'`

async function inPostgres(url: string, sql: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(sql)
  await client.end()
  return rowCount
}

function inSqlite(dataDir: string, sql: string): number {
  const file = new SqliteFile(join(dataDir, 'blog.sqlite'))
  const { changes } = file.prepare(sql).run()
  file.close()
  return changes
}

test('the old blog may be used after a kill, and what it has then is moved; a new blog that was used is not replaced', async () => {
  await using root = await makeDataDir()
  const { BLOG_DATA_DIR: dataDir } = folderEnv(root.path, 'blog')
  await fillBlog({ BLOG_DATA_DIR: dataDir })
  const { url, drop } = await makePostgresDatabase({ isEmpty: true })
  const local: StorageConfig = { dataDir, databaseUrl: undefined, s3: undefined }
  const remote: StorageConfig = { dataDir, databaseUrl: url, s3: undefined }
  await killAt('rows committed', local, remote)
  expect(inSqlite(dataDir, RENAME)).toBe(1)
  await moveBlog(local, remote, { onProgress: () => {} })
  expect(await inPostgres(url, `update post set title = 'Next' where title = 'Later'`)).toBe(1)

  await rename(join(dataDir, 'blog.sqlite'), join(dataDir, 'blog.sqlite.old'))
  await killAt('database in place', remote, local)
  expect(await inPostgres(url, RENAME)).toBe(1)
  await moveBlog(remote, local, { onProgress: () => {} })
  expect(inSqlite(dataDir, `update post set title = 'Next' where title = 'Later'`)).toBe(1)

  const refused = moveBlog(remote, local, { onProgress: () => {} })
  await expect(refused).rejects.toThrow('is there already, with other rows')
  expect(inSqlite(dataDir, RENAME)).toBe(1)
  await drop()
})
