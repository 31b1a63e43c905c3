// Posts that other programs wrote, in our own pages: bodies that are text, a status and an image of
// their own, attributes that the form does not know.
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

test.use({ blogEnv: { BLOG_EXTRA_ATTRIBUTES: 'on', BLOG_CONTENT: 'text' } })

const HEADERS = { 'x-appwrite-project': 'blog' }
const BODY = '# Hi </textarea><script>alert(1)</script>\n\n\n\tcode &amp; "a"  \r\n<b>x</b>'
const IMAGE = 'https://elsewhere.test/a.png'

test('a text body is shown letter for letter everywhere and edited in a field that changes nothing else', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Tess Text'))
  const slug = await writePost(context.request, { title: 'A <i>text</i>', content: BODY })
  await page.goto(`/post/${slug}`)
  const prose = page.locator('.prose')
  await expect(prose).toContainText('# Hi </textarea><script>alert(1)</script>')
  await expect(prose).toContainText('code &amp; "a"')
  await expect(prose.locator('script, b, textarea')).toHaveCount(0)
  const described = page.locator('meta[property="og:description"]')
  await expect(described).toHaveAttribute('content', /^# Hi <\/textarea><script>alert\(1\)/)
  await page.goto('/post')
  await expect(page.locator('.excerpt')).toContainText('# Hi </textarea><script>')

  await page.goto(`/edit-post/${slug}`)
  const field = page.getByRole('textbox', { name: 'Content' })
  await expect(field).toHaveValue(BODY.replace('\r\n', '\n'))
  await page.getByLabel('Title').fill('Another title')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.frameLocator('.preview iframe').locator('.prose')
  await expect(preview).toContainText('<b>x</b>')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL(`/post/${slug}`)
  const read = async () =>
    (await context.request.get(`${DOCUMENTS}/${slug}`, { headers: HEADERS })).json()
  expect(await read()).toMatchObject({ title: 'Another title', content: BODY })

  await page.goto(`/edit-post/${slug}`)
  await field.press('ControlOrMeta+End')
  await page.keyboard.type('\n\n  <img src=x onerror=alert(1)>')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(prose).toContainText('<img src=x onerror=alert(1)>')
  const typed = `${BODY.replace('\r\n', '\n')}\n\n  <img src=x onerror=alert(1)>`
  expect((await read()).content).toBe(typed)
})

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
  await page.getByRole('textbox', { name: 'Content' }).fill('b')
  await expect(page.getByText(/^Saved \d/)).toBeVisible()
  expect(await read()).toMatchObject({ ...data, content: 'b', slug: 'their-own' })
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Saved as “archived”.')).toBeVisible()
  await expect(page.getByText('This post is “archived”. Only you can see it.')).toBeVisible()
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')

  await page.goto('/edit-post/theirs')
  await page.getByLabel('Status').selectOption('active')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page).toHaveURL('/post/theirs')
  expect(await read()).toMatchObject({ ...data, status: 'active', content: 'b', slug: 'their-own' })
  await expect(page.locator('meta[property="og:image"]')).toHaveCount(0)
  await page.goto('/post')
  const card = page.locator('.card', { hasText: 'From a program' })
  await expect(card).toBeVisible()
  await expect(card.locator('.card__media img')).toHaveCount(0)
  expect(await page.content()).not.toContain(`src="${IMAGE}`)
})
