// Backup and restore as an operator uses them: commands run while the blog is in use.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { makeBackup } from '#backend/backups/backup.ts'
import { lockFolder } from '#backend/backups/backup-folder.ts'
import { readConfig } from '#backend/settings/config.ts'
import { findLost, uploadPhoto, writeDuring, writePairs } from '#test/support/backup-writes.ts'
import {
  backUp,
  type Folders,
  listBackupPaths,
  makeFolders,
  openRestored,
  restore,
} from '#test/support/backups.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { CONTENT, upload } from '#test/support/files.ts'
import { drawNoise } from '#test/support/images.ts'
import { runScript } from '#test/support/run-script.ts'
import { writeDirectly } from '#test/support/write-directly.ts'

const CHUNK = 5 * 1024 * 1024
const WRITE_EVERY_MS = 50

/** Flips one bit in the middle of a file. */
async function damage(path: string): Promise<void> {
  const bytes = await readFile(path)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  await writeFile(path, bytes)
}

async function onlyFile({ dataDir }: TestBlog): Promise<string> {
  const [name = '', ...others] = await readdir(join(dataDir, 'files'))
  expect([name === '', others]).toEqual([false, []])
  return join(dataDir, 'files', name)
}

async function onlyBackup({ backups }: Folders): Promise<string> {
  const [path = '', ...others] = await listBackupPaths(backups)
  expect([path === '', others]).toEqual([false, []])
  return path
}

test('a backup under writes is restored with every write acknowledged before it began', async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  const alice = await blog.makePerson('alice')
  const before = await writePairs(blog, alice, 3)
  const { result: backup, writes } = await writeDuring(blog, alice, WRITE_EVERY_MS, () =>
    backUp(blog, folders.backups),
  )
  expect(writes).toBeGreaterThan(1)
  expect(backup).toMatchObject({ code: 0, err: '' })
  expect(backup.out).toContain('Verified')

  const outcome = await restore(folders.backups, folders.restored)
  expect(outcome).toMatchObject({ code: 0, err: '' })
  expect(outcome.out).toContain(await onlyBackup(folders))
  await using restored = await openRestored(folders, { BLOG_PUBLIC_URL: blog.url })
  expect(restored.apiKey).toBe(blog.apiKey)
  expect(await findLost(restored, alice, before)).toEqual([])
})

/** The backup of a blog with a person, a file and a preview of it. */
let backedUp: Promise<Folders> | undefined

async function makeBackedUp(): Promise<Folders> {
  await using blog = await makeTestBlog()
  const folders = await makeFolders()
  const image = await uploadPhoto(blog, await blog.makePerson('alice'))
  await blog.call('GET', `${CONTENT}/${image}/preview?width=20`)
  const config = readConfig({ BLOG_DATA_DIR: blog.dataDir })
  await makeBackup(config, folders.backups, { now: () => new Date(), withFiles: true })
  return folders
}

function shareBackedUp(): Promise<Folders> {
  backedUp ??= makeBackedUp()
  return backedUp
}

afterAll(async () => {
  await (await backedUp)?.[Symbol.asyncDispose]()
})

test('a backup is private and contains neither previews nor mails', async () => {
  const path = await onlyBackup(await shareBackedUp())
  expect((await readdir(path)).toSorted()).toEqual([
    'api-key',
    'blog.sqlite',
    'browser-key',
    'files',
    'manifest.json',
    'provider-token-key',
    'uploads',
  ])
  for (const name of await readdir(path, { recursive: true })) {
    const { mode } = await stat(join(path, name))
    expect([name, mode & 0o077]).toEqual([name, 0])
  }
  const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'))
  expect(manifest).toMatchObject({
    program: '0.1.0',
    database: { rows: { user: 1, file: 1, post: 0 } },
    files: [{ sizeBytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
  })
})

test('a second backup hard-links unchanged files of the first, but never files of the blog', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  const alice = await blog.makePerson('alice')
  await uploadPhoto(blog, alice)
  await backUp(blog, folders.backups)
  await uploadPhoto(blog, alice)
  const second = await backUp(blog, folders.backups)
  expect(second.out).toContain('1 files copied, 1 unchanged')
  const [first = '', next = ''] = await listBackupPaths(folders.backups)
  const links = async (folder: string) =>
    await Promise.all(
      (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).nlink),
    )
  expect(await links(join(first, 'files'))).toEqual([2])
  expect((await links(join(next, 'files'))).toSorted()).toEqual([1, 2])
  expect(await links(join(blog.dataDir, 'files'))).toEqual([1, 1])
})

