// Mails that are stored because no mail server is set up: operators can pass on their links.
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

/** Waits for the mail, because it is written after the answer. */
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
    const sharedBlog = shareBlog(() => openBlogWithRoles(kind))

    /** A new author with a mail that has a link, and the list of their mails. */
    async function startWithMail() {
      const blog = await sharedBlog()
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
        readLinkStates: async () =>
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

    test('can be used once, and cannot be copied afterwards', async () => {
      const { blog, asAlice, mail, readLinkStates } = await startWithMail()
      const { status, body } = await copy(blog, asAlice, mail)
      expect(status).toBe(200)
      expect((await finishRecovery(blog, proofIn(body.link))).status).toBe(200)
      expect(await readLinkStates()).toEqual(['used'])
      expect(await copy(blog, asAlice, mail)).toMatchObject({
        status: 401,
        body: { type: 'user_invalid_token' },
      })
    })

    /** A mail to a reader. Two operators tried to copy its link at once, and one succeeded. */
    async function startWithCopiedLink() {
      const blog = await sharedBlog()
      const reader = await blog.makePerson('reader')
      const bob = await blog.makePerson('bob')
      const olga = await blog.makePerson('olga')
      for (const { id } of [bob, olga]) await blog.setRole(id, 'operator')
      await requestSignInLink(blog, reader.email)
      const [mail] = await untilMails(blog, 1, `?search=${reader.email}`)
      const copies = await Promise.all(
        [olga, bob].map(async (by) => ({ by, ...(await copy(blog, by, mail)) })),
      )
      const first = copies.find(({ status }) => status === 200)
      const other = copies.find(({ status }) => status === 401)
      if (!first || !other) throw new Error('exactly one of two copies should succeed')
      return { blog, mail, query: `?search=${reader.email}`, first, other }
    }

    test('can be copied by one operator only, but by them again', async () => {
      const { blog, mail, query, first, other } = await startWithCopiedLink()
      expect((await copy(blog, first.by, mail)).status).toBe(200)
      expect((await copy(blog, other.by, mail)).status).toBe(401)
      expect((await listMails(blog, other.by, query)).list[0]?.canCopy).toBe(false)
    })

    test('is void once the operator who copied it is no longer an operator', async () => {
      const { blog, first } = await startWithCopiedLink()
      await blog.setRole(first.by.id, 'author')
      const body = proofIn(first.body.link)
      expect((await blog.call('POST', '/account/sessions/token', { body })).status).toBe(401)
    })

    /** An author who set a password with a link that alice had copied. */
    async function startWithPassword() {
      const { blog, asAlice, carla, mail } = await startWithMail()
      const { body } = await copy(blog, asAlice, mail)
      await finishRecovery(blog, proofIn(body.link))
      const credentials = { email: carla.email, password: NEW_PASSWORD }
      const cookie = cookieOf(await signIn(blog, credentials))
      const promote = async (by: Caller) =>
        (await blog.call('PATCH', `/users/${carla.id}/role`, { ...by, body: { role: 'operator' } }))
          .status
      return { blog, asAlice, credentials, cookie, promote }
    }

    // The operator who copied the link could just as well give the role to an account of their own.
    test('sets a password that stays when the operator who copied it promotes its recipient', async () => {
      const { blog, asAlice, cookie, promote } = await startWithPassword()
      expect(await promote(asAlice)).toBe(200)
      expect((await whoAmI(blog, cookie)).status).toBe(200)
    })

    test('sets a password that is removed when another operator promotes its recipient', async () => {
      const { blog, credentials, cookie, promote } = await startWithPassword()
      const olga = await blog.makePerson('olga')
      await blog.setRole(olga.id, 'operator')
      expect(await promote({ cookie: olga.cookie })).toBe(200)
      expect((await whoAmI(blog, cookie)).status).toBe(401)
      expect((await signIn(blog, credentials)).status).toBe(401)
    })

    test('ends no sessions when its recipient is promoted and nobody has copied it', async () => {
      const { blog, carla } = await startWithMail()
      expect((await blog.setRole(carla.id, 'operator')).status).toBe(200)
      expect((await whoAmI(blog, carla.cookie)).status).toBe(200)
    })
  })

