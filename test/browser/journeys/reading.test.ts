// Journeys of readers: the whole blog without scripts, a post and its surroundings, and the search
// by keyboard.

import { signUpByApi } from '#test/support/browser-comments.ts'
import { coveredPoints } from '#test/support/covered-points.ts'
import { drawPhoto } from '#test/support/images.ts'
import { expect, test } from '#test/support/journey-blog.ts'
import { overflow } from '#test/support/overflow.ts'
import { startApp } from '#test/support/people.ts'
import { findBareTexts } from '#test/support/translate.ts'
import { writeText } from '#test/support/write-post.ts'

const HEADERS = { 'x-appwrite-project': 'blog' }
const ABOUT = 'Six people, no hurry.'
const CODE = `export class Trip {
  fare(berths = 1) {
    return legs.sum('berth') // dear
  }
}`
const TRAIN = `<p>Nobody boards a night train in a hurry.</p><pre class="language-javascript"><code>${CODE}</code></pre><p>Then it is morning.</p>`
/** Styles that would cover the page around the text if its box did not clip them. */
const BAITS = ['border: 9999px solid transparent', 'position: fixed; padding: 9999px'].map(
  (style) => `<p>Text <a href="https://bait.example/" style="${style}">x</a></p>`,
)

test('without scripts a guest reads from home through the list to a post, its tag, author and search, and back', async ({
  visit,
  asOperator,
}) => {
  await asOperator('/v1/site', { reading: 'everyone', about: ABOUT })
  const author = await visit()
  const { name } = await signUpByApi(author, 'Olga Open')
  const { request } = author.context
  // One post more than a page has; the oldest has a tag in the last line of its text.
  for (let number = 1; number <= 13; number++)
    await writeText(request, {
      title: `Lamp ${number}`,
      content: number === 1 ? '<p>Light</p><p>#harbour</p>' : '<p>Light</p>',
    })
  const draft = await writeText(request, { title: 'Lamp 14', content: '', status: 'inactive' })
  const { page, expectFault } = await visit({ javaScriptEnabled: false })
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const heading = page.getByRole('heading', { level: 1 })
  const lamp = page.getByRole('link', { name: 'Lamp 1', exact: true })
  await page.goto('/')
  await page.getByRole('link', { name: 'view posts' }).click()
  await expect(heading).toHaveText('All posts')
  await expect(page.getByText(ABOUT, { exact: true })).toBeVisible()
  await expect(pages.getByText(/^Posts 1 to 12 of \d+$/)).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(12)
  await expect(page.getByRole('article').first()).toContainText('Lamp 13')
  await pages.getByRole('link', { name: 'Older posts' }).click()
  await expect(page.getByText('Page 2', { exact: true })).toBeVisible()
  await lamp.click()
  await expect(page).toHaveURL(/\/post\/\w+\/lamp-1$/)
  await expect(heading).toHaveText('Lamp 1')
  await expect(page).toHaveTitle('Lamp 1 · Web App')
  const address = page.url()
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', address)
  for (const [name, content] of [
    ['og:type', 'article'],
    ['og:title', 'Lamp 1'],
    ['og:url', address],
  ])
    await expect(page.locator(`meta[property="${name}"]`)).toHaveAttribute('content', `${content}`)

  await page.getByRole('link', { name: 'harbour' }).first().click()
  await expect(heading).toHaveText('#harbour')
  await lamp.click()
  await page.getByRole('article').getByRole('link', { name }).first().click()
  await expect(heading).toHaveText(name)
  await page.goto('/search')
  await page.getByRole('main').getByRole('searchbox').first().fill('harbour')
  await page.getByRole('main').getByRole('searchbox').first().press('Enter')
  await lamp.click()
  await expect(page).toHaveURL(address)
  await page.getByRole('link', { name: 'All posts', exact: true }).click()
  await expect(page).toHaveURL(/\/post$/)
  await pages.getByRole('link', { name: 'Older posts' }).click()
  await page.getByRole('link', { name: 'Newest posts' }).click()
  await expect(page).toHaveURL(/\/post$/)
  await page.goto('/post?after=gone')
  await expect(page).toHaveURL(/\/post$/)

  // --- a draft, and a page that does not exist ---
  expectFault(/status of 404/)
  for (const path of [`/post/${draft}`, '/nowhere']) {
    expect((await page.goto(path))?.status()).toBe(404)
    await expect(page.getByText('404 Not Found')).toBeVisible()
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  }
})

