// The operator's commands as an operator runs them: `npm run admin` against a running blog, `npm
// run mail:test` against a mail server.
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findPort } from '#scripts/processes.ts'
import { makeTestBlog, type TestBlog } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import {
  cookieOf,
  finishRecovery,
  requestRecovery,
  signIn,
  signInWithLink,
  whoAmI,
} from '#test/support/mail-calls.ts'
import { readMail } from '#test/support/mail-text.ts'
import { type Outcome, runScript } from '#test/support/run-script.ts'
import { makeSmtpSink } from '#test/support/smtp-sink.ts'

const admin = (blog: TestBlog, ...args: string[]) =>
  runScript('admin.ts', args, {
    BLOG_DATA_DIR: blog.dataDir,
    PORT: new URL(blog.url).port,
    HOST: '127.0.0.1',
  })

test('the operator lists, blocks and unblocks people', { tags: ['more'] }, async () => {
  await using blog = await makeTestBlog({ BLOG_MAIL: 'off' })
  const [alice] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
  const list = await admin(blog, 'users')
  expect([list.code, list.err]).toEqual([0, ''])
  const day = new Date().toISOString().slice(0, 10)
  expect(list.out).toBe(
    `EMAIL\tNAME\tSINCE\tSTATE\tROLE\nalice@example.test\talice\t${day}\tactive\tauthor\nbob@example.test\tbob\t${day}\tactive\tauthor\n`,
  )

  expect(await admin(blog, 'block', ' ALICE@example.test')).toEqual({
    code: 0,
    out: 'alice@example.test is blocked: all sessions have ended, and nobody reads their posts.\n',
    err: '',
  })
  expect([
    (await whoAmI(blog, alice.cookie)).status,
    (await signIn(blog, alice)).body.type,
  ]).toEqual([401, 'user_blocked'])
  expect((await admin(blog, 'users')).out).toContain(`alice\t${day}\tblocked\tauthor\n`)
  const outcome = await admin(blog, 'link', alice.email)
  expect([outcome.code, outcome.out, outcome.err]).toEqual([
    1,
    '',
    'Refused: This account has been blocked.\n',
  ])
  expect((await admin(blog, 'unblock', alice.email)).out).toBe(
    'alice@example.test may sign in again, and their posts are back.\n',
  )
  expect((await signIn(blog, alice)).status).toBe(201)
  expect((await admin(blog, 'role', alice.email, 'reader')).out).toBe(
    'alice@example.test is now: reader.\n',
  )
  expect((await admin(blog, 'role', alice.email, 'king')).err).toMatch(/^Refused: .*role/)
})

test('the operator lets people in by a link, and deletes them', { tags: ['more'] }, async () => {
  await using blog = await makeTestBlog({ BLOG_MAIL: 'off' })
  const [alice] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
  const result = await admin(blog, 'link', alice.email)
  const link = new URL(/^https?:\S+$/m.exec(result.out)?.[0] ?? '')
  expect(`${link.origin}${link.pathname}`).toBe(`${blog.url}/auth/magic-url`)
  const proof = { userId: link.searchParams.get('userId'), secret: link.searchParams.get('secret') }
  const session = await signInWithLink(blog, proof)
  expect((await whoAmI(blog, cookieOf(session))).body.email).toBe(alice.email)

  const unasked = await admin(blog, 'delete', alice.email)
  expect([unasked.code, unasked.out, unasked.err]).toEqual([
    1,
    '',
    'Delete alice@example.test with all posts, likes and files, for good? Nobody is here to ask: say --yes\n',
  ])
  expect((await whoAmI(blog, cookieOf(session))).status).toBe(200)
  expect((await admin(blog, 'delete', alice.email, '--yes')).out).toBe(
    'alice@example.test is deleted.\n',
  )
  expect((await whoAmI(blog, cookieOf(session))).status).toBe(401)
  expect((await admin(blog, 'users')).out.split('\n')).toHaveLength(3)
})