test('an unused link is listed as expired after its time, and a used one stays used', async () => {
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

describe('stored mails for a recovery, a code and a verification', () => {
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

  test('Activity records each copied link with the operator who copied it', async () => {
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

  /** The mails with a code and a recovery, opened, and the secrets in them. */
  async function openMails() {
    const blog = await sharedBlog()
    const { asAlice } = blog
    const [code, recovery] = (await listMails(blog, asAlice, '?search=bob')).list
    const open = (mail: OutboxMail | undefined) =>
      blog.call('GET', `/operator/mails/${mail?.$id}`, asAlice)
    const files = (await readdir(join(blog.dataDir, 'outbox'))).toSorted()
    const raw = await readFile(join(blog.dataDir, 'outbox', files[0] ?? ''), 'utf8')
    const secret = /secret=([0-9a-f]+)/.exec(raw)?.[1] ?? ''
    const digits: string = (await copy(blog, asAlice, code)).body.link
    return { blog, code: await open(code), recovery: await open(recovery), secret, digits }
  }

  test('an opened mail shows its full text, and its link without the secret', async () => {
    const { blog, recovery } = await openMails()
    const { body } = recovery
    expect(body).toMatchObject({ kind: 'recovery', to: blog.bob.email, link: 'valid' })
    expect(body.text).toContain('secret=…')
    // The full text, including the signature.
    expect(body.text).toMatch(/^Hello,[\s\S]*\n-- \nWeb App, localhost:\d+$/)
  })

  test('neither opened mails nor their list contain a secret or a code', async () => {
    const { blog, code, recovery, secret, digits } = await openMails()
    expect(secret).toHaveLength(256)
    expect(digits).toMatch(/^\d{6}$/)
    const list = await blog.call('GET', '/operator/mails', blog.asAlice)
    for (const { bytes } of [recovery, code, list]) {
      expect(bytes.toString()).not.toContain(secret)
      expect(bytes.toString()).not.toContain(digits)
    }
  })

  test('can be found by recipient and kind', async () => {
    const blog = await sharedBlog()
    const { asAlice, bob, reader } = blog
    const listRecipients = async (query: string) =>
      (await listMails(blog, asAlice, query)).list.map(({ to }) => to)
    expect(await listRecipients('?search=BOB%40')).toEqual([bob.email, bob.email])
    expect(await listRecipients('?kind=verification')).toEqual([reader.email])
    expect(await listRecipients('?search=bob&kind=verification')).toEqual([])
    expect((await blog.call('GET', '/operator/mails?kind=spam', asAlice)).status).toBe(400)
  })

  test('can be seen only by operators and the key', async () => {
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
  })

  test('a mail that is not stored is not found', async () => {
    const blog = await sharedBlog()
    const [mail] = (await listMails(blog, blog.asKey)).list
    for (const id of ['nothing', '..%2Fapi-key', `${mail?.$id}x`])
      expect(await blog.call('GET', `/operator/mails/${id}`, blog.asKey)).toMatchObject({
        status: 404,
        body: { type: 'kept_mail_not_found' },
      })
  })

  test('an invitation is listed as valid until it is accepted or withdrawn', async () => {
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

  describe('with invitations to become an operator', () => {
    /** Invitations by olga, by the key, and by olga to be an author; newest first. */
    async function inviteOperators() {
      const blog = await sharedBlog()
      const olga = await blog.makePerson('olga')
      await blog.setRole(olga.id, 'operator')
      const asOlga = { cookie: olga.cookie }
      const domain = `${olga.id.slice(-8)}.test`
      const query = `?search=${domain}`
      const invite = (caller: Caller, name: string, role: string) =>
        blog.call('POST', '/invitations', {
          ...caller,
          body: { email: `${name}@${domain}`, role },
        })
      await invite(asOlga, 'ines', 'operator')
      await untilMails(blog, 1, query)
      await invite(blog.asKey, 'ivan', 'operator')
      await untilMails(blog, 2, query)
      await invite(asOlga, 'paul', 'author')
      return { blog, olga, asOlga, query, mails: await untilMails(blog, 3, query) }
    }

    test('a link can be copied by the key, and by the operator who sent the invitation', async () => {
      const { blog, asOlga, mails } = await inviteOperators()
      const copyStatuses = async (caller: Caller) =>
        Promise.all(mails.map(async (mail) => (await copy(blog, caller, mail)).status))
      expect(await copyStatuses(blog.asAlice)).toEqual([200, 401, 401])
      expect(await copyStatuses(asOlga)).toEqual([200, 401, 200])
      expect(await copyStatuses(blog.asKey)).toEqual([200, 200, 200])
    })

    test('a link expires when the operator who sent the invitation loses the role', async () => {
      const { blog, olga, query } = await inviteOperators()
      await blog.setRole(olga.id, 'author')
      const { list } = await listMails(blog, blog.asKey, query)
      expect(list.map(({ link }) => link)).toEqual(['valid', 'valid', 'expired'])
    })
  })
})

describe('a link in a mail to an operator', () => {
  const sharedBlog = shareBlog(() => openBlogWithRoles('SQLite'))

  /** A mail to a new operator; nobody has copied its link. */
  async function start() {
    const blog = await sharedBlog()
    const olga = await blog.makePerson('olga')
    await blog.setRole(olga.id, 'operator')
    await requestRecovery(blog, olga.email)
    const [mail] = await untilMails(blog, 1, `?search=${olga.email}`)
    return { blog, olga, mail }
  }

  test('cannot be copied by another operator', async () => {
    const { blog, olga, mail } = await start()
    const { list } = await listMails(blog, blog.asAlice, `?search=${olga.email}`)
    expect(list).toMatchObject([{ link: 'valid', canCopy: false }])
    expect(await copy(blog, blog.asAlice, mail)).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized' },
    })
  })

  test('can be copied by its recipient', async () => {
    const { blog, olga } = await start()
    await requestVerification(blog, olga.cookie)
    const query = `?search=${olga.email}&kind=verification`
    await untilMails(blog, 1, query)
    const asOlga = { cookie: olga.cookie }
    const [ownMail] = (await listMails(blog, asOlga, query)).list
    expect(ownMail?.canCopy).toBe(true)
    expect((await copy(blog, asOlga, ownMail)).status).toBe(200)
  })

  test('can be copied by the key', async () => {
    const { blog, mail } = await start()
    expect((await copy(blog, blog.asKey, mail)).status).toBe(200)
  })

  test('can be copied by another operator once its recipient is no longer an operator', async () => {
    const { blog, olga, mail } = await start()
    await blog.setRole(olga.id, 'author')
    expect((await copy(blog, blog.asAlice, mail)).status).toBe(200)
  })
})

test('nobody can see stored mails while mail is switched off', async () => {
  await using blog = await openBlogOn('SQLite', { BLOG_MAIL: 'off' })
  expect((await blog.call('GET', '/operator/mails', blog.asKey)).status).toBe(404)
})
