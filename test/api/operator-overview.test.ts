// What operators see first: the news of a week, storage, backups, what doctor finds, and the mail
// that they send to themselves.
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { OperatorOverview } from '#contract/operator.ts'
import { BLOG_DATABASES } from '#test/support/databases.ts'
import { openOperated } from '#test/support/operated-blog.ts'

for (const [kind, tags] of BLOG_DATABASES)
  test(`the overview counts the news of this week and the one before on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openOperated(kind)
    const { alice, bob, asKey } = blog
    const write = (status: string) => blog.create(bob, { title: 'A', content: '<p>a</p>', status })
    await write('active')
    await write('inactive')
    await blog.upload(alice)
    const read = async (): Promise<OperatorOverview> =>
      (await blog.call('GET', '/operator/overview', asKey)).body
    const overview = await read()
    expect(overview).toMatchObject({
      ...{ posts: { new: 1, before: 0, total: 1 }, people: { new: 4, before: 0, total: 4 } },
      ...{ comments: { new: 0, waiting: 0 }, reports: { waiting: 0 }, storage: { files: 1 } },
      backup: { isOn: false, at: '' },
    })
    for (const bytes of [overview.storage.databaseBytes, overview.storage.filesBytes])
      expect(bytes).toBeGreaterThan(100)
    blog.passTime(8 * 86_400_000)
    expect(await read()).toMatchObject({
      ...{ posts: { new: 0, before: 1, total: 1 }, people: { new: 0, before: 4, total: 4 } },
    })
  })

test('a backup is started once, and told when it is there', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-backups-'))
  await using blog = await openOperated('SQLite', { BLOG_BACKUP_DIR: folder.path })
  const { asAlice } = blog
  const state = async () =>
    ((await blog.call('GET', '/operator/overview', asAlice)).body as OperatorOverview).backup
  // That of the start.
  await expect.poll(async () => (await state()).count).toBe(1)
  await expect.poll(async () => (await state()).isRunning).toBe(false)
  const start = () => blog.call('POST', '/operator/backup', asAlice)
  const [first, second] = [await start(), await start()]
  expect([first.status, second.status, second.body.type]).toEqual([202, 409, 'backup_running'])
  await expect.poll(async () => (await state()).count).toBe(2)
  await expect.poll(state).toMatchObject({ isOn: true, isRunning: false, problem: '' })
  expect((await state()).sizeBytes).toBeGreaterThan(1000)
  expect((await readdir(folder.path)).filter((name) => name.endsWith('Z'))).toHaveLength(2)
  expect((await blog.activity('?kind=settings')).map(({ action }) => action)).toEqual(['backup'])
})

test('checks say what doctor finds, and a test mail reaches its sender alone', async () => {
  await using blog = await openOperated('SQLite')
  const { alice, asAlice } = blog
  const checks = await blog.call('POST', '/operator/checks', asAlice)
  expect(checks.body).toMatchObject({ isRunning: false })
  const found: [about: string, level: string][] = checks.body.found.map(
    ({ about, level }: { about: string; level: string }) => [about, level],
  )
  expect(found).toContainEqual(['database', 'ok'])
  expect(found).toContainEqual(['server', 'ok'])
  const overview = (await blog.call('GET', '/operator/overview', asAlice)).body
  expect(overview.checks.found).toEqual(checks.body.found)
  const sent = await blog.call('POST', '/operator/mail-test', {
    ...{ ...asAlice, body: { to: 'eve@example.test' } },
  })
  expect(sent.body).toEqual({ to: alice.email, delivery: 'kept' })
  expect(await readdir(join(blog.dataDir, 'outbox'))).toHaveLength(1)
})
