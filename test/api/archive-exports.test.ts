// Exports over the API: a child process makes them, they are downloaded as a zip, and end after
// some days. Nobody but their owner finds them.
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeBackup } from '#backend/backups/backup.ts'
import { verifyBackup } from '#backend/backups/manifest.ts'
import { examine } from '#backend/doctor/doctor.ts'
import { readConfig } from '#backend/settings/config.ts'
import { EXPORT_DAYS, type ExportRun } from '#contract/archive.ts'
import { makeRunCalls, writeFakeExport } from '#test/support/archive-runs.ts'
import type { CallOptions, TestBlog } from '#test/support/blog.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { makeTestClock } from '#test/support/clock.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { readZip } from '#test/support/zip.ts'

const MIB = 1024 * 1024
const DAY_MS = 24 * 60 * 60 * 1000

function exportsOf(blog: TestBlog, prefix: '/account' | '/operator', as: CallOptions) {
  const path = `${prefix}/exports`
  const calls = {
    create: (body: object) => blog.call('POST', path, { ...as, body }),
    list: async (): Promise<ExportRun[]> => (await blog.call('GET', path, as)).body.exports,
    download: (id: string) => blog.call('GET', `${path}/${id}/download`, as),
    remove: (id: string) => blog.call('DELETE', `${path}/${id}`, as),
    async untilDone(id: string): Promise<ExportRun | undefined> {
      const find = async () => (await calls.list()).find(({ $id }) => $id === id)
      const isOver = async () => ['done', 'failed'].includes((await find())?.state ?? '')
      await expect.poll(isOver, { timeout: 120_000, interval: 100 }).toBe(true)
      return await find()
    },
  }
  return calls
}

const shareExported = shareBlog(async () => {
  const blog = await openBlogWithRoles('SQLite')
  await blog.create(blog.bob, { title: 'Of Bob', content: '<p>lamps</p>' })
  await blog.create(blog.alice, { title: 'Of Alice', content: '<p>lamps</p>' })
  const own = exportsOf(blog, '/account', { cookie: blog.bob.cookie })
  const created = await own.create({ parts: ['data'] })
  const again = await own.create({ parts: ['data'] })
  return { ...blog, own, created, again, done: await own.untilDone(created.body.$id) }
})

test('a person’s export has their own posts, and is told to them', async () => {
  const { own, created, again, done, bob, call } = await shareExported()
  expect([created.status, again.body.type]).toEqual([202, 'export_active'])
  expect(done).toMatchObject({ state: 'done', problem: '', parts: ['data'], hasPeople: false })
  const { status, headers, bytes } = await own.download(created.body.$id)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(headers.get('content-disposition')).toMatch(/"my-posts-data-\d{4}-\d\d-\d\d\.zip"$/)
  expect(Number(headers.get('content-length'))).toBe(bytes.length)
  expect(bytes.length).toBe(done?.sizeBytes)
  const files = await readZip(bytes)
  expect(files.map(({ path }) => path)).toContain('manifest.json')
  const text = files.map((file) => file.bytes.toString()).join('\n')
  expect(text).toContain('Of Bob')
  expect(text).not.toContain('Of Alice')
  const bell = await call('GET', '/notifications', { cookie: bob.cookie })
  expect(bell.body.list).toMatchObject([{ kind: 'archive', reason: 'exported' }])
})

test('an export leaves nothing in the work folder', async () => {
  const { dataDir } = await shareExported()
  expect(await readdir(join(dataDir, 'archives'))).toEqual([])
})

describe('an export of the whole blog', () => {
  test('is made for operators, and recorded with its downloads', async () => {
    const blog = await shareExported()
    const whole = exportsOf(blog, '/operator', blog.asAlice)
    const { body } = await whole.create({ parts: ['data'], hasPeople: true })
    const run = await whole.untilDone(body.$id)
    expect(run).toMatchObject({ state: 'done', hasPeople: true })
    const files = await readZip((await whole.download(body.$id)).bytes)
    expect(files.map((file) => file.bytes.toString()).join('\n')).toContain('Of Alice')
    expect((await blog.activity('?kind=settings')).slice(0, 2)).toMatchObject([
      { action: 'exportDownloaded', subjectName: 'data, people', actorName: 'alice' },
      { action: 'export', subjectName: 'data, people', actorName: 'alice' },
    ])
  })
})

test('an export with people is refused for one’s own posts, and so are unknown parts', async () => {
  const { own } = await shareExported()
  for (const body of [
    { parts: ['data'], hasPeople: true },
    { parts: [] },
    { parts: ['everything'] },
    { parts: 'data' },
    {},
  ])
    expect((await own.create(body)).status).toBe(400)
})

