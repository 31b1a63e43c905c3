// The head and headers of a page, for search engines, other sites and caches.
import { readFile } from 'node:fs/promises'
import type { APIResponse } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const CONTENT = `<p>The river was <strong>not</strong> deep &amp; the boats were late, but nobody on the quay was in a hurry. It was a Tuesday,
  and on a Tuesday the ferry waits for whoever is still on the way down from the church with a basket.</p><script>alert(1)</script>`

test('the head of a public post has title, cards and structured data, and claims no language for the text', {
  tag: '@more',
}, async ({ visit, blog }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Hanna Holm'))
  const slug = await writePost(author.context.request, {
    title: 'The ferry </script> waits',
    content: CONTENT,
  })
  const { page } = await visit({ javaScriptEnabled: false })
  const address = `${blog.url}/post/${slug}`
  await page.goto(`/post/${slug}`)
  await expect(page).toHaveTitle('The ferry </script> waits · Web App')
  const content = (selector: string): Promise<string | null> =>
    page.locator(selector).getAttribute('content')
  expect(await content('meta[name=description]')).toMatch(
    /^The river was not deep & the boats were late, .{60,120}…$/,
  )
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(address)
  expect(await content('meta[property="og:url"]')).toBe(address)
  expect(await content('meta[property="og:type"]')).toBe('article')
  expect(await content('meta[property="og:title"]')).toBe('The ferry </script> waits')
  expect(await content('meta[name="twitter:card"]')).toBe('summary_large_image')
  expect(await content('meta[property="og:image:width"]')).toBe('1200')
  expect(await content('meta[property="og:image:height"]')).toBe('630')
  expect(await page.locator('meta[name=robots]').count()).toBe(0)

  const image = await page.request.get((await content('meta[property="og:image"]')) ?? '')
  expect([image.status(), image.headers()['content-type']]).toEqual([200, 'image/jpeg'])

  const data = JSON.parse(
    (await page.locator('script[type="application/ld+json"]').textContent()) ?? '',
  )
  expect(data).toMatchObject({
    '@type': 'BlogPosting',
    headline: 'The ferry </script> waits',
    url: address,
    author: { '@type': 'Person', name: 'Hanna Holm' },
    publisher: { name: 'Web App' },
    image: { '@type': 'ImageObject', width: 1200, height: 630 },
  })
  expect(data).not.toHaveProperty('inLanguage')
  expect(new Date(data.datePublished).toISOString()).toMatch(/^\d{4}-/)
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  for (const part of [page.locator('h1'), page.locator('.prose')])
    await expect(part).toHaveAttribute('lang', '')
})

test('a private post and a missing one get the same 404 page, which is not indexed', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Ida Iversen'))
  const slug = await writePost(author.context.request, {
    title: 'Kept in the drawer',
    content: CONTENT,
    status: 'inactive',
  })
  const visitor = await visit()
  for (const path of [`/post/${slug}`, '/post/never-there', '/nowhere']) {
    const answer = await visitor.context.request.get(path)
    expect(answer.status(), path).toBe(404)
    expect(answer.headers()).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-store',
    })
    const html = await answer.text()
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    expect(html).not.toContain('drawer')
    expect(html).not.toContain('og:title')
  }
  // The author sees the post, and its page is still not indexed.
  const authorAnswer = await author.context.request.get(`/post/${slug}`)
  expect(authorAnswer.status()).toBe(200)
  expect(await authorAnswer.text()).toContain('<meta name="robots" content="noindex"/>')
})

