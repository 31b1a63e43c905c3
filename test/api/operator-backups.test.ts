// The calls by which operators configure, create, download and delete backups.
import {
  cp,
  mkdir,
  mkdtempDisposable,
  readdir,
  realpath,
  rename,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeBackup } from '#backend/backups/backup.ts'
import { verifyBackup } from '#backend/backups/manifest.ts'
import { readConfig } from '#backend/settings/config.ts'
import type { Backups } from '#contract/operator.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { makeTestClock } from '#test/support/clock.ts'
import { DATABASES } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { readZip } from '#test/support/zip.ts'

const MIB = 1024 * 1024

type Blog = Awaited<ReturnType<typeof openBlogWithRoles>>

async function makeFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-chosen-'))
  return { path: await realpath(folder.path), [Symbol.asyncDispose]: () => folder.remove() }
}

const read = async (blog: Blog): Promise<Backups> =>
  (await blog.call('GET', '/operator/backups', blog.asAlice)).body
const change = (blog: Blog, body: object) =>
  blog.call('PATCH', '/operator/backups', { ...blog.asAlice, body })
const start = (blog: Blog) => blog.call('POST', '/operator/backup', blog.asAlice)

async function untilEnded(blog: Blog): Promise<Backups> {
  const running = async () => (await read(blog)).running
  await expect.poll(running, { timeout: 60_000, interval: 50 }).toBe(undefined)
  return read(blog)
}

/** A blog with an uploaded file, a settings file in its data folder, and one backup. */
const shareBackedUp = shareBlog(async () => {
  const blog = await openBlogWithRoles('SQLite')
  await blog.upload(blog.alice)
  await writeFile(join(blog.dataDir, 'settings.env'), 'BLOG_SITE_NAME=Secret words\n')
  const config = readConfig({ BLOG_DATA_DIR: blog.dataDir })
  const folder = join(blog.dataDir, 'backups')
  const { path } = await makeBackup(config, folder, { now: () => new Date(), withFiles: true })
  return { ...blog, backup: basename(path) }
})

/** For tests that choose their own backup folders. */
const shareOperated = shareBlog(() => openBlogWithRoles('SQLite'))

/** Another backup in the same folder, with the same content. */
async function copyBackup({ dataDir, backup }: { dataDir: string; backup: string }, name: string) {
  const folder = join(dataDir, 'backups')
  await cp(join(folder, backup), join(folder, name), { recursive: true })
  return name
}

for (const [kind, tags] of DATABASES)
  describe(`a backup that an operator starts on ${kind}`, { tags }, () => {
    const share = shareBlog(async () => {
      const blog = await openBlogWithRoles(kind)
      const before = await read(blog)
      const answers = [await start(blog), await start(blog)]
      const { list, restore } = await untilEnded(blog)
      const path = join(blog.dataDir, 'backups', list[0]?.$id ?? '')
      return { ...blog, before, answers, list, restore, path }
    })

    test('is the first one in the data folder, where backups are created each night', async () => {
      const { before, dataDir } = await share()
      expect(before).toMatchObject({
        isOn: true,
        isAutomatic: true,
        isFixed: false,
        time: '03:00',
        keep: 7,
        list: [],
        folder: join(dataDir, 'backups'),
        place: { isSameDisk: true, problem: '' },
      })
    })

    test('is refused while another one runs', async () => {
      const [first, second] = (await share()).answers
      expect([first?.status, second?.status, second?.body.type]).toEqual([
        202,
        409,
        'backup_running',
      ])
    })

    test('is complete, and listed with its operator', async () => {
      const { alice, list, path } = await share()
      expect(list).toMatchObject([{ state: 'complete', byName: alice.name, reason: '' }])
      expect(list[0]?.sizeBytes).toBeGreaterThan(1000)
      expect((await verifyBackup(path)).faults).toEqual([])
    })

    test('is listed with the command that restores it', async () => {
      const { dataDir, restore, path } = await share()
      expect(restore).toContain(`BLOG_DATA_DIR=${dataDir} npm run restore -- ${path}`)
    })

    test('is recorded in Activity', async () => {
      const { activity } = await share()
      expect((await activity('?kind=settings'))[0]).toMatchObject({ action: 'backup' })
    })
  })

test('the next backup is written to the chosen folder, and Activity records each choice', async () => {
  await using folder = await makeFolder()
  const blog = await shareOperated()
  const chosenFolder = join(folder.path, 'lamplight')
  const answer = await change(blog, { isOn: true, time: '04:15', keep: 14, folder: chosenFolder })
  expect(answer.body).toMatchObject({
    isOn: true,
    isAutomatic: false,
    time: '04:15',
    keep: 14,
    folder: chosenFolder,
  })
  await start(blog)
  expect((await untilEnded(blog)).list).toHaveLength(1)
  expect((await readdir(chosenFolder)).filter((name) => name.endsWith('Z'))).toHaveLength(1)
  expect(
    (await blog.activity('?kind=settings'))
      .filter(({ action }) => action === 'changed')
      .map(({ subjectName, details }) => [subjectName, details.after])
      .toSorted(),
  ).toEqual([
    ['backupFolder', chosenFolder],
    ['backupKeep', '14'],
    ['backupTime', '04:15'],
  ])
})

