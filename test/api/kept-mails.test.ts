// Mails that are kept because no mail server is set up: operators pass on their links.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OutboxMail, OutboxMails } from '#contract/operator.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { openBlogWithRoles } from '#test/support/blog-with-roles.ts'
import { DATABASES } from '#test/support/databases.ts'
import {
  cookieOf,
  finishRecovery,
  NEW_PASSWORD,
  requestRecovery,
  requestSignInLink,
  requestVerification,
  signIn,
  signInWithLink,
  whoAmI,
} from '#test/support/mail-calls.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

type Blog = Awaited<ReturnType<typeof openBlogWithRoles>>
type Caller = { cookie?: string; headers?: Record<string, string> }

async function listMails(blog: Blog, caller: Caller, query = ''): Promise<OutboxMails> {
  return (await blog.call('GET', `/operator/mails${query}`, caller)).body
}

/** Waits for the mail: it is written after the answer. */
async function untilMails(blog: Blog, count: number, query = ''): Promise<OutboxMail[]> {
  await expect.poll(async () => (await listMails(blog, blog.asKey, query)).list.length).toBe(count)
  return (await listMails(blog, blog.asKey, query)).list
}

const copy = (blog: Blog, caller: Caller, mail: OutboxMail | undefined) =>
  blog.call('POST', `/operator/mails/${mail?.$id}/link`, caller)

function proofIn(link: string) {
  const { searchParams } = new URL(link)
  return { userId: searchParams.get('userId'), secret: searchParams.get('secret') }
}

for (const [kind, tags] of DATABASES)
  describe(`a link on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogWithRoles(kind))

    /** A new author with a mail that has a link, and the list of their mails. */
    async function startWithMail() {
      const blog = await share()
      const carla = await blog.makePerson('carla')
      const query = `?search=${carla.email}`
      await requestRecovery(blog, carla.email)
      const [mail] = await untilMails(blog, 1, query)
      return {
        ...blog,
        blog,
        carla,
        query,
        mail,
        readLinks: async () =>
          (await listMails(blog, blog.asAlice, query)).list.map(({ link }) => link),
      }
    }

    test('is valid until a newer one replaces it', async () => {
      const { blog, carla, query, mail } = await startWithMail()
      expect(mail).toMatchObject({ kind: 'recovery', link: 'valid', canCopy: true })
      await requestRecovery(blog, carla.email)
      expect(await untilMails(blog, 2, query)).toMatchObject([
        { kind: 'recovery', to: carla.email, link: 'valid', canCopy: true },
        { kind: 'recovery', to: carla.email, link: 'expired', canCopy: false, expire: '' },
      ])
    })

    test('is used once, and not copied afterwards', async () => {
      const { blog, asAlice, mail, readLinks } = await startWithMail()
      const { status, body } = await copy(blog, asAlice, mail)
      expect(status).toBe(200)
      expect((await finishRecovery(blog, proofIn(body.link))).status).toBe(200)
      expect(await readLinks()).toEqual(['used'])
      expect(await copy(blog, asAlice, mail)).toMatchObject({
        status: 401,
        body: { type: 'user_invalid_token' },
      })
    })
  })

test('a link expires with its time, but stays used once it is used', async () => {
  await using blog = await openBlogWithRoles('SQLite')
  const { asAlice, bob, reader } = blog
  await requestSignInLink(blog, bob.email)
  await untilMails(blog, 1)
  await requestSignInLink(blog, reader.email)
  const [ofReader] = await untilMails(blog, 2)
  const { link } = (await copy(blog, asAlice, ofReader)).body
  expect((await signInWithLink(blog, proofIn(link))).status).toBe(201)
  blog.passTime(11 * 60_000)
  const { list } = await listMails(blog, asAlice)
  expect(list.map(({ to, link: state }) => [to, state])).toEqual([
    [reader.email, 'used'],
    [bob.email, 'expired'],
  ])
})

for (const [kind, tags] of DATABASES)
  test(`a link that one operator has copied is not for another one, and ends with that role on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const { alice, bob, reader, setRole } = blog
    await setRole(bob.id, 'operator')
    await requestSignInLink(blog, reader.email)
    const [mail] = await untilMails(blog, 1)
    const copies = await Promise.all(
      [alice, bob].map(async (by) => ({ by, ...(await copy(blog, by, mail)) })),
    )
    const first = copies.find(({ status }) => status === 200)
    const other = copies.find(({ status }) => status === 401)
    if (!first || !other) throw new Error('one of the two copies it')
    expect((await copy(blog, first.by, mail)).status).toBe(200)
    expect((await copy(blog, other.by, mail)).status).toBe(401)
    expect((await listMails(blog, other.by)).list[0]?.canCopy).toBe(false)
    await setRole(first.by.id, 'author')
    const body = proofIn(first.body.link)
    expect((await blog.call('POST', '/account/sessions/token', { body })).status).toBe(401)
  })