test('a file damaged in the blog or in an older backup is taken from the intact copy', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  const alice = await blog.makePerson('alice')
  const cut = await uploadPhoto(blog, alice)
  const flipped = await uploadPhoto(blog, alice)
  await backUp(blog, folders.backups)
  const [first = ''] = await listBackupPaths(folders.backups)
  const names = await readdir(join(blog.dataDir, 'files'))
  const [cutName = '', flippedName = ''] = names.toSorted()
  await truncate(join(blog.dataDir, 'files', cutName), 10)
  await damage(join(first, 'files', flippedName))
  expect(await backUp(blog, folders.backups)).toMatchObject({ code: 0, err: '' })
  expect(await restore(folders.backups, folders.restored)).toMatchObject({ code: 0, err: '' })
  await using restored = await openRestored(folders)
  for (const id of [cut, flipped])
    expect((await restored.call('GET', `${CONTENT}/${id}/view`)).bytes.length).toBeGreaterThan(10)
})

test('the backup names files that were damaged before, and contains all others', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  await uploadPhoto(blog, await blog.makePerson('alice'))
  const [name = ''] = await readdir(join(blog.dataDir, 'files'))
  await truncate(join(blog.dataDir, 'files', name), 10)
  const backup = await backUp(blog, folders.backups)
  expect(backup.code).toBe(0)
  expect(backup.out).toContain(`the blog itself has lost ${name} (damaged)`)
  expect((await restore(folders.backups, folders.restored)).code).toBe(0)
})

test('one unreadable file does not stop the backup of the others', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  const alice = await blog.makePerson('alice')
  await uploadPhoto(blog, alice)
  const [name = ''] = await readdir(join(blog.dataDir, 'files'))
  await uploadPhoto(blog, alice)
  await rm(join(blog.dataDir, 'files', name))
  await mkdir(join(blog.dataDir, 'files', name))
  const backup = await backUp(blog, folders.backups)
  expect(backup).toMatchObject({ code: 0, err: '' })
  expect(backup.out).toContain(`the blog itself has lost ${name} (damaged)`)
  expect((await restore(folders.backups, folders.restored)).code).toBe(0)
})

test('an unfinished upload can be continued in the restored blog', { tags: ['more'] }, async () => {
  const large = await drawNoise(6_000_000)
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  const alice = await blog.makePerson('alice')
  const send = (to: TestBlog, index: number, id: string) => {
    const from = index * CHUNK
    const end = Math.min((index + 1) * CHUNK, large.length)
    return upload(to, alice, large.subarray(from, end), {
      id,
      headers: {
        'content-range': `bytes ${from}-${end - 1}/${large.length}`,
        ...(index ? { 'x-appwrite-id': id } : {}),
      },
    })
  }
  expect((await send(blog, 0, 'attic')).status).toBe(201)
  await backUp(blog, folders.backups)
  expect((await restore(folders.backups, folders.restored)).code).toBe(0)
  await using restored = await openRestored(folders, { BLOG_PUBLIC_URL: blog.url })
  expect((await send(restored, 1, 'attic')).body).toMatchObject({
    chunksTotal: 2,
    chunksUploaded: 2,
  })
})

test('backing up a stopped blog leaves no files in its data folder', {
  tags: ['more'],
}, async () => {
  await using folders = await makeFolders()
  await using data = await makeFolders()
  const dataDir = data.restored
  const blog = await makeTestBlog({ BLOG_DATA_DIR: dataDir })
  await blog.makePerson('alice')
  await blog[Symbol.asyncDispose]()
  const before = await readdir(dataDir)
  expect((await backUp({ dataDir }, folders.backups)).code).toBe(0)
  expect(await readdir(dataDir)).toEqual(before)
})

describe('a damaged backup', () => {
  for (const part of ['manifest.json', 'blog.sqlite', 'api-key', 'a file'])
    test(`is reported with its damaged part and not restored: ${part}`, {
      tags: part === 'blog.sqlite' ? [] : ['more'],
    }, async () => {
      await using folders = await makeFolders()
      await cp((await shareBackedUp()).backups, folders.backups, { recursive: true })
      const path = await onlyBackup(folders)
      const [image = ''] = await readdir(join(path, 'files'))
      const damaged = join(path, ...(part === 'a file' ? ['files', image] : [part]))
      await damage(damaged)
      const verified = await runScript('backup.ts', ['--verify', folders.backups], {})
      expect([verified.code, verified.out]).toEqual([1, ''])
      expect(verified.err).toContain(`${path} is DAMAGED`)
      expect(verified.err).toContain(`${damaged} is damaged`)
      const refused = await restore(folders.backups, folders.restored)
      expect([refused.code, refused.err.includes(`${damaged} is damaged`)]).toEqual([1, true])
      expect(await readdir(join(folders.restored, '..'))).toEqual(['backups'])
    })

  test('with a missing file names that file', { tags: ['more'] }, async () => {
    await using blog = await makeTestBlog()
    await using folders = await makeFolders()
    await backUp(blog, folders.backups)
    const path = await onlyBackup(folders)
    await rm(join(path, 'blog.sqlite'))
    const { code, err } = await runScript('backup.ts', ['--verify', path], {})
    expect([code, err.includes(`${join(path, 'blog.sqlite')} is missing`)]).toEqual([1, true])
  })
})

