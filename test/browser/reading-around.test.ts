// What a post's page has around the text: highlighted code, the author's face, the small box with
// its facts, sharing, and the posts that come next.
import type { APIRequestContext } from '@playwright/test'
import { axeFindings } from '#test/support/axe.ts'
import { expect, test } from '#test/support/browser-blog.ts'
import { drawPhoto } from '#test/support/images.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { writePost } from '#test/support/write-post.ts'

const PROJECT = { 'x-appwrite-project': 'blog' }
const CODE = `export class Trip {
  fare(berths = 1) {
    return legs.sum('berth') // dear
  }
}`
const CONTENT = `<p>Nobody boards a night train in a hurry.</p><pre class="language-javascript"><code>${CODE}</code></pre><p>Then it is morning.</p>`

async function addAvatar(request: APIRequestContext): Promise<string> {
  const file = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await drawPhoto('jpeg') }
  const stored = await request.post('/v1/storage/buckets/avatars/files', {
    headers: PROJECT,
    multipart: { fileId: 'unique()', file },
  })
  const { $id } = await stored.json()
  await request.patch('/v1/account/prefs', {
    headers: PROJECT,
    data: { prefs: { avatar: $id } },
  })
  return $id
}

test('a post from right to left is mirrored as a whole, its quotes are upright, its code is not', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Rima Right'))
  const content = `<p>تستيقظ المدينة قبل <code>a - b</code> أهلها.</p><blockquote><p>البيوت القديمة لا تنام 12.</p></blockquote><pre>x = 1</pre><p>#رسائل</p>`
  const { request } = context
  await writePost(request, { title: 'The older one', content: '<p>x</p>' })
  const slug = await writePost(request, { title: 'رسائل من مدينة', content })
  const newer = await writePost(request, { title: 'The newer one', content })
  const looks = () =>
    page.evaluate(() => {
      const of = (css: string) => {
        const one = document.querySelector(css)
        if (!one) throw new Error(css)
        return { box: one.getBoundingClientRect(), style: getComputedStyle(one) }
      }
      const directions = ['.tags', '.author-card', '.prose > p > code', '.prose pre'].map(
        (css) => of(css).style.direction,
      )
      const [previous, next] = ['.beside a:first-child', '.beside__next'].map((css) => of(css).box)
      const [arrow, word] = ['.beside a:first-child svg', '.beside a:first-child b'].map(
        (css) => of(css).box,
      )
      return {
        directions,
        isPreviousAtRight: (previous?.left ?? 0) > (next?.left ?? 0),
        isArrowOutside: (arrow?.right ?? 0) >= (word?.right ?? 0),
        arrows: ['.beside a:first-child svg', '.beside__next svg'].map(
          (css) => of(css).style.scale,
        ),
        quote: of('.prose blockquote').style.fontStyle,
      }
    })
  await page.goto(`/post/${slug}`)
  expect(await looks()).toEqual({
    directions: ['rtl', 'rtl', 'ltr', 'ltr'],
    isPreviousAtRight: true,
    isArrowOutside: true,
    arrows: ['-1 1', '-1 1'],
    quote: 'normal',
  })
  expect(await axeFindings(page)).toEqual([])
  await page.goto(`/post/${newer}`)
  await expect(page.locator('.beside svg')).toHaveCSS('scale', 'none')
})

test('a visitor reads highlighted code, sees who wrote it, and goes on to what is next, without the app', async ({
  visit,
}) => {
  const author = await visit()
  const { request } = author.context
  await signUp(author.page, makeNewcomer('Ada Around'))
  const older = await writePost(request, { title: 'The older one', content: '<p>x</p>' })
  const slug = await writePost(request, { title: 'Notes from a train', content: CONTENT })
  await writePost(request, { title: 'The newer one', content: '<p>x</p>' })
  await writePost(request, { title: 'A draft', content: '<p>x</p>', status: 'inactive' })
  const avatar = await addAvatar(request)
  // A second visitor, whose browser hands pages to other programs.
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
  ).toHaveText([/^The newer one/, /^The older one/])
  await expect(page.getByText(/^id /)).toBeHidden()
  await page.locator('.post-info summary').click()
  await expect(page.getByText(/^id /)).toBeVisible()
  await expect(page.locator('.post-info dd').last()).toHaveText(`/post/${slug}`)
  expect(await axeFindings(page)).toEqual([])
  expect(await page.locator('script[type=module]').count(), 'the app still sleeps').toBe(0)
  await page.keyboard.press('Escape')
  await expect(page.getByText(/^id /)).toBeHidden()
  await expect(page.locator('.post-info summary')).toBeFocused()

  await sample.getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByText('Copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE)
  await page.locator('.post-end').getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied.')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    new RegExp(`^http://localhost:\\d+/post/${slug}$`),
  )
  await page.getByRole('button', { name: 'Share' }).click()
  await expect(page).toHaveTitle(new RegExp(`^shared http://localhost:\\d+/post/${slug}$`))

  const beside = page.getByRole('navigation', { name: 'Next to this post' })
  await expect(beside.getByRole('link')).toHaveText([
    /Previous post\s*The older one/,
    /Next post\s*The newer one/,
  ])
  await beside.getByRole('link', { name: /Previous post/ }).click()
  await expect(page).toHaveURL(new RegExp(`/post/${older}$`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The older one')
  // Opened within the app, the code is highlighted as well.
  await page
    .locator('.beside')
    .getByRole('link', { name: /Notes from a train/ })
    .click()
  await expect(sample.locator('.c-k').first()).toHaveText('export')
})

test('without scripts the page has no button that needs them; an own draft has no heart', {
  tag: '@more',
}, async ({ visit }) => {
  const author = await visit()
  const { request } = author.context
  await signUp(author.page, makeNewcomer('Nora Noscript'))
  const slug = await writePost(request, { title: 'Plain', content: CONTENT })
  const draft = await writePost(request, { title: 'Mine', content: '<p>x</p>', status: 'inactive' })
  const { page } = await visit({ javaScriptEnabled: false })
  await page.goto(`/post/${slug}`)
  await expect(page.locator('.code-sample .c-k').first()).toHaveText('export')
  for (const name of ['Copy', 'Copy link', 'Share'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  await page.locator('.post-info summary').click()
  await expect(page.getByText(/^id /)).toBeVisible()

  await author.page.goto(`/post/${slug}`)
  await expect(author.page.getByRole('button', { name: /^Like this post/ })).toBeVisible()
  await expect(author.page.getByRole('button', { name: 'Share' }), 'no share sheet').toHaveCount(0)
  await author.page.goto(`/post/${draft}`)
  await expect(author.page.getByText('This post is inactive.')).toBeVisible()
  await expect(author.page.getByRole('button', { name: /^Like this post/ })).toHaveCount(0)
})
