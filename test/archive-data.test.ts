// The data of an archive: exported while the blog runs, imported into an empty blog.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import {
  type Env,
  exportTo,
  fillBlog,
  folderEnv,
  importFrom,
  readDataOf,
  readRowsOf,
  runExport,
  runImport,
} from '#test/support/archives.ts'
import { uploadPhoto, writeDuring } from '#test/support/backup-writes.ts'
import { makeBucket } from '#test/support/blob-stores.ts'
import { makeTestBlog } from '#test/support/blog.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { makeDataDir } from '#test/support/process.ts'
import { runScript } from '#test/support/run-script.ts'

const SOUND = { code: 0, err: '' }

test('an archive with people makes an empty blog the same blog, byte for byte', async () => {
  await using root = await makeDataDir()
  const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
  const [first, second] = [join(root.path, 'first'), join(root.path, 'second')]
  const { alice, url } = await fillBlog(from)
  expect(await runExport([first, '--data', '--people', '--zip'], from)).toMatchObject(SOUND)
  expect((await stat(first)).mode & 0o777).toBe(0o700)
  await importFrom(`${first}.zip`, to)
  await exportTo(second, to, { hasPeople: true })
  expect(await readDataOf(second)).toEqual(await readDataOf(first))

  await using blog = await makeTestBlog({ ...to, BLOG_PUBLIC_URL: url })
  const { email, password } = alice
  const session = await blog.call('POST', '/account/sessions/email', { body: { email, password } })
  expect(session.status).toBe(201)
  const { body } = await makeDocuments(blog).list('key')
  const posts: { title: string; like: number }[] = body.documents
  expect(posts.map(({ title, like }) => [title, like]).toSorted()).toEqual([
    ['Draft', 0],
    ['Next', 0],
    ['👩🏽‍🚀 “lamp”, again', 2],
  ])
})

test('an archive without people has no address and no password, and says how its operator gets in', async () => {
  await using root = await makeDataDir()
  const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
  const [first, second] = [join(root.path, 'first'), join(root.path, 'second')]
  await fillBlog(from)
  await addImportedPerson(from.BLOG_DATA_DIR)
  await exportTo(first, from)
  const data = await readDataOf(first)
  for (const bytes of Object.values(data)) {
    const text = Buffer.from(bytes, 'base64').toString()
    expect(text).not.toContain('@example.test')
    expect(text).not.toContain('$argon2')
  }
  expect(JSON.parse(await readFile(join(first, 'manifest.json'), 'utf8')).hasPeople).toBe(false)
  const outcome = await runImport(first, to)
  expect(outcome).toMatchObject(SOUND)
  const [, placeholder = ''] = /npm run admin -- link (\S+) {4}\(Alice\)/.exec(outcome.out) ?? []
  expect(placeholder).toMatch(/^[0-9a-f]{24}@no-address\.invalid$/)
  await exportTo(second, to)
  expect(await readDataOf(second)).toEqual(data)

  await using blog = await makeTestBlog(to)
  const env = { ...to, PORT: new URL(blog.url).port, HOST: '127.0.0.1' }
  const link = await runScript('admin.ts', ['link', placeholder], env)
  expect(link).toMatchObject(SOUND)
  expect(link.out).toContain(blog.url)
})

/** Other programs may name people by their addresses. */
async function addImportedPerson(dataDir: string): Promise<void> {
  const db = await openDatabase({ dataDir, databaseUrl: undefined })
  const item = { owner: '', source: 'https://old.example', runId: 'run', targetId: 'x', digest: '' }
  await db
    .insertInto('importedItem')
    .values([
      { ...item, kind: 'person', key: 'eve@example.test' },
      { ...item, kind: 'post', key: '12' },
    ])
    .execute()
  await db.destroy()
}

test('an archive has no sessions, no links that were mailed, and nothing that is derived', async () => {
  await using root = await makeDataDir()
  const from = folderEnv(root.path, 'from')
  await fillBlog(from)
  const archive = join(root.path, 'archive')
  await exportTo(archive, from, { hasPeople: true })
  const names = await readdir(join(archive, 'data'))
  for (const table of ['session', 'token', 'postText', 'searchPost', 'archiveRun'])
    expect(names).not.toContain(`${table}.jsonl`)
  for (const table of ['invitation', 'signInLog', 'activity', 'postVersion', 'comment'])
    expect((await readRowsOf(archive, table)).length).toBeGreaterThan(0)
  const [comment] = await readRowsOf(archive, 'comment')
  expect(comment).not.toHaveProperty('html')
  const values = await readRowsOf(archive, 'siteValue')
  expect(values.map(({ name }) => name)).not.toContain('setupCode')
})