test('only an empty folder, or one that does not exist yet, can be chosen', async () => {
  await using folder = await makeFolder()
  const blog = await shareBackedUp()
  const before = await read(blog)
  const at = (name: string) => join(folder.path, name)
  await mkdir(at('full'))
  await writeFile(join(at('full'), 'letter.txt'), 'mine')
  await mkdir(at('real'))
  await symlink(at('real'), at('link'))
  await writeFile(at('file'), '')
  const refusedPaths = [
    'backups',
    './backups',
    `${folder.path}/x/../real`,
    `${folder.path}/real/`,
    '/',
    '/proc',
    '/proc/lamplight',
    blog.dataDir,
    join(blog.dataDir, 'files'),
    join(blog.dataDir, 'backups', 'deeper'),
    tmpdir(),
    process.cwd(),
    join(process.cwd(), 'build'),
    at('full'),
    at('link'),
    join(at('link'), 'inside'),
    at('file'),
    join(at('missing'), 'deeper'),
    `${folder.path}/a\nb`,
    `/${'a'.repeat(600)}`,
    '',
  ]
  for (const path of refusedPaths) {
    expect([path, (await change(blog, { folder: path })).status]).toEqual([path, 400])
    const query = `/operator/backups/folder?path=${encodeURIComponent(path)}`
    const { body } = await blog.call('GET', query, blog.asAlice)
    expect([path, body.problem]).not.toEqual([path, ''])
  }
  expect(await read(blog)).toEqual({ ...before, place: expect.anything() })
  expect((await readdir(folder.path)).toSorted()).toEqual(['file', 'full', 'link', 'real'])
})

test('neither the backup folder of another blog nor a folder inside its data can be chosen', async () => {
  await using folder = await makeFolder()
  const blog = await shareOperated()
  const other = await shareBackedUp()
  const shared = join(folder.path, 'shared')
  await cp(join(other.dataDir, 'backups'), shared, { recursive: true })
  const otherDataDir = await realpath(other.dataDir)
  for (const path of [shared, join(otherDataDir, 'backups'), join(otherDataDir, 'new')]) {
    expect([path, (await change(blog, { folder: path })).status]).toEqual([path, 400])
    const query = `/operator/backups/folder?path=${encodeURIComponent(path)}`
    expect((await blog.call('GET', query, blog.asAlice)).body.problem).toBe('notEmpty')
  }
  expect((await read(blog)).folder).not.toBe(shared)
  expect((await change(other, { folder: shared })).status).toBe(200)
  expect((await change(other, { folder: join(other.dataDir, 'backups') })).status).toBe(200)
})

test('a folder that has been replaced by a symbolic link is not followed', async () => {
  await using folder = await makeFolder()
  const blog = await shareOperated()
  const chosenFolder = join(folder.path, 'chosen')
  const target = join(folder.path, 'target')
  await change(blog, { folder: chosenFolder })
  await rename(chosenFolder, target)
  await symlink(target, chosenFolder)
  await start(blog)
  expect((await untilEnded(blog)).list).toMatchObject([{ state: 'failed', reason: 'noAccess' }])
  expect(await readdir(target)).toEqual([])
})

test('invalid values are refused and change nothing', async () => {
  const blog = await shareBackedUp()
  const before = await read(blog)
  for (const body of [
    { time: '25:00' },
    { time: '3:00' },
    { time: 3 },
    { keep: 2 },
    { keep: 91 },
    { keep: 7.5 },
    { isOn: 'on' },
    { folder: 7 },
    {},
  ])
    expect([body, (await change(blog, body)).status]).toEqual([body, 400])
  expect(await read(blog)).toEqual({ ...before, place: expect.anything() })
})

test('the folder of the server’s settings takes precedence and cannot be changed', async () => {
  await using folder = await makeFolder()
  await using blog = await openBlogWithRoles('SQLite', {
    BLOG_BACKUP_DIR: folder.path,
    BLOG_BACKUP_KEEP: '30',
  })
  const { list } = await untilEnded(blog)
  expect(await read(blog)).toMatchObject({
    isOn: true,
    isFixed: true,
    isKeepFixed: true,
    folder: folder.path,
    keep: 30,
  })
  for (const body of [{ isOn: false }, { keep: 7 }, { folder: '/var/other' }, { time: '02:00' }])
    expect((await change(blog, body)).status).toBe(400)
  expect(list.length).toBeLessThanOrEqual(1)
})

