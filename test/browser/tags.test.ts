// Tags on cards and under posts, and the page of a tag: for visitors without scripts, for signed-in
// users, and for an unused tag.
import type { APIRequestContext } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test as withBlog } from '#test/support/browser-blog.ts'
import { overflow } from '#test/support/overflow.ts'
import { makeNewcomer } from '#test/support/people.ts'
import { prepareOnce } from '#test/support/shared-fixture.ts'
import { showTheme } from '#test/support/show-theme.ts'
import { writeMorePosts, writePost } from '#test/support/write-post.ts'

const test = withBlog.extend({})
test.use({ blogEnv: { BLOG_READING: 'everyone' } })

const author = makeNewcomer('Tara Tagged')
const LONG = 'Binnenschifffahrtsverwaltungen'

/**
 * Writes a post without tags and fourteen about trains, the last with a line of tags at its end.
 */
async function preparePosts(request: APIRequestContext): Promise<void> {
  const first = await writePost(request, { title: 'Rail 1', content: '<p>Light 1</p>' })
  const others = Array.from({ length: 13 }, (_, index) => ({
    id: `rail${index + 2}`,
    title: `Rail ${index + 2}`,
    content: '<p>Light</p>',
    tags: ['trains'],
  }))
  const content = '<p>Last light</p><p>#Night #قطار</p>'
  const last = { id: 'rail15', title: 'Rail 15', content, tags: ['Trains', LONG] }
  await writeMorePosts(request, first, [...others, last])
}

test.beforeEach(prepareOnce(author, preparePosts))

test('without scripts a guest goes from a card through the pages of a tag to a post and another tag', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto('/post')
  const tags = page.getByRole('list', { name: 'Tags of Rail 15' })
  await expect(tags.getByRole('link')).toHaveText(['Trains', LONG, 'Night', 'قطار'])
  await tags.getByRole('link', { name: 'Trains' }).click()
  await expect(page).toHaveURL(/\/tag\/trains$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('#Trains')
  await expect(page.getByText('14 posts', { exact: true })).toBeVisible()
  await expect(page.getByRole('article')).toHaveCount(12)
  await page.getByRole('link', { name: 'Older posts' }).click()
  await expect(page.getByText('Posts 13 to 14 of 14')).toBeVisible()
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await page.getByRole('link', { name: 'Newest posts' }).click()
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/tag\/trains$/)
  await expect(page.locator('meta[name=robots]')).toHaveCount(0)

  await page.getByRole('link', { name: 'Rail 15', exact: true }).click()
  await expect(page.locator('.prose')).toHaveText('Last light')
  await page.getByRole('list', { name: 'Tags' }).getByRole('link', { name: 'قطار' }).click()
  await expect(page).toHaveURL(`/tag/${encodeURIComponent('قطار')}`)
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('a tag has one address, and an unused tag answers 404', { tag: '@more' }, async ({
  visit,
}) => {
  const { page, context, expectFault } = await visit()
  const { request } = context
  const redirectOf = async (path: string) => {
    const answer = await request.get(path, { maxRedirects: 0 })
    return [answer.status(), answer.headers().location]
  }
  expect(await redirectOf('/tag/trains')).toEqual([200, undefined])
  for (const other of ['TRAINS', '%EF%BD%94rains', 'trains/'])
    expect(await redirectOf(`/tag/${other}`)).toEqual([301, '/tag/trains'])
  expect(await redirectOf('/tag/Trains?after=rail4&x=1')).toEqual([301, '/tag/trains?after=rail4'])
  expect(await redirectOf('/tag/trains?after=gone')).toEqual([302, '/tag/trains'])
  expect(await redirectOf('/tag/trains?after=rail2')).toEqual([200, undefined])
  for (const tag of ['nobody', 'a%20b', '%23trains', '%3Cb%3E', 'x'.repeat(200)])
    expect([tag, ...(await redirectOf(`/tag/${tag}`))]).toEqual([tag, 404, undefined])
  expectFault(/404.*submarines/)
  await page.goto('/tag/submarines')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText('No post has this tag')
  await expect(page.getByText('Perhaps it is written another way.')).toBeVisible()
  await expect(page.locator('meta[name=robots]').first()).toHaveAttribute('content', 'noindex')
  await expect(page.getByRole('main').getByRole('link')).toHaveText(['Search', 'All posts'])
})

test('a signed-in member opens a tag from a card and returns to the list', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: { width: 320, height: 700 } })
  await page.goto('/login')
  await page.getByLabel('Email').fill(author.email)
  await page.getByLabel('Password', { exact: true }).fill(author.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('/dashboard')
  await page.goto('/post')
  await page.getByRole('list', { name: 'Tags of Rail 15' }).getByText(LONG).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`#${LONG}`)
  await expect(page.getByRole('article')).toHaveCount(1)
  for (const theme of ['dark', 'light'] as const) {
    await showTheme(page, theme)
    expect(await axeFindings(page)).toEqual([])
    expect(await overflow(page)).toEqual([])
  }
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All posts')
})