test('an export during writes is consistent, and the blog that it becomes has lost nothing', async () => {
  await using root = await makeDataDir()
  const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
  await fillBlog(from)
  const archive = join(root.path, 'archive')
  await using blog = await makeTestBlog(from)
  const dora = await blog.makePerson('dora')
  const { writes } = await writeDuring(blog, dora, 5, () => exportTo(archive, from))
  expect(writes).toBeGreaterThan(0)
  const files = await readRowsOf(archive, 'file')
  expect(files.filter(({ sha256 }) => sha256 === null)).toEqual([])
  await importFrom(archive, to)
})

test('an export into its own folder copies no file twice, and replaces damaged and foreign ones', async () => {
  await using root = await makeDataDir()
  const from = folderEnv(root.path, 'from')
  await fillBlog(from)
  const archive = join(root.path, 'archive')
  await exportTo(archive, from)
  const folder = join(archive, 'files')
  const [damaged = '', ...others] = await readdir(folder)
  const before = await Promise.all(others.map((name) => stat(join(folder, name))))
  await writeFile(join(folder, damaged), 'damaged')
  await writeFile(join(folder, 'left-over.part'), 'half')
  // What a kill leaves.
  await rm(join(archive, 'manifest.json'))
  await writeFile(
    join(archive, 'unfinished.json'),
    JSON.stringify({
      identity: '{"url":"http://localhost:3000","owner":null}',
      parts: ['data'],
    }),
  )
  await exportTo(archive, from)
  const after = await Promise.all(others.map((name) => stat(join(folder, name))))
  expect(after.map(({ ino }) => ino)).toEqual(before.map(({ ino }) => ino))
  expect((await readdir(folder)).toSorted()).toEqual([damaged, ...others].toSorted())
  expect(await readFile(join(folder, damaged), 'utf8')).not.toBe('damaged')
})

test('a folder that is no export of this blog is refused and not changed', async () => {
  await using root = await makeDataDir()
  const from = folderEnv(root.path, 'from')
  await fillBlog(from)
  const archive = join(root.path, 'archive')
  await exportTo(archive, from)
  const other = { ...from, BLOG_PUBLIC_URL: 'http://127.0.0.1:4000' }
  await expect(exportTo(archive, other)).rejects.toThrow('is not empty')
  await expect(exportTo(from.BLOG_DATA_DIR, from)).rejects.toThrow('is not empty')
  expect(await readdir(from.BLOG_DATA_DIR)).not.toContain('unfinished.json')
  const parts = await runExport([archive, '--markdown'], from)
  expect([parts.code, parts.err]).toEqual([1, expect.stringContaining('has the data')])
})

test('bytes that the blog has lost are named in the manifest, and stay lost', async () => {
  await using root = await makeDataDir()
  const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
  await fillBlog(from)
  const [lost = '', damaged = ''] = await readdir(join(from.BLOG_DATA_DIR, 'files'))
  await rm(join(from.BLOG_DATA_DIR, 'files', lost))
  await writeFile(join(from.BLOG_DATA_DIR, 'files', damaged), 'damaged')
  const [first, second] = [join(root.path, 'first'), join(root.path, 'second')]
  expect((await runExport([first, '--data'], from)).out).toContain('lost the bytes of 2 files')
  const { lost: named } = JSON.parse(await readFile(join(first, 'manifest.json'), 'utf8'))
  expect(named.toSorted()).toEqual([lost, damaged].toSorted())
  await importFrom(first, to)
  await exportTo(second, to)
  expect(await readDataOf(second)).toEqual(await readDataOf(first))
})

test("a person's own archive has their posts with what stands below, names of others, and no addresses", async () => {
  await using root = await makeDataDir()
  const from = folderEnv(root.path, 'from')
  const { alice, bob } = await fillBlog(from)
  const archive = join(root.path, 'archive')
  await exportTo(archive, from, { ownerId: bob.id, hasPeople: true })
  const rows = async (table: string, column: string) =>
    (await readRowsOf(archive, table)).map((row) => row[column])
  expect(await rows('user', 'name')).toEqual(['bob'])
  expect(await rows('post', 'title')).toEqual(['Draft'])
  expect(await rows('deletedPost', 'title')).toEqual(['Gone'])
  expect(new Set(await rows('file', 'userId'))).toEqual(new Set([bob.id]))
  // Alice's post has a comment of bob, and his own post one of each.
  expect(await rows('comment', 'userName')).toEqual(['Alice', 'bob', 'bob'])
  expect(await rows('comment', 'userId')).toEqual([alice.id, bob.id, bob.id])
  const names = await readdir(join(archive, 'data'))
  for (const table of ['siteValue', 'report', 'notification', 'identity', 'activity', 'mutedPost'])
    expect(names).not.toContain(`${table}.jsonl`)
  for (const bytes of Object.values(await readDataOf(archive)))
    expect(Buffer.from(bytes, 'base64').toString()).not.toContain('@example.test')
  const { owner } = JSON.parse(await readFile(join(archive, 'manifest.json'), 'utf8'))
  expect(owner).toEqual({ id: bob.id, name: 'bob' })
  await expect(importFrom(archive, folderEnv(root.path, 'to'))).rejects.toThrow('one person, bob')
})