const SERVICE_USER = 65534
test.skipIf(process.getuid?.() !== 0)(
  'a backup and a restore run as root leave files that belong to the owner of the folder',
  { tags: ['more'] },
  async () => {
    await using blog = await makeTestBlog()
    await using folders = await makeFolders()
    await uploadPhoto(blog, await blog.makePerson('alice'))
    for (const folder of [folders.backups, folders.restored]) {
      await mkdir(folder)
      await chown(folder, SERVICE_USER, SERVICE_USER)
    }
    expect((await backUp(blog, folders.backups)).code).toBe(0)
    expect((await restore(folders.backups, folders.restored)).code).toBe(0)
    for (const folder of [folders.backups, folders.restored])
      for (const name of await readdir(folder, { recursive: true })) {
        const { uid } = await stat(join(folder, name))
        expect([name, uid]).toEqual([name, SERVICE_USER])
      }
  },
)

test('a killed backup is not listed, and the next backup removes its remains', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  await mkdir(folders.backups)
  await uploadPhoto(blog, await blog.makePerson('alice'))
  const photo = await onlyFile(blog)
  const bytes = await readFile(photo)
  // A pipe that nobody writes into holds the backup up at its first file.
  await rm(photo)
  await promisify(execFile)('mkfifo', [photo])
  const child = spawn(process.execPath, [join('scripts', 'backup.ts'), folders.backups], {
    env: { BLOG_DATA_DIR: blog.dataDir },
    // Nothing else ends the process if this test fails.
    timeout: 120_000,
    killSignal: 'SIGKILL',
  })
  const exit = once(child, 'exit')
  const isBegun = async () =>
    (await readdir(folders.backups)).some((name) => name.endsWith('.partial'))
  await expect.poll(isBegun).toBe(true)
  child.kill('SIGKILL')
  await exit
  await rm(photo)
  await writeFile(photo, bytes)
  expect(await listBackupPaths(folders.backups)).toEqual([])
  const refused = await restore(folders.backups, folders.restored)
  expect([refused.code, refused.err]).toEqual([1, `There is no backup in ${folders.backups}\n`])
  expect((await backUp(blog, folders.backups)).code).toBe(0)
  expect((await readdir(folders.backups)).filter((name) => name.endsWith('.partial'))).toEqual([])
})

test('only one backup runs at a time', { tags: ['more'] }, async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  {
    using _lock = await lockFolder(folders.backups)
    const { code, err } = await backUp(blog, folders.backups)
    expect([code, err.startsWith('Another backup is being made in ')]).toEqual([1, true])
  }
  expect((await backUp(blog, folders.backups)).code).toBe(0)
})

test('a refused restore says why in one line and changes nothing', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  await backUp(blog, folders.backups)
  const path = await onlyBackup(folders)
  const full = await restore(path, blog.dataDir)
  expect([full.code, full.err]).toEqual([1, expect.stringContaining('is not empty')])
  const none = await restore(join(folders.backups, 'none'), folders.restored)
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('There is no folder')])
  const missing = await runScript('restore.ts', [path, '--replace'], {
    BLOG_DATA_DIR: folders.restored,
  })
  expect([missing.code, missing.err]).toEqual([
    1,
    expect.stringContaining('BLOG_DATA_DIR names it'),
  ])
  const away = { BLOG_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
  const other = await restore(path, folders.restored, away)
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('cannot be reached')])
  expect((await runScript('restore.ts', [], {})).err).toContain('npm run restore -- DIR')
  expect((await runScript('backup.ts', [], {})).err).toContain('npm run backup -- DIR')
  expect(await readdir(join(folders.restored, '..'))).toEqual(['backups'])
})

test('a server does not start on an unfinished restore', async () => {
  await using folders = await makeFolders()
  await mkdir(join(folders.restored, '.restoring'), { recursive: true })
  await expect(openRestored(folders)).rejects.toThrow('a restore into it was not finished')
})

test.each([
  ['a newer program', '9999-from-tomorrow', 'was made by a newer program'],
  ['a program that is too old', '0001-people-posts-files', 'older than 2026-11-28'],
])('a backup of %s is refused', { tags: ['more'] }, async (_whose, name, reason) => {
  await using blog = await makeTestBlog()
  await using folders = await makeFolders()
  await writeDirectly(blog, (file) =>
    file
      .prepare('insert into kysely_migration (name, timestamp) values (?, ?)')
      .run(name, new Date().toISOString()),
  )
  await backUp(blog, folders.backups)
  const { code, err } = await restore(folders.backups, folders.restored)
  expect([code, err]).toEqual([1, expect.stringContaining(reason)])
})
