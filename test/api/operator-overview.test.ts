// What operators see first: the news of a week, storage, backups, what doctor finds, and the mail
// that they send to themselves.
import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HealthItem, OperatorOverview } from '#contract/operator.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

/** All of it was checked, after the key became readable for others. */
const shareChecked = shareBlog(async () => {
  const blog = await openBlogWithRoles('SQLite')
  await chmod(join(blog.dataDir, 'api-key'), 0o644)
  const checks = await blog.call('POST', '/operator/checks', blog.asAlice)
  return { ...blog, checks }
})

for (const [kind, tags] of DATABASES)
  test(`the overview counts the news of this week and the one before on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const { alice, bob, asKey } = blog
    const write = (status: string) => blog.create(bob, { title: 'A', content: '<p>a</p>', status })
    await write('active')
    await write('inactive')
    await blog.upload(alice)
    const read = async (): Promise<OperatorOverview> =>
      (await blog.call('GET', '/operator/overview', asKey)).body
    const overview = await read()
    expect(overview).toMatchObject({
      posts: { new: 1, before: 0, total: 1 },
      people: { new: 4, before: 0, total: 4 },
      comments: { new: 0, waiting: 0 },
      reports: { waiting: 0 },
      storage: { files: 1 },
    })
    for (const bytes of [overview.storage.databaseBytes, overview.storage.filesBytes])
      expect(bytes).toBeGreaterThan(100)
    blog.passTime(8 * 86_400_000)
    expect(await read()).toMatchObject({
      posts: { new: 0, before: 1, total: 1 },
      people: { new: 0, before: 4, total: 4 },
    })
  })

test('checks say what doctor finds, and a test mail reaches its sender alone', async () => {
  const blog = await shareChecked()
  const { alice, asAlice, checks } = blog
  expect(checks.body).toMatchObject({ isRunning: false })
  const found: [about: string, level: string][] = checks.body.found.map(
    ({ about, level }: { about: string; level: string }) => [about, level],
  )
  expect(found).toContainEqual(['database', 'ok'])
  expect(found).toContainEqual(['server', 'ok'])
  const overview = (await blog.call('GET', '/operator/overview', asAlice)).body
  expect(overview.checks.found).toEqual(checks.body.found)
  const sent = await blog.call('POST', '/operator/mail-test', {
    ...asAlice,
    body: { to: 'eve@example.test' },
  })
  expect(sent.body).toEqual({ to: alice.email, delivery: 'kept' })
  expect(await readdir(join(blog.dataDir, 'outbox'))).toHaveLength(1)
})

test('health says each subject in one line, what needs an operator first', async () => {
  const blog = await shareChecked()
  const { asAlice, bob } = blog
  const read = async (): Promise<HealthItem[]> =>
    (await blog.call('GET', '/operator/overview', asAlice)).body.health
  const lines = await read()
  expect(lines.map(({ subject }) => subject).toSorted()).toEqual([
    'backups',
    'database',
    'disk',
    'mail',
    'secrets',
    'settings',
  ])
  const levels = ['fault', 'warning', 'ok']
  const order = lines.map(({ level }) => levels.indexOf(level))
  expect(order).toEqual(order.toSorted())
  const lineOf = async (subject: string) => (await read()).find((line) => line.subject === subject)
  expect(await lineOf('mail')).toMatchObject({ code: 'mailKept', facts: { people: 0 } })
  await blog.call('POST', '/account/recovery', {
    body: { email: bob.email, url: `${blog.url}/verifyUserEmailLink` },
  })
  await expect.poll(() => lineOf('mail')).toMatchObject({ facts: { people: 1 } })
  expect(await lineOf('database')).toMatchObject({ level: 'ok', code: 'databaseFine' })
  expect(await lineOf('backups')).toMatchObject({
    code: 'backupsSameDisk',
    facts: { keep: 7, time: '03:00', at: '' },
  })
  await blog.call('PATCH', '/operator/backups', { ...asAlice, body: { isOn: false } })
  expect(await lineOf('backups')).toMatchObject({ level: 'warning', code: 'backupsNone' })
})

test('health names the command for what the server cannot do safely by itself', async () => {
  const blog = await shareChecked()
  const { asAlice } = blog
  const { health } = (await blog.call('GET', '/operator/overview', asAlice)).body
  const readable = health.find(({ code }: HealthItem) => code === 'secretsReadable')
  expect(readable).toMatchObject({
    level: 'warning',
    facts: { command: `chmod 700 ${blog.dataDir} && chmod 600 ${blog.dataDir}/*-key` },
  })
})