for (const [kind, tags] of DATABASES)
  test(`a password that a copied link has set ends when another operator gives the role, on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await openBlogWithRoles(kind)
    const { asAlice, bob, reader, setRole } = blog
    const known = { email: bob.email, password: NEW_PASSWORD }
    const olga = await blog.makePerson('olga')
    await setRole(olga.id, 'operator')
    const promote = (by: Caller, role: string) =>
      blog.call('PATCH', `/users/${bob.id}/role`, { ...by, body: { role } })
    await requestRecovery(blog, bob.email)
    const [mail] = await untilMails(blog, 1)
    const { body } = await copy(blog, asAlice, mail)
    await finishRecovery(blog, proofIn(body.link))
    const cookie = cookieOf(await signIn(blog, known))

    // Who has copied the link could give the role to an account of their own.
    expect((await promote(asAlice, 'operator')).status).toBe(200)
    expect((await whoAmI(blog, cookie)).status).toBe(200)
    await promote(asAlice, 'author')
    expect((await promote({ cookie: olga.cookie }, 'operator')).status).toBe(200)
    expect((await whoAmI(blog, cookie)).status).toBe(401)
    expect((await signIn(blog, known)).status).toBe(401)

    // A link that nobody has copied is the owner's alone.
    expect((await setRole(reader.id, 'operator')).status).toBe(200)
    expect((await whoAmI(blog, reader.cookie)).status).toBe(200)
  })

describe('of a recovery, a code and a verification', () => {
  const sharedBlog = shareBlog(async () => {
    const blog = await openBlogWithRoles('SQLite')
    const { bob, reader } = blog
    await requestRecovery(blog, bob.email)
    await untilMails(blog, 1)
    const body = { userId: 'unique()', email: bob.email }
    await blog.call('POST', '/account/tokens/email', { body })
    await untilMails(blog, 2)
    await requestVerification(blog, reader.cookie)
    await untilMails(blog, 3)
    return blog
  })

  test('each copied link is in Activity, with the name of who copied it', async () => {
    const blog = await sharedBlog()
    const { asAlice, bob, alice } = blog
    const [mail] = (await listMails(blog, asAlice, '?kind=recovery')).list
    await copy(blog, asAlice, mail)
    expect((await blog.activity('?kind=people'))[0]).toMatchObject({
      actorId: alice.id,
      action: 'linkCopied',
      subjectType: 'person',
      subjectId: bob.id,
      subjectName: bob.email,
      details: { mail: 'recovery' },
    })
  })

  test('an opened mail shows its words without the secret, and no list shows one', async () => {
    const blog = await sharedBlog()
    const { asAlice, bob } = blog
    const [code, recovery] = (await listMails(blog, asAlice, '?search=bob')).list
    const files = (await readdir(join(blog.dataDir, 'outbox'))).toSorted()
    const raw = await readFile(join(blog.dataDir, 'outbox', files[0] ?? ''), 'utf8')
    const secret = /secret=([0-9a-f]+)/.exec(raw)?.[1] ?? ''
    expect(secret).toHaveLength(256)
    const opened = await blog.call('GET', `/operator/mails/${recovery?.$id}`, asAlice)
    expect(opened.body).toMatchObject({ kind: 'recovery', to: bob.email, link: 'valid' })
    expect(opened.body.text).toContain('secret=…')
    // Whole, to the signature.
    expect(opened.body.text).toMatch(/^Hello,[\s\S]*\n-- \nWeb App, localhost:\d+$/)
    const digits = (await copy(blog, asAlice, code)).body.link
    expect(digits).toMatch(/^\d{6}$/)
    const openedCode = await blog.call('GET', `/operator/mails/${code?.$id}`, asAlice)
    const list = await blog.call('GET', '/operator/mails', asAlice)
    for (const { bytes } of [opened, openedCode, list]) {
      expect(bytes.toString()).not.toContain(secret)
      expect(bytes.toString()).not.toContain(digits)
    }
  })

  test('kept mails are found by recipient and kind', async () => {
    const blog = await sharedBlog()
    const { asAlice, bob, reader } = blog
    const found = async (query: string) =>
      (await listMails(blog, asAlice, query)).list.map(({ to }) => to)
    expect(await found('?search=BOB%40')).toEqual([bob.email, bob.email])
    expect(await found('?kind=verification')).toEqual([reader.email])
    expect(await found('?search=bob&kind=verification')).toEqual([])
    expect((await blog.call('GET', '/operator/mails?kind=spam', asAlice)).status).toBe(400)
  })

  test('only operators and the key see kept mails', async () => {
    const blog = await sharedBlog()
    const { bob, reader, blocked, asKey } = blog
    const [mail] = (await listMails(blog, asKey)).list
    for (const caller of [
      {},
      { cookie: bob.cookie },
      { cookie: reader.cookie },
      { cookie: blocked.cookie },
    ])
      for (const [method, path] of [
        ['GET', '/operator/mails'],
        ['GET', `/operator/mails/${mail?.$id}`],
        ['POST', `/operator/mails/${mail?.$id}/link`],
      ] as const)
        expect((await blog.call(method, path, caller)).status).toBe(401)
    for (const id of ['nothing', '..%2Fapi-key', `${mail?.$id}x`])
      expect(await blog.call('GET', `/operator/mails/${id}`, asKey)).toMatchObject({
        status: 404,
        body: { type: 'kept_mail_not_found' },
      })
  })

  test('an invitation is valid until it is accepted, withdrawn or over', async () => {
    const blog = await sharedBlog()
    const { asAlice } = blog
    const invite = (email: string) =>
      blog.call('POST', '/invitations', { ...asAlice, body: { email, role: 'author' } })
    await invite('ines@invited.test')
    await untilMails(blog, 1, '?search=invited.test')
    const withdrawn = await invite('paul@invited.test')
    const [ofPaul, ofInes] = await untilMails(blog, 2, '?search=invited.test')
    expect([ofPaul?.link, ofInes?.link]).toEqual(['valid', 'valid'])
    await blog.call('DELETE', `/invitations/${withdrawn.body.$id}`, asAlice)
    const { link } = (await copy(blog, asAlice, ofInes)).body
    const accepted = await blog.call('POST', '/account', {
      body: {
        ...proofIn(link),
        email: 'ines@invited.test',
        password: 'lamps are liked',
        name: 'Ines',
      },
    })
    expect(accepted.status).toBe(201)
    expect(
      (await listMails(blog, asAlice, '?search=invited.test')).list.map((mail) => mail.link),
    ).toEqual(['expired', 'used'])
  })

  test('the link of another operator is for the server alone; the own one and the key’s are not', async () => {
    const blog = await sharedBlog()
    const { asAlice, alice, bob, asKey, setRole } = blog
    await setRole(bob.id, 'operator')
    // One that nobody has copied.
    await requestRecovery(blog, bob.email)
    await untilMails(blog, 2, '?kind=recovery')
    await requestVerification(blog, alice.cookie)
    const [own] = await untilMails(blog, 1, `?search=${alice.email}`)
    const [ofBob] = (await listMails(blog, asAlice, '?kind=recovery')).list
    expect(own?.canCopy).toBe(true)
    expect(ofBob).toMatchObject({ link: 'valid', canCopy: false })
    expect(await copy(blog, asAlice, ofBob)).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized' },
    })
    expect((await copy(blog, asAlice, own)).status).toBe(200)
    expect((await copy(blog, asKey, ofBob)).status).toBe(200)
    // The role is read anew: the same link is no longer that of an operator.
    await setRole(bob.id, 'author')
    expect((await copy(blog, asAlice, ofBob)).status).toBe(200)
  })

  test('a link that makes an operator is for who has invited, and ends with that role', async () => {
    const blog = await sharedBlog()
    const { asAlice, bob, asKey, setRole } = blog
    await setRole(bob.id, 'operator')
    const invite = (caller: Caller, name: string, role: string) =>
      blog.call('POST', '/invitations', {
        ...caller,
        body: { email: `${name}@operators.test`, role },
      })
    await invite(asAlice, 'ines', 'operator')
    await untilMails(blog, 1, '?search=operators.test')
    await invite(asKey, 'ivan', 'operator')
    await untilMails(blog, 2, '?search=operators.test')
    await invite(asAlice, 'paul', 'author')
    const mails = await untilMails(blog, 3, '?search=operators.test')
    const copied = async (caller: Caller) =>
      Promise.all(mails.map(async (mail) => (await copy(blog, caller, mail)).status))
    expect(await copied({ cookie: bob.cookie })).toEqual([200, 401, 401])
    expect(await copied(asAlice)).toEqual([200, 401, 200])
    expect(await copied(asKey)).toEqual([200, 200, 200])
    await setRole(blog.alice.id, 'author')
    expect(
      (await listMails(blog, asKey, '?search=operators.test')).list.map(({ link }) => link),
    ).toEqual(['valid', 'valid', 'expired'])
  })
})

test('nobody sees kept mails where mail is switched off', async () => {
  await using blog = await openBlogOn('SQLite', { BLOG_MAIL: 'off' })
  expect((await blog.call('GET', '/operator/mails', blog.asKey)).status).toBe(404)
})
