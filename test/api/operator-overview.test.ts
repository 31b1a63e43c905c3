// The overview for operators: the news of a week, storage, backups, the findings of doctor, and the
// test mail.
import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HealthItem, OperatorOverview } from '#contract/operator.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

/** A blog on which all checks have run after the key file became readable for other users. */
const shareChecked = shareBlog(async () => {
  const blog = await openBlogWithRoles('SQLite')
  await chmod(join(blog.dataDir, 'api-key'), 0o644)
  const checks = await blog.call('POST', '/operator/checks', blog.asAlice)
  return { ...blog, checks }
})
type Checked = Awaited<ReturnType<typeof shareChecked>>

for (const [kind, tags] of DATABASES)
  test(`the overview counts what is new this week and was new in the week before on ${kind}`, {
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

test('checks return what doctor finds, and the overview repeats it', async () => {
  const { call, asAlice, checks } = await shareChecked()
  expect(checks.body).toMatchObject({ isRunning: false })
  const findings: [about: string, level: string][] = checks.body.found.map(
    ({ about, level }: { about: string; level: string }) => [about, level],
  )
  expect(findings).toContainEqual(['database', 'ok'])
  expect(findings).toContainEqual(['server', 'ok'])
  const overview = (await call('GET', '/operator/overview', asAlice)).body
  expect(overview.checks.found).toEqual(checks.body.found)
})

test('a test mail goes to the operator who sends it, whatever address the request names', async () => {
  const { call, dataDir, alice, asAlice } = await shareChecked()
  const countMails = async () => (await readdir(join(dataDir, 'outbox')).catch(() => [])).length
  const before = await countMails()
  const body = { to: 'eve@example.test' }
  const answer = await call('POST', '/operator/mail-test', { ...asAlice, body })
  expect(answer.body).toEqual({ to: alice.email, delivery: 'kept' })
  expect(await countMails()).toBe(before + 1)
})

const readHealth = async ({ call, asAlice }: Checked): Promise<HealthItem[]> =>
  (await call('GET', '/operator/overview', asAlice)).body.health
const readSubject = async (blog: Checked, name: string) =>
  (await readHealth(blog)).find(({ subject }) => subject === name)

test('health has one line for each subject, and lines that need an operator come first', async () => {
  const lines = await readHealth(await shareChecked())
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
})

test('health counts the users with mails that wait for an operator', async () => {
  const blog = await shareChecked()
  const before = await readSubject(blog, 'mail')
  expect(before).toMatchObject({ code: 'mailKept', facts: { people: 0 } })
  await blog.call('POST', '/account/recovery', {
    body: { email: blog.bob.email, url: `${blog.url}/verifyUserEmailLink` },
  })
  await expect.poll(() => readSubject(blog, 'mail')).toMatchObject({ facts: { people: 1 } })
})

test('health reports that the database is fine', async () => {
  const blog = await shareChecked()
  expect(await readSubject(blog, 'database')).toMatchObject({ level: 'ok', code: 'databaseFine' })
})

test('health warns when backups are on the same disk, and when they are turned off', async () => {
  const blog = await shareChecked()
  const { call, asAlice } = blog
  expect(await readSubject(blog, 'backups')).toMatchObject({
    code: 'backupsSameDisk',
    facts: { keep: 7, time: '03:00', at: '' },
  })
  await call('PATCH', '/operator/backups', { ...asAlice, body: { isOn: false } })
  expect(await readSubject(blog, 'backups')).toMatchObject({
    level: 'warning',
    code: 'backupsNone',
  })
})

test('health names the command that repairs what the server cannot repair safely itself', async () => {
  const blog = await shareChecked()
  const readable = (await readHealth(blog)).find(({ code }) => code === 'secretsReadable')
  expect(readable).toMatchObject({
    level: 'warning',
    facts: { command: `chmod 700 ${blog.dataDir} && chmod 600 ${blog.dataDir}/*-key` },
  })
})
