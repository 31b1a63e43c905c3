// Counts of reads as authors see them on the dashboard, turning them off, and the card that other
// sites show.
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp, untilHydrated } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const READER = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const HEADERS = { 'x-appwrite-project': 'blog' }

test('each reader counts once, in pages and in the app, and the author sees the counts and turns them off', {
  tag: '@more',
}, async ({ visit, blog }) => {
  const author = await visit({ userAgent: READER })
  await signUp(author.page, makeNewcomer('Rosa Reading'))
  const slug = await writePost(author.context.request, { title: 'Tide clock', content: '<p>a</p>' })
  await author.page.goto(`/post/${slug}`)

  const open = async (headers: Record<string, string>, method = 'GET') =>
    (await fetch(`${blog.url}/post/${slug}`, { method, headers })).headers.get('etag') ?? ''
  const etag = await open({ 'user-agent': READER })
  await open({ 'user-agent': READER, 'if-none-match': etag })
  await open({ 'user-agent': `${READER} b`, 'if-none-match': etag })
  await open({ 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })
  await open({ 'user-agent': `${READER} c`, 'sec-purpose': 'prefetch' })
  await open({ 'user-agent': `${READER} d` }, 'HEAD')

  const reader = await visit({ userAgent: READER })
  await signUp(reader.page, makeNewcomer('Ruth Reader'))
  await reader.page.goto('/post')
  await untilHydrated(reader.page)
  const countResponse = reader.page.waitForResponse((answer) =>
    answer.url().endsWith(`${slug}/reads`),
  )
  await reader.page.getByRole('link', { name: 'Tide clock' }).first().click()
  expect((await countResponse).status()).toBe(204)
  await reader.page.reload()

  await author.page.goto('/dashboard')
  const chart = author.page.getByRole('img', { name: /^Reads a day/ })
  await expect(chart).toHaveAccessibleName(/: 3 in all, between 0 and 3, most on .*, 3 today\.$/)
  const row = author.page.getByRole('row', { name: /Tide clock/ })
  await expect(row.getByRole('cell')).toHaveText(['3', '3'])
  await author.page.getByText('Every day as a table').click()
  await expect(author.page.getByRole('table', { name: 'Reads of every day' })).toBeVisible()
  await author.page.getByRole('link', { name: 'Turn them off' }).click()
  const saveResponse = author.page.waitForResponse(
    (answer) => answer.request().method() === 'PATCH',
  )
  await author.page.getByLabel('Count the reads of my posts').uncheck()
  await saveResponse
  await author.page.goto('/dashboard')
  await expect(author.page.getByRole('heading', { name: 'Your posts' })).toBeVisible()
  await expect(author.page.getByRole('heading', { name: 'Reads' })).toHaveCount(0)
})

test('a post without an image has a drawn card and a description for other sites', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Carla Card'))
  const answer = await author.context.request.post(DOCUMENTS, {
    headers: HEADERS,
    data: { documentId: 'cardless', data: { title: 'Salt & pepper', content: '<p>a</p>' } },
  })
  expect(answer.status()).toBe(201)
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto('/post/cardless')
  const content = (name: string) =>
    page.locator(`meta[property="${name}"], meta[name="${name}"]`).getAttribute('content')
  const address = (await content('og:image')) ?? ''
  expect([await content('og:image:type'), await content('twitter:image')]).toEqual([
    'image/png',
    address,
  ])
  expect(await content('twitter:card')).toBe('summary_large_image')
  const card = await page.request.get(address)
  expect([card.status(), card.headers()['content-type']]).toEqual([200, 'image/png'])
  for (const [type, format] of [
    ['application/json+oembed', /"title":"Salt & pepper"/],
    ['text/xml+oembed', /<title>Salt &amp; pepper<\/title>/],
  ] as const) {
    const link = await page.locator(`link[type="${type}"]`).getAttribute('href')
    expect(await (await page.request.get(link ?? '')).text()).toMatch(format)
  }
})
