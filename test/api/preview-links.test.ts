// Preview links over HTTP: who makes, opens and withdraws one, when it ends, and attacks on it.
import { describe, expect, test } from 'vitest'
import { readBuiltPages } from '#backend/pages/built-pages.ts'
import { PREVIEW_LINK_DAYS } from '#contract/preview-links.ts'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DRAFT = { status: 'inactive', title: 'The night ferry', content: '<p>Not yet.</p>' }
const ENDED = { code: 404, type: 'preview_link_ended' }

for (const [kind, tags] of DATABASES)
  describe(`a preview link on ${kind}`, { tags }, () => {
    const share = shareBlog(() => openBlogOn(kind))

    async function prepare(data: Record<string, unknown> = {}) {
      const blog = await share()
      const { alice } = blog
      const id = await blog.post(alice, { ...DRAFT, ...data })
      const linkCall = (method: string, person?: Person, postId = id) =>
        blog.call(method, `${DOCUMENTS}/${postId}/preview-link`, {
          ...(person && { cookie: person.cookie }),
          ...(method === 'GET' ? {} : { body: {} }),
        })
      const open = (secret: string, query = '', person?: Person) =>
        blog.call('GET', `/previews/${secret}${query}`, person ? { cookie: person.cookie } : {})
      const made = await linkCall('POST', alice)
      return { blog, alice, bob: blog.bob, id, made, secret: made.body.secret, linkCall, open }
    }

    test('shows a guest the draft with its text, picture and author', async () => {
      const { blog, id, open, secret } = await prepare()
      const { body: post } = await blog.get(blog.alice, id)
      expect(await open(secret)).toMatchObject({
        status: 200,
        body: {
          $id: id,
          title: DRAFT.title,
          content: DRAFT.content,
          userName: 'alice',
          ownImage: post.featuredImage,
        },
      })
    })

    test('always shows the newest stored state', async () => {
      const { blog, alice, id, open, secret } = await prepare()
      await blog.patch(alice, id, { title: 'Second attempt', content: '<p>Later.</p>' })
      expect((await open(secret)).body).toMatchObject({
        title: 'Second attempt',
        content: '<p>Later.</p>',
      })
    })

    test('ends when a new one is made', async () => {
      const { alice, linkCall, open, secret } = await prepare()
      const newer = await linkCall('POST', alice)
      expect((await open(secret)).body).toMatchObject(ENDED)
      expect((await open(newer.body.secret)).status).toBe(200)
    })

    test('ends when it is withdrawn', async () => {
      const { alice, linkCall, open, secret } = await prepare()
      expect((await linkCall('DELETE', alice)).status).toBe(204)
      expect((await open(secret)).body).toMatchObject(ENDED)
      expect((await linkCall('GET', alice)).body).toEqual({ link: null })
    })

    test('ends when the post is published, and stays ended when it is a draft again', async () => {
      const { blog, alice, id, open, secret } = await prepare()
      await blog.patch(alice, id, { status: 'active' })
      expect((await open(secret)).body).toMatchObject(ENDED)
      await blog.patch(alice, id, { status: 'inactive' })
      expect((await open(secret)).body).toMatchObject(ENDED)
    })

    test('ends when the post is deleted, and stays ended when it is restored', async () => {
      const { blog, alice, id, open, secret } = await prepare()
      await blog.remove(alice, id)
      expect((await open(secret)).body).toMatchObject(ENDED)
      const list = '/databases/blogdb/collections/posts/deleted'
      const { deleted } = (await blog.call('GET', list, { cookie: alice.cookie })).body
      await blog.call('POST', `${list}/${deleted[0].$id}/restore`, {
        cookie: alice.cookie,
        body: {},
      })
      expect((await open(secret)).body).toMatchObject(ENDED)
    })

    test('shows nothing while an operator hides the post', async () => {
      const { blog, id, open, secret } = await prepare()
      const hide = (hidden: boolean) =>
        blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, { ...blog.asKey, body: { hidden } })
      await hide(true)
      expect((await open(secret)).body).toMatchObject(ENDED)
    })

    test('shows nothing while its author is blocked', async () => {
      const blog = await share()
      const mallory = await blog.makePerson('mallory')
      const id = await blog.post(mallory, DRAFT)
      const path = `${DOCUMENTS}/${id}/preview-link`
      const { secret } = (await blog.call('POST', path, { cookie: mallory.cookie, body: {} })).body
      await blog.call('PATCH', `/users/${mallory.id}/status`, {
        ...blog.asKey,
        body: { status: false },
      })
      expect((await blog.call('GET', `/previews/${secret}`)).body).toMatchObject(ENDED)
    })

    test('is not made for a published post', async () => {
      const { made } = await prepare({ status: 'active' })
      expect(made.body).toMatchObject({ code: 400, type: 'preview_link_needless' })
    })

    test.each(['GET', 'POST', 'DELETE'])(
      'cannot be used by others: %s answers as for a missing post',
      async (method) => {
        const { bob, linkCall, open, secret } = await prepare()
        for (const person of [bob, undefined])
          expect((await linkCall(method, person)).body).toMatchObject({ code: 404 })
        expect((await open(secret)).status).toBe(200)
      },
    )

    test('of a post that others may read is not theirs', async () => {
      const { blog, bob, alice } = await prepare()
      const published = await blog.post(alice)
      const path = `${DOCUMENTS}/${published}/preview-link`
      const answer = await blog.call('POST', path, { cookie: bob.cookie, body: {} })
      expect(answer.body).toMatchObject({ code: 401, type: 'user_unauthorized' })
    })

    test('gives no right to anything else', async () => {
      const { blog, id, secret } = await prepare()
      for (const path of [
        `${DOCUMENTS}/${id}`,
        `${DOCUMENTS}/${id}?secret=${secret}`,
        `${DOCUMENTS}/${id}/versions`,
        `${DOCUMENTS}/${id}/comments`,
        `${DOCUMENTS}/${id}/around`,
      ])
        expect((await blog.call('GET', path)).body, path).toMatchObject({ code: 404 })
    })

    const GUESSES: Record<string, (secret: string) => string> = {
      nothing: () => '',
      'the beginning of a secret': (secret) => secret.slice(0, 39),
      'a longer secret': (secret) => `${secret}0`,
      'upper case': (secret) => secret.toUpperCase().replace(/^\d+$/, 'A'),
      'another secret': (secret) => secret.replace(/^./, (first) => (first === '0' ? '1' : '0')),
      'the pattern of a search': () => '%25'.repeat(20),
      'a quotation mark': (secret) => `${secret.slice(0, 38)}'--`,
      'a zero byte': (secret) => `${secret.slice(0, 39)}%00`,
      'a list': (secret) => `${secret},${secret}`,
      'a path': (secret) => `..%2Fpreviews%2F${secret}`,
    }
    test.each(Object.entries(GUESSES))('is not found by %s', async (_name, guess) => {
      const { open, secret } = await prepare()
      const answer = await open(guess(secret))
      expect(answer.status).toBe(404)
      expect(JSON.stringify(answer.body)).not.toContain(DRAFT.title)
    })

    test('is stored only as a hash', async () => {
      const { blog, secret, alice } = await prepare()
      const exported = await blog.call('GET', '/account/export', { cookie: alice.cookie })
      expect(JSON.stringify(exported.body ?? '')).not.toContain(secret)
      expect(secret).toMatch(/^[0-9a-f]{40}$/)
    })
  })