test('nobody else finds a person’s export, and readers make their own', async () => {
  const blog = await shareExported()
  const id = blog.created.body.$id
  const others = [
    exportsOf(blog, '/account', { cookie: blog.reader.cookie }),
    exportsOf(blog, '/account', blog.asAlice),
    exportsOf(blog, '/operator', blog.asAlice),
  ]
  for (const calls of others) {
    expect((await calls.download(id)).body.type).toBe('export_not_found')
    expect((await calls.remove(id)).body.type).toBe('export_not_found')
    expect((await calls.list()).map(({ $id }) => $id)).not.toContain(id)
  }
  const guest = exportsOf(blog, '/account', {})
  expect((await guest.download(id)).status).toBe(401)
  expect((await guest.create({ parts: ['data'] })).status).toBe(401)
  const author = exportsOf(blog, '/operator', { cookie: blog.bob.cookie })
  expect((await author.create({ parts: ['data'] })).status).toBe(401)
  const reader = exportsOf(blog, '/account', { cookie: blog.reader.cookie })
  const own = await reader.create({ parts: ['data'] })
  expect(own.status).toBe(202)
  expect((await reader.untilDone(own.body.$id))?.state).toBe('done')
})

test('a download ends when its operator loses the role', async () => {
  const blog = await shareExported()
  const { bob, setRole, url } = blog
  await setRole(bob.id, 'operator')
  const id = await writeFakeExport(blog, 24 * MIB)
  const answer = await fetch(`${url}/v1/operator/exports/${id}/download`, {
    headers: { 'x-appwrite-project': 'blog', cookie: bob.cookie },
  })
  expect(answer.status).toBe(200)
  await setRole(bob.id, 'author')
  using clock = makeTestClock()
  clock.pass(6000)
  await expect(answer.arrayBuffer()).rejects.toThrow()
})

test('a person has one download at a time, and operators always have one', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const download = async (id: string, prefix: string, cookie: string) => {
    const url = `${blog.url}/v1/${prefix}/exports/${id}/download`
    return await fetch(url, { headers: { 'x-appwrite-project': 'blog', cookie } })
  }
  const statuses: number[] = []
  const answers: Response[] = []
  for (let number = 0; number < 4; number++) {
    const { person } = await blog.makeAuthor()
    const id = await writeFakeExport(blog, 24 * MIB, person.id)
    answers.push(await download(id, 'account', person.cookie))
    if (number === 0) answers.push(await download(id, 'account', person.cookie))
  }
  const ofBlog = await writeFakeExport(blog, 24 * MIB)
  answers.push(await download(ofBlog, 'operator', blog.alice.cookie))
  for (const answer of answers) {
    statuses.push(answer.status)
    await answer.body?.cancel()
  }
  expect(statuses).toEqual([200, 429, 200, 200, 429, 200])
})

test('an export is gone with its bytes once it is deleted, or has expired', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const pieces = async () =>
    (await readdir(join(blog.dataDir, 'uploads'))).filter((name) => name.endsWith('.piece'))
  const whole = exportsOf(blog, '/operator', blog.asAlice)
  const deleted = await writeFakeExport(blog, MIB)
  expect(await pieces()).toHaveLength(1)
  expect((await whole.remove(deleted)).status).toBe(204)
  await expect.poll(pieces).toEqual([])
  const expired = await writeFakeExport(blog, MIB)
  blog.passTime(EXPORT_DAYS * DAY_MS + 1000)
  expect((await whole.download(expired)).body.type).toBe('export_not_found')
})

test('backups leave the bytes of exports out, and neither they nor the doctor complain', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-backup-'))
  await writeFakeExport(blog, MIB)
  const config = readConfig({ BLOG_DATA_DIR: blog.dataDir })
  const { path } = await makeBackup(config, folder.path, { now: () => new Date(), withFiles: true })
  expect((await verifyBackup(path)).faults).toEqual([])
  expect(await readdir(join(path, 'uploads'))).toEqual([])
  const findings = []
  for await (const finding of examine({ ...config, env: {}, now: () => new Date() }))
    if (finding.about === 'files') findings.push(finding)
  expect(findings).toMatchObject([{ level: 'ok' }])
})

test('the calls of imports have no export, and those of exports no import', async () => {
  const blog = await shareExported()
  const imports = makeRunCalls(blog, '/account', { cookie: blog.bob.cookie })
  expect((await imports.read(blog.created.body.$id)).body.type).toBe('import_not_found')
  const { $id } = await imports.upload(Buffer.from('x'))
  expect((await blog.own.download($id)).body.type).toBe('export_not_found')
})
