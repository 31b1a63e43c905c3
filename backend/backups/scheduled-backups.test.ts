// The server's scheduled backups: which nights are due, which backups stay, and what a failure
// does.
import { mkdir, mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { runBackup } from './run-backup.ts'
import { isDue } from './scheduled-backups.ts'

/** The name of a backup made at this local time. */
function nameOf(local: string): string {
  return new Date(local).toISOString().replaceAll(/[:.]/g, '-')
}

test.each([
  { now: '2026-11-21T04:00:00', newest: undefined, due: true },
  { now: '2026-11-21T04:00:00', newest: '2026-11-21T03:30:01', due: false },
  { now: '2026-11-21T04:00:00', newest: '2026-11-21T03:00:00', due: true },
  { now: '2026-11-21T03:29:59', newest: '2026-11-20T03:30:05', due: false },
  { now: '2026-11-21T03:30:00', newest: '2026-11-20T03:30:05', due: true },
  { now: '2026-11-21T12:00:00', newest: '2026-11-11T03:30:05', due: true },
  { now: '2026-03-01T00:10:00', newest: '2026-02-28T03:31:00', due: false },
])('at $now, with the newest of $newest, a backup is due: $due', ({ now, newest, due }) => {
  // A backup that a wrong clock dated in the future does not count.
  const names = [...(newest ? [newest] : []), '2099-01-01T03:30:00'].map(nameOf)
  expect(isDue(new Date(now), names)).toBe(due)
})

async function makeFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-own-backups-'))
  return { path: folder.path, [Symbol.asyncDispose]: () => folder.remove() }
}

async function untilMade(blog: TestBlog): Promise<void> {
  await expect.poll(() => blog.log.map(({ msg }) => msg)).toContain('backup made and verified')
}

const complete = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith('Z')).toSorted()

test('a missed backup is made at the start, and only the configured number stays', async () => {
  await using folder = await makeFolder()
  const old = ['2026-11-01T03:30:00', '2026-11-02T03:30:00'].map(nameOf)
  for (const name of old) await mkdir(join(folder.path, name))
  await using blog = await makeTestBlog({ BLOG_BACKUP_DIR: folder.path, BLOG_BACKUP_KEEP: '2' })
  await untilMade(blog)
  const names = await complete(folder.path)
  expect([names.length, names[0]]).toEqual([2, old[1]])
})

test('a second start in one night makes no second backup', async () => {
  await using folder = await makeFolder()
  const env = { BLOG_BACKUP_DIR: folder.path }
  for (let start = 0; start < 2; start++) {
    await using blog = await makeTestBlog(env)
    if (start === 0) await untilMade(blog)
  }
  expect(await complete(folder.path)).toHaveLength(1)
})

test('stopping the server ends a running backup without an error', async () => {
  await using folder = await makeFolder()
  const blog = await makeTestBlog({ BLOG_BACKUP_DIR: folder.path })
  await blog[Symbol.asyncDispose]()
  expect(blog.log.filter(({ level }) => Number(level) >= 50)).toEqual([])
})

test('a backup that takes too long is ended, and the next one succeeds', async () => {
  await using folder = await makeFolder()
  await using blog = await makeTestBlog()
  const storage = { dataDir: blog.dataDir, databaseUrl: undefined, s3: undefined }
  const task = { storage, folder: folder.path, keep: 1, nowMs: Date.now() }
  const stop = new AbortController().signal
  await expect(runBackup(task, { stop, limitMs: 1 })).rejects.toMatchObject({ reason: 'tooLong' })
  await runBackup(task, { stop })
  expect(await complete(folder.path)).toHaveLength(1)
})

test('a failure is logged as an error, older backups stay, and the blog goes on', async () => {
  await using folder = await makeFolder()
  await mkdir(join(folder.path, nameOf('2026-11-01T03:30:00')))
  // The lock file cannot be created.
  await mkdir(join(folder.path, '.lock'))
  await using blog = await makeTestBlog({ BLOG_BACKUP_DIR: folder.path, BLOG_BACKUP_KEEP: '1' })
  const failures = () => blog.log.filter(({ msg }) => msg === 'the backup of the night failed')
  await expect.poll(failures).toMatchObject([{ level: 50, folder: folder.path }])
  expect(await complete(folder.path)).toHaveLength(1)
  expect((await blog.makePerson('alice')).cookie).not.toBe('')
})