test('the operator lists, hides and removes posts', async () => {
  await using blog = await makeTestBlog({ BLOG_MAIL: 'off' })
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const id = await documents.post(alice, { title: 'Lamps \u202e and \u2066 moths 👩‍🌾' })
  const other = await documents.post(bob, { title: 'Ours', status: 'inactive' })
  const day = new Date().toISOString().slice(0, 10)
  const head = 'POST\tSTATUS\tHIDDEN\tDATE\tAUTHOR\tTITLE\n'
  const line = (hidden: string) =>
    `${id}\tactive\t${hidden}\t${day}\talice <alice@example.test>\tLamps  and  moths 👩‍🌾\n`
  const bobs = (hidden: string) =>
    `${other}\tinactive\t${hidden}\t${day}\tbob <bob@example.test>\tOurs\n`
  expect((await admin(blog, 'posts')).out).toBe(head + bobs('-') + line('-'))

  expect((await admin(blog, 'hide', id)).out).toMatch(/^“Lamps.*” is hidden/)
  expect((await documents.get(bob, id)).status).toBe(404)
  expect((await admin(blog, 'posts', alice.email)).out).toBe(head + line('hidden'))

  const { featuredImage } = (await documents.get('key', id)).body
  expect((await admin(blog, 'remove', id)).out).toMatch(/^“Lamps.*” is removed/)
  expect((await documents.get('key', id)).status).toBe(404)
  const view = `/storage/buckets/content/files/${featuredImage}/view?project=blog`
  await expect.poll(async () => (await blog.call('GET', view)).status).toBe(404)
})

test('the operator shows a hidden post again, sees blocked authors, and cannot remove a deleted post', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog({ BLOG_MAIL: 'off' })
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  const id = await documents.post(alice, { title: 'Lamps' })
  await admin(blog, 'hide', id)
  expect((await documents.get(bob, id)).status).toBe(404)
  expect((await admin(blog, 'show', id)).out).toMatch(/^“Lamps” is shown again/)
  expect((await documents.get(bob, id)).status).toBe(200)
  await admin(blog, 'block', alice.email)
  expect((await admin(blog, 'posts', alice.email)).out).toContain(`${id}\tactive\tauthor blocked\t`)
  await documents.remove('key', id)
  expect((await admin(blog, 'remove', id)).err).toBe('Refused: There is no such post.\n')
})

test('the operator invites somebody, lists invitations and revokes them', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog({ BLOG_MAIL: 'off', BLOG_REGISTRATION: 'closed' })
  const result = await admin(blog, 'invite', ' Carla@example.test', '--from', 'Ines')
  const link = new URL(/^https?:\S+$/m.exec(result.out)?.[0] ?? '')
  expect(`${link.origin}${link.pathname}`).toBe(`${blog.url}/invitation`)
  const until = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
  expect((await admin(blog, 'invitations')).out).toBe(
    `EMAIL\tFROM\tUNTIL\tSENT\ncarla@example.test\tInes\t${until}\tlink printed\n`,
  )
  expect((await admin(blog, 'uninvite', 'CARLA@example.test')).out).toBe(
    'The invitation of carla@example.test works no longer.\n',
  )
  const proof = { userId: link.searchParams.get('userId'), secret: link.searchParams.get('secret') }
  const answer = await blog.call('POST', '/account/invitation', { body: proof })
  expect(answer.body.type).toBe('user_invalid_token')
  expect((await admin(blog, 'uninvite', 'carla@example.test')).err).toBe(
    'There is no invitation for carla@example.test\n',
  )
})