test('a preview link ends after two weeks', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const id = await makeDocuments(blog).post(alice, DRAFT)
  const { body } = await blog.call('POST', `${DOCUMENTS}/${id}/preview-link`, {
    cookie: alice.cookie,
    body: {},
  })
  blog.passTime(PREVIEW_LINK_DAYS * DAY_MS - 60_000)
  expect((await blog.call('GET', `/previews/${body.secret}`)).status).toBe(200)
  blog.passTime(120_000)
  expect((await blog.call('GET', `/previews/${body.secret}`)).body).toMatchObject(ENDED)
})

describe('the page behind a preview link', () => {
  const share = shareBlog(async () =>
    makeTestBlog({ BLOG_READING: 'everyone' }, { pages: await readBuiltPages() }),
  )

  async function prepare() {
    const blog = await share()
    const alice = await blog.makePerson('alice')
    const id = await makeDocuments(blog).post(alice, DRAFT)
    const path = `${DOCUMENTS}/${id}/preview-link`
    const { secret } = (await blog.call('POST', path, { cookie: alice.cookie, body: {} })).body
    return { blog, alice, secret, open: (path: string) => fetch(blog.url + path) }
  }

  test('shows the draft without scripts', async () => {
    const { open, secret } = await prepare()
    const page = await (await open(`/preview/${secret}`)).text()
    expect(page).toContain('Not yet.')
    expect(page).toContain('has shared this draft with you')
  })

  test('is stored by no cache, found by no search engine and named to no other site', async () => {
    const { open, secret } = await prepare()
    const { headers } = await open(`/preview/${secret}`)
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  test('says that a withdrawn link has ended', async () => {
    const { open } = await prepare()
    const answer = await open(`/preview/${'0'.repeat(40)}`)
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain('This preview has ended')
  })

  test('is not named in the sitemap or robots.txt by its secret', async () => {
    const { open, secret } = await prepare()
    expect(await (await open('/robots.txt')).text()).toContain('Disallow: /preview\n')
    expect(await (await open('/sitemap-posts-1.xml')).text()).not.toContain(secret)
  })
})