test('public pages are cached and revalidated; pages of signed-in people are not', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const person = makeNewcomer('Jon Jensen')
  await signUp(author.page, person)
  const slug = await writePost(author.context.request, {
    title: 'Kept by caches',
    content: CONTENT,
  })
  const stranger = (await visit()).context.request

  const first = await stranger.get(`/post/${slug}`)
  const tag = first.headers().etag ?? ''
  expect(tag).toMatch(/^W\/"[\w-]{20,}"$/)
  expect(first.headers()['cache-control']).toBe('public, no-cache')
  expect(first.headers().vary).toMatch(/Cookie/i)
  const html = await first.text()
  for (const secret of [person.email, '@example.test']) expect(html).not.toContain(secret)

  const notModified = await stranger.get(`/post/${slug}`, {
    headers: { 'if-none-match': `"other", ${tag}` },
  })
  expect([
    notModified.status(),
    (await notModified.body()).length,
    notModified.headers().etag,
  ]).toEqual([304, 0, tag])
  const withForeignCookie = await stranger.get(`/post/${slug}`, {
    headers: { cookie: 'theme=dark; a_session_blog=nonsense' },
  })
  expect(withForeignCookie.headers().etag).toBe(tag)

  const authorAnswer = await author.context.request.get(`/post/${slug}`, {
    headers: { 'if-none-match': tag },
  })
  expect(authorAnswer.status()).toBe(200)
  expect(authorAnswer.headers()['cache-control']).toBe('private, no-store')
  expect(authorAnswer.headers().etag).toBe(undefined)

  const update = await author.context.request.patch(`${DOCUMENTS}/${slug}`, {
    headers: HEADERS,
    data: { data: { title: 'Changed' } },
  })
  expect(update.status()).toBe(200)
  const fresh = await stranger.get(`/post/${slug}`, { headers: { 'if-none-match': tag } })
  expect(fresh.status()).toBe(200)
  expect(await fresh.text()).toContain('Changed')

  // A page whose address contains a secret is never cached.
  const secretPage = await stranger.get('/verifyUserEmailLink?userId=x&secret=y')
  expect(secretPage.headers()).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
  })
})

test('the inline script is allowed by its hash on shared pages and by a new nonce on personal ones', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  const stranger = await context.request.get('/login')
  const source = scriptSource(stranger)
  expect(source).toMatch(/^'self' 'nonce-[\w+/]{22}==' 'sha256-[\w+/]{43}='$/)
  expect(await stranger.text()).not.toContain('nonce=')
  await signUp(page, makeNewcomer('Karin Krause'))
  const answers = [await context.request.get('/dashboard'), await context.request.get('/dashboard')]
  const nonces = await Promise.all(
    answers.map(async (answer) => {
      const nonce = /^'self' 'nonce-([\w+/=]{20,})'$/.exec(scriptSource(answer))?.[1]
      expect(await answer.text()).toContain(`<script nonce="${nonce}">`)
      return nonce
    }),
  )
  expect(new Set(nonces).size).toBe(2)
})

test('robots.txt, manifest and icons exist, and the icons have the sizes that they claim', {
  tag: '@more',
}, async ({ visit }) => {
  const { request } = (await visit()).context
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain('User-agent: *')
  expect(robots).not.toMatch(/^Disallow: \/(post\/?)?$/m)
  const manifest = await request.get('/manifest.webmanifest')
  expect(manifest.headers()['content-type']).toMatch(/^application\/manifest\+json/)
  const { name, start_url, icons } = await manifest.json()
  expect({ name, start_url }).toEqual({ name: 'Web App', start_url: '/' })
  const { default: sharp } = await import('sharp')
  for (const { src, sizes, type } of icons) {
    const icon = await request.get(src)
    expect([icon.status(), icon.headers()['content-type']?.split(';')[0]], src).toEqual([200, type])
    if (type !== 'image/png') continue
    const { width, height } = await sharp(await icon.body()).metadata()
    expect(`${width}x${height}`).toBe(sizes)
  }
  expect((await request.get('/favicon.ico')).status()).toBe(200)
  expect((await request.get('/apple-touch-icon.png')).status()).toBe(200)
})

function scriptSource(answer: APIResponse): string {
  const policy = answer.headers()['content-security-policy'] ?? ''
  return /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
}

test('the server bundle contains no development build of React', {
  tag: '@more',
}, async () => {
  const renderer = await readFile('build/server/server.js', 'utf8')
  expect(renderer).toContain('react-dom-server-legacy.node.production')
  expect(renderer).not.toContain('react-dom-server-legacy.node.development')
})