test('mails stored on the server are listed with their links', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog({ BLOG_SITE_NAME: 'Lämpchen' })
  const alice = await blog.makePerson('alice')
  expect((await admin(blog, 'mails')).out).toBe('DATE\tTO\tSUBJECT\tLINK\n')
  await requestRecovery(blog, alice.email)
  const listMails = () => admin(blog, 'mails', ' ALICE@example.test')
  await expect
    .poll(async () => (await listMails()).out)
    .toMatch(
      /^DATE\tTO\tSUBJECT\tLINK\n[-\d]{10} [\d:]{5}\talice@example\.test\tSet a new password – Lämpchen\thttp\S+\n$/,
    )
  const { searchParams } = new URL(/http\S+/.exec((await listMails()).out)?.[0] ?? '')
  const proof = { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
  expect((await finishRecovery(blog, proof)).status).toBe(200)
  expect((await admin(blog, 'mails', 'bob@example.test')).out.split('\n')).toHaveLength(2)
})

test('a refused command says why in one line and changes nothing', {
  tags: ['more'],
}, async () => {
  await using blog = await makeTestBlog()
  const { email, cookie } = await blog.makePerson('alice')
  const port = String(await findPort())
  const cases: [ran: Promise<Outcome>, says: string][] = [
    [admin(blog), 'npm run admin -- users'],
    [admin(blog, 'block'), 'npm run admin -- users'],
    [admin(blog, 'constructor', email), 'npm run admin -- users'],
    [admin(blog, '--nonsense'), 'npm run admin -- users'],
    [
      admin(blog, 'block', 'nobody@example.test'),
      'There is no account with the email nobody@example.test',
    ],
    [
      admin(blog, 'block', email, '--key', 'wrong'),
      'Refused: User (role: guests) missing scope (users.read)',
    ],
    [
      admin(blog, 'block', email, '--url', `http://127.0.0.1:${port}`),
      `No server answers at http://127.0.0.1:${port}`,
    ],
    [
      runScript('admin.ts', ['users'], { BLOG_DATA_DIR: join(blog.dataDir, 'none'), PORT: port }),
      'There is no API key in',
    ],
  ]
  for (const [ran, says] of cases) {
    const { code, out, err } = await ran
    expect([code, out, err.startsWith(says) ? says : err]).toEqual([1, '', says])
  }
  expect((await whoAmI(blog, cookie)).status).toBe(200)
})

test('the test mail arrives, and the reply of the mail server is shown', {
  tags: ['more'],
}, async () => {
  await using sink = await makeSmtpSink()
  const result = await runScript('mail-test.ts', ['alice@example.test'], {
    ...sink.env,
    BLOG_SITE_NAME: 'The Lamp',
  })
  expect([result.code, result.err]).toEqual([0, ''])
  expect(result.out).toMatch(/^The mail server took it: 250 /)
  expect(sink.mails).toMatchObject([
    { recipients: ['alice@example.test'], subject: 'Mail works – The Lamp' },
  ])
  sink.refuseNext(1, { code: 550, words: 'no such mailbox' })
  const outcome = await runScript('mail-test.ts', ['nobody@example.test'], sink.env)
  expect([outcome.code, outcome.out]).toEqual([1, ''])
  expect(outcome.err).toContain('550 no such mailbox')
})

test('without a mail server the test mail is a file; with mail off or no address there is none', {
  tags: ['more'],
}, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lamplight-mail-test-'))
  const env = { BLOG_DATA_DIR: folder.path }
  const off = await runScript('mail-test.ts', ['alice@example.test'], { ...env, BLOG_MAIL: 'off' })
  expect([off.code, off.err]).toEqual([1, 'Mail is switched off: BLOG_MAIL=off\n'])
  expect((await runScript('mail-test.ts', [], env)).code).toBe(1)
  expect(await readdir(folder.path)).toEqual([])
  const result = await runScript('mail-test.ts', ['alice@example.test'], env)
  expect([result.code, result.err]).toEqual([0, ''])
  const [name = ''] = await readdir(join(folder.path, 'outbox'))
  expect(result.out).toContain(join('outbox', name))
  expect(readMail(await readFile(join(folder.path, 'outbox', name), 'utf8')).to).toBe(
    'alice@example.test',
  )
})