test('a guest reads highlighted code, sees the author, shares the post and goes to the next one without the app', async ({
  visit,
  asOperator,
}) => {
  await asOperator('/v1/site', { reading: 'everyone' })
  const author = await visit()
  const { request } = author.context
  await signUpByApi(author, 'Ada Around')
  const older = await writeText(request, { title: 'The older one', content: '<p>x</p>' })
  const slug = await writeText(request, { title: 'Notes from a train', content: TRAIN })
  await writeText(request, { title: 'The newer one', content: '<p>x</p>' })
  await writeText(request, { title: 'A draft', content: '<p>x</p>', status: 'inactive' })
  const buffer = await drawPhoto('jpeg', { width: 64, height: 64 })
  const stored = await request.post('/v1/storage/buckets/avatars/files', {
    headers: HEADERS,
    multipart: { fileId: 'unique()', file: { name: 'me.jpg', mimeType: 'image/jpeg', buffer } },
  })
  const { $id: avatar } = await stored.json()
  await request.patch('/v1/account/prefs', { headers: HEADERS, data: { prefs: { avatar } } })

  // A browser that can share pages with other programs.
  const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  await page.addInitScript(() => {
    Object.assign(navigator, {
      share: async (data: ShareData) => {
        document.title = `shared ${data.url}`
      },
    })
  })
  await page.goto(`/post/${slug}`, { waitUntil: 'networkidle' })
  const sample = page.getByRole('figure', { name: 'Code sample, JavaScript' })
  await expect(sample.locator('pre')).toHaveText(CODE)
  const colors = await sample
    .locator('.c-k, .c-s, .c-n, .c-f, .c-t, .c-a, .c-c')
    .evaluateAll((parts) => parts.map((part) => [part.className, getComputedStyle(part).color]))
  expect(new Set(colors.map(([name]) => name)).size).toBe(7)
  expect(new Set(colors.map(([, color]) => color)).size).toBe(7)

  await expect(page.locator('.post-meta img')).toHaveAttribute('src', new RegExp(avatar))
  await expect(page.locator('.author-card').getByRole('heading')).toHaveText('Ada Around')
  await expect(
    page.getByRole('list', { name: 'Other posts by Ada Around' }).getByRole('link'),
  ).toHaveText([/The newer one/, /The older one/])
  await expect(page.getByText(/^id /)).toBeHidden()
  await page.locator('.post-info summary').click()
  await expect(page.getByText(/^id /)).toBeVisible()
  const address = `/post/${slug}/notes-from-a-train`
  await expect(page.locator('.post-info dd').last()).toHaveText(address)
  expect(await page.locator('script[type=module]').count(), 'the app has not loaded').toBe(0)
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^id /)).toBeHidden()
  await expect(page.locator('.post-info summary')).toBeFocused()

  await sample.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE)
  await page.locator('.post-end').getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    new RegExp(`^http://localhost:\\d+${address}$`),
  )
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page).toHaveTitle(new RegExp(`^shared http://localhost:\\d+${address}$`))

  const neighbours = page.getByRole('navigation', { name: 'Next to this post' })
  await expect(neighbours.getByRole('link')).toHaveText([
    /Previous post\s*The older one/,
    /Next post\s*The newer one/,
  ])
  await neighbours.getByRole('link', { name: /Previous post/ }).click()
  await expect(page).toHaveURL(new RegExp(`/post/${older}/the-older-one$`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The older one')
  // When the app opens the post, its code is highlighted, too.
  await page
    .locator('.beside')
    .getByRole('link', { name: /Notes from a train/ })
    .click()
  await expect(sample.locator('.c-k').first()).toHaveText('export')
  expect(await findBareTexts(page), 'texts that a translating browser removes from React').toEqual(
    [],
  )

  // --- the text covers nothing of the page around it, even if the server had cleaned nothing ---
  expect(await coveredPoints(page, { texts: BAITS, count: 60 })).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await overflow(page), 'elements that overflow').toEqual([])
  const header = await page.getByRole('banner').boundingBox()
  expect(header?.height, 'the header is one row').toBeLessThan(80)
})

test('with the keyboard / focuses the search and Esc clears and leaves it, and drafts by others are not found', async ({
  visit,
}) => {
  const author = await visit()
  const reader = await visit()
  await signUpByApi(author, 'Sara Searched')
  await signUpByApi(reader, 'Other Reader')
  const { request } = author.context
  const night = (at: number) => `<p>${'Far away. '.repeat(30)}Here is a LAMP of night ${at}.</p>`
  await writeText(request, { title: 'Lámp <b>', content: night(14) })
  await writeText(request, { title: 'A draft', content: night(15), status: 'inactive' })
  const { page } = reader
  await page.goto('/post')
  const field = page.getByRole('searchbox', { name: 'Search posts' })
  await startApp(page)
  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await page.keyboard.type('lamp/')
  await expect(field).toHaveValue('lamp/')
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(field).not.toBeFocused()
  await page.keyboard.press('/')
  await page.keyboard.type('"night 15"')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/search?q=%22night+15%22')
  await expect(page.getByRole('heading', { name: 'Nothing found for “"night 15"”' })).toBeVisible()
  await page.goto('/search?q=%22night+14%22')
  await expect(page.getByRole('main').getByRole('listitem').getByRole('heading')).toHaveText(
    'Lámp <b>',
  )
})