/** Alice downloads a backup. */
async function download() {
  const blog = await shareBackedUp()
  const { asAlice, backup: name } = blog
  const answer = await blog.call('GET', `/operator/backups/${name}/download`, asAlice)
  return { ...blog, name, answer, files: await readZip(answer.bytes) }
}

test('a download is a zip archive with the whole backup', async () => {
  await using folder = await makeFolder()
  const { name, answer, files } = await download()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(answer.headers.get('content-disposition')).toContain(`lamplight-${name}.zip`)
  const paths = files.map(({ path }) => path)
  expect(paths).toContain(`${name}/blog.sqlite`)
  expect(paths.some((path) => path.startsWith(`${name}/files/`))).toBe(true)
  for (const { path, bytes } of files) {
    await mkdir(join(folder.path, path, '..'), { recursive: true })
    await writeFile(join(folder.path, path), bytes)
  }
  await mkdir(join(folder.path, name, 'uploads'), { recursive: true })
  expect((await verifyBackup(join(folder.path, name))).faults).toEqual([])
})

test('a download contains no secrets of the server', async () => {
  const { files } = await download()
  expect(files.map(({ path }) => path).filter((path) => /key|settings/.test(path))).toEqual([])
})

test('a download is recorded in Activity, with its operator', async () => {
  const { alice, name, activity } = await download()
  expect((await activity('?kind=settings'))[0]).toMatchObject({
    action: 'backupDownloaded',
    actorId: alice.id,
    subjectName: name,
  })
})

test('two downloads can run at once, and each stops when its operator loses the role', async () => {
  const blog = await shareBackedUp()
  const { asKey, bob, setRole } = blog
  await setRole(bob.id, 'operator')
  const name = await copyBackup(blog, '2026-01-02T00-00-00-000Z')
  await writeFile(join(blog.dataDir, 'backups', name, 'blog.sqlite'), Buffer.alloc(24 * MIB))
  const open = (headers: Record<string, string>) =>
    fetch(`${blog.url}/v1/operator/backups/${name}/download`, {
      headers: { 'x-appwrite-project': 'blog', ...headers },
    })
  const downloads = await Promise.all(Array.from({ length: 5 }, () => open({ cookie: bob.cookie })))
  const accepted = downloads.filter(({ status }) => status === 200)
  expect(downloads.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429])
  await setRole(bob.id, 'author')
  using clock = makeTestClock()
  clock.pass(6000)
  for (const download of accepted) await expect(download.arrayBuffer()).rejects.toThrow()
  const { status } = await blog.call('GET', `/operator/backups/${name}/download`, asKey)
  expect(status).toBe(200)
})

test('a deleted backup is removed from the list and the folder, and recorded in Activity', async () => {
  const blog = await shareBackedUp()
  const name = await copyBackup(blog, '2026-01-03T00-00-00-000Z')
  const list = async () => (await read(blog)).list.map(({ $id }) => $id)
  expect(await list()).toContain(name)
  const { status } = await blog.call('DELETE', `/operator/backups/${name}`, blog.asAlice)
  expect(status).toBe(204)
  expect(await list()).not.toContain(name)
  expect(await readdir(join(blog.dataDir, 'backups'))).not.toContain(name)
  expect((await blog.activity('?kind=settings'))[0]).toMatchObject({ action: 'backupDeleted' })
})

test('only an existing backup can be deleted or downloaded', async () => {
  const blog = await shareBackedUp()
  const { asAlice } = blog
  const name = await copyBackup(blog, '2026-01-04T00-00-00-000Z')
  const folder = join(blog.dataDir, 'backups')
  const before = await readdir(folder)
  for (const id of [
    '..',
    '%2e%2e',
    '.lock',
    'blog.sqlite',
    '2026-01-01T00-00-00-000Z',
    `${name}x`,
  ]) {
    expect((await blog.call('DELETE', `/operator/backups/${id}`, asAlice)).status).toBe(404)
    expect((await blog.call('GET', `/operator/backups/${id}/download`, asAlice)).status).toBe(404)
  }
  expect(await readdir(folder)).toEqual(before)
})

test('only operators and the API key can see, create, change, download and delete backups', async () => {
  const blog = await shareBackedUp()
  const { bob, reader, blocked, asKey } = blog
  for (const caller of [
    {},
    { cookie: bob.cookie },
    { cookie: reader.cookie },
    { cookie: blocked.cookie },
  ])
    for (const [method, path] of [
      ['GET', '/operator/backups'],
      ['PATCH', '/operator/backups'],
      ['POST', '/operator/backup'],
      ['GET', '/operator/backups/folder?path=%2Fvar'],
      ['GET', '/operator/backups/2026-01-01T00-00-00-000Z/download'],
      ['DELETE', '/operator/backups/2026-01-01T00-00-00-000Z'],
    ] as const)
      expect((await blog.call(method, path, caller)).status).toBe(401)
  expect((await blog.call('GET', '/operator/backups', asKey)).status).toBe(200)
})
