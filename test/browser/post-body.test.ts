// The text of a post is painted and clickable only inside its box, and requests nothing from other
// sites until the reader presses a player.
import type { BrowserContext } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { coveredPoints } from '#test/support/covered-points.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

const BAIT = 'https://bait.example/'
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]
const COUNT = 600
const PROJECT = { 'x-appwrite-project': 'blog' }
/** Each of these styles once laid a link over the page around the text. */
const HOSTILE_STYLES = [
  'border: 9999px solid transparent',
  'border: 625em solid transparent',
  'border: 7500pt solid rgb(0 0 0 / 0)',
  'border-top: 9999px solid transparent; border-left: 9999px solid transparent',
  'border-width: 9999px; border-style: solid; border-color: transparent',
  'border-bottom-width: 9999rem; border-bottom-style: solid',
  'border-radius: 50%; border: 9999px double transparent',
  'font-size: 9999px; line-height: 0',
  'font-size: 9999px; line-height: 0.0001',
  'font-size: 9999em; line-height: 0',
  'font-size: 9999%; line-height: 0%',
  'font-size: 600rem; line-height: 0px',
  'font-size: 7500pt; line-height: 0em',
  'font-size: 6em; line-height: 0',
  'line-height: 0; padding: 400px',
  'padding: 9999px',
  'padding: 400px',
  'padding-left: 9999px; float: right',
  'vertical-align: 9999px; line-height: 0',
  'vertical-align: 500em; font-size: 90px; line-height: 0',
  'vertical-align: 9999%; line-height: 4',
  'vertical-align: -9999px',
  'margin-left: -9999px; padding-left: 9999px',
  'margin-left: 9999px; margin-right: -9999px',
  'width: 9999px; height: 9999px; float: left',
  'width: 9999%; height: 9999%; float: right',
  'width: max-content; font-size: 96px; float: left',
  'text-decoration: underline 9999px transparent',
  'position: fixed; width: 9999px; height: 9999px',
  'position: absolute; border: 9999px solid transparent; z-index: 9999',
]
const baits = HOSTILE_STYLES.map(
  (style) =>
    `<p>Text <a href="${BAIT}" style="${style}">x</a></p><p style="${style}"><b><a href="${BAIT}" style="${style}">xx</a></b></p>`,
)

test('no post can cover its page: its content is painted and clickable only inside its box', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Connie Cover'))
  const slug = await writePost(context.request, { title: 'A trap', content: baits.join('') })
  await page.goto(`/post/${slug}`)
  await page.locator('.text-box').waitFor()
  for (const size of SIZES) {
    await page.setViewportSize(size)
    expect(
      await coveredPoints(page, { texts: [undefined], count: COUNT }),
      `as saved, ${size.width} px`,
    ).toEqual([])
    // Without cleaning, the box alone clips the text.
    expect(await coveredPoints(page, { texts: baits, count: COUNT }), `${size.width} px`).toEqual(
      [],
    )
  }
  await page.locator('.text-box').evaluate((box) => {
    box.setAttribute('style', 'overflow: visible; contain: none')
  })
  expect(
    (await coveredPoints(page, { texts: baits, count: COUNT })).length,
    'without the box',
  ).toBeGreaterThan(10)
})

test('a player loads when pressed, in place and with the focus, and a visitor needs no app for it', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  await signUp(author.page, makeNewcomer('Vera Video'))
  const content = `<p>Look:</p><p><iframe src="https://youtu.be/M7lc1UVf-VE" title="The bridge at 5:40"></iframe></p><p><iframe src="https://vimeo.com/76979871/90ab6d75cd"></iframe></p>`
  const slug = await writePost(author.context.request, { title: 'Films', content })
  const visitor = await visit()
  for (const { page, context, expectFault } of [visitor, author]) {
    const players = await answerPlayers(context)
    await page.goto(`/post/${slug}`, { waitUntil: 'networkidle' })
    expect(players, 'before it is pressed').toEqual([])
    const playLink = page.getByRole('link', {
      name: 'Play video: The bridge at 5:40. Loads from YouTube when pressed.',
    })
    await expect(playLink).toHaveAttribute('href', 'https://www.youtube.com/watch?v=M7lc1UVf-VE')
    expect(await axeFindings(page)).toEqual([])
    await playLink.scrollIntoViewIfNeeded()
    const box = await playLink.boundingBox()
    expectFault(/^request to elsewhere: https:\/\/(?:www\.youtube-nocookie|player\.vimeo)\.com\//)
    await playLink.click()
    const player = page.locator('iframe[title="The bridge at 5:40"]')
    await expect(player).toBeFocused()
    expect(await player.boundingBox()).toEqual(box)
    const scripts = await page.locator('script[src*="/main-"]').count()
    expect(scripts, 'a visitor loads no app').toBe(context === visitor.context ? 0 : 1)
    // Neither hydration nor keys remove the player.
    await page.getByRole('link', { name: /^Play video\. Loads from Vimeo/ }).press('Enter')
    await expect(page.locator('iframe[title="Video"]')).toBeFocused()
    await expect(page.locator('iframe')).toHaveCount(2)
    expect(players).toEqual([
      'https://www.youtube-nocookie.com/embed/M7lc1UVf-VE?autoplay=1',
      'https://player.vimeo.com/video/76979871?h=90ab6d75cd&autoplay=1',
    ])
  }
})

test("a guest's page shows every change at once, even if it was cached", {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const reader = (await visit()).context.request
  const owner = author.context.request
  await signUp(author.page, makeNewcomer('Kai Kept'))
  const slug = await writePost(owner, { title: 'First title', content: '<p>First text</p>' })
  const read = async (encoding = 'br') => {
    const headers = { 'accept-encoding': encoding }
    const answer = await reader.get(`/post/${slug}?x=${Math.random()}`, { headers })
    return { html: await answer.text(), status: answer.status(), tag: answer.headers().etag ?? '' }
  }
  const change = async (path: string, data: object) =>
    expect((await owner.patch(`/v1${path}`, { headers: PROJECT, data })).ok()).toBe(true)
  const post = `/databases/blogdb/collections/posts/documents/${slug}`

  const first = await read()
  for (const encoding of ['br', 'gzip', 'identity']) expect(await read(encoding)).toEqual(first)
  expect(first.html).toContain('First text')
  await change(post, { data: { content: '<p>Second text</p>' } })
  expect((await read()).html).toContain('Second text')
  await change(post, { data: { title: 'Second title' } })
  expect((await read('gzip')).html).toContain('<title>Second title')
  await change('/account/name', { name: 'Kai Renamed' })
  expect((await read()).html).toContain('Kai Renamed')
  const current = await read()
  const conditional = { headers: { 'if-none-match': current.tag } }
  expect((await reader.get(`/post/${slug}`, conditional)).status()).toBe(304)
  await change(post, { data: { status: 'inactive' } })
  expect((await read()).status).toBe(404)
  expect((await reader.get(`/post/${slug}`, conditional)).status()).toBe(404)
  await change(post, { data: { status: 'active' } })
  expect((await read()).status).toBe(200)
})

/** Fakes the two services. @returns the requested addresses, to which new ones are added */
async function answerPlayers(context: BrowserContext): Promise<string[]> {
  const addresses: string[] = []
  await context.route(/youtube|vimeo/, (route) => {
    addresses.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<title>A film</title>' })
  })
  return addresses
}
