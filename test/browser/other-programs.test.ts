// Posts that other programs wrote, in our own pages: a status and an image of their own, attributes
// that the form does not know.
import { expect, test } from '#test/support/browser-blog.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS } from '#test/support/write-post.ts'

test.use({ blogEnv: { BLOG_EXTRA_ATTRIBUTES: 'on' } })

const HEADERS = { 'x-appwrite-project': 'blog' }
const BODY = '<p>b</p>'
const IMAGE = 'https://elsewhere.test/a.png'

test('the form and the lists keep a status, an image and attributes that a program wrote', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Ella Extra'))
  const account = await (await context.request.get('/v1/account', { headers: HEADERS })).json()
  const data = { title: 'From a program', content: 'a', status: 'archived', featuredImage: IMAGE }
  const made = await context.request.post(DOCUMENTS, {
    headers: HEADERS,
    data: { documentId: 'theirs', data: { ...data, userId: account.$id, slug: 'their-own' } },
  })
  expect(made.status()).toBe(201)
  const read = async () =>
    (await context.request.get(`${DOCUMENTS}/theirs`, { headers: HEADERS })).json()

  await page.goto('/dashboard')
  const row = page.locator('.drafts li')
  await expect(row).toContainText('From a program')
  await expect(row.locator('.chip')).toHaveText('archived')
  await expect(row.locator('img')).toHaveCount(0)
  await row.getByRole('link', { name: 'Continue: ' }).click()
  await expect(page.getByLabel('Status')).toHaveValue('archived')
  await expect(page.getByText('The image of this post is not kept here')).toBeVisible()
  await editorBody(page).fill('b')
  await expect(page.getByText(/^Saved \d/)).toBeVisible()
  expect(await read()).toMatchObject({ ...data, content: BODY, slug: 'their-own' })
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Saved as “archived”.')).toBeVisible()
  await expect(page.getByText('This post is “archived”. Only you can see it.')).toBeVisible()
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')

  await page.goto('/edit-post/theirs')
  await page.getByLabel('Status').selectOption('active')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL('/post/theirs')
  expect(await read()).toMatchObject({
    ...data,
    status: 'active',
    content: BODY,
    slug: 'their-own',
  })
  await expect(page.locator('meta[property="og:image"]')).toHaveCount(0)
  await page.goto('/post')
  const card = page.locator('.card', { hasText: 'From a program' })
  await expect(card).toBeVisible()
  await expect(card.locator('.card__media img')).toHaveCount(0)
  expect(await page.content()).not.toContain(`src="${IMAGE}`)
})