/** Kills a command after its output has this text. */
async function killAfter(script: string, args: string[], env: Env, text: string): Promise<void> {
  const child = spawn(process.execPath, [join('scripts', script), ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  for await (const piece of child.stdout) if (String(piece).includes(text)) child.kill('SIGKILL')
  await exit
}

test('an export or import that was killed is repeated with the same end', {
  tags: ['more'],
}, async () => {
  await using root = await makeDataDir()
  const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
  await fillBlog(from)
  const [first, second, third] = ['first', 'second', 'third'].map((name) => join(root.path, name))
  await exportTo(first ?? '', from)
  await killAfter('export.ts', [second ?? '', '--data'], from, 'Files and rows')
  await exportTo(second ?? '', from)
  expect(await readDataOf(second ?? '')).toEqual(await readDataOf(first ?? ''))
  for (const text of ['Archive checked', 'Files copied', 'Rows copied', 'Rows checked'])
    await killAfter('import.ts', [first ?? ''], to, text)
  expect((await readdir(to.BLOG_DATA_DIR)).includes('blog.sqlite')).toBe(false)
  await importFrom(first ?? '', to)
  expect(await readdir(to.BLOG_DATA_DIR)).toEqual(['blog.sqlite', 'files', 'uploads'])
  await exportTo(third ?? '', to)
  expect(await readDataOf(third ?? '')).toEqual(await readDataOf(first ?? ''))
})

test('a blog that was started but never set up is empty; while a server has it open, nothing is imported', async () => {
  await using root = await makeDataDir()
  const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
  await fillBlog(from)
  const archive = join(root.path, 'archive')
  await exportTo(archive, from)
  {
    await using blog = await makeTestBlog(to)
    expect(await blog.makeSetupCode()).toBeDefined()
    await expect(importFrom(archive, to)).rejects.toThrow('stop the server')
  }
  await importFrom(archive, to)
  const db = await openDatabase({ dataDir: to.BLOG_DATA_DIR, databaseUrl: undefined })
  expect(await db.selectFrom('siteValue').select('name').execute()).toEqual([{ name: 'setUpAt' }])
  await db.destroy()
})

test('a blog moves through archives to PostgreSQL and back unchanged', {
  tags: ['more'],
}, async () => {
  await using root = await makeDataDir()
  const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
  const { url, drop } = await makePostgresDatabase({ isEmpty: true })
  const postgres = { ...folderEnv(root.path, 'postgres'), BLOG_DATABASE_URL: url }
  await fillBlog(from)
  const archives = ['first', 'second', 'third'].map((name) => join(root.path, name))
  const [first = '', second = '', third = ''] = archives
  await exportTo(first, from, { hasPeople: true })
  await killAfter('import.ts', [first], postgres, 'Rows checked')
  await importFrom(first, postgres)
  await exportTo(second, postgres, { hasPeople: true })
  expect(await readDataOf(second)).toEqual(await readDataOf(first))
  await importFrom(second, to)
  await exportTo(third, to, { hasPeople: true })
  expect(await readDataOf(third)).toEqual(await readDataOf(first))
  await drop()
})

describe.skipIf(!inject('hasS3'))('with an S3 server', { tags: ['more'] }, () => {
  test('a blog moves through archives to S3 and back unchanged', async () => {
    await using root = await makeDataDir()
    const [from, to] = [folderEnv(root.path, 'from'), folderEnv(root.path, 'to')]
    const { endpoint, bucket, accessKey, secretKey } = await makeBucket()
    const s3 = {
      ...folderEnv(root.path, 's3'),
      BLOG_S3_ENDPOINT: endpoint,
      BLOG_S3_BUCKET: bucket,
      BLOG_S3_ACCESS_KEY: accessKey,
      BLOG_S3_SECRET_KEY: secretKey,
    }
    await fillBlog(from)
    const archives = ['first', 'second', 'third'].map((name) => join(root.path, name))
    const [first = '', second = '', third = ''] = archives
    await exportTo(first, from)
    await importFrom(first, s3)
    await exportTo(second, s3)
    expect(await readDataOf(second)).toEqual(await readDataOf(first))
    await importFrom(second, to)
    await exportTo(third, to)
    expect(await readDataOf(third)).toEqual(await readDataOf(first))
    await using blog = await makeTestBlog(s3)
    expect(await uploadPhoto(blog, await blog.makePerson('dora'))).not.toBe('')
  })
})
