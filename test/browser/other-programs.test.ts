// Posts that other programs wrote, with attributes that the form of this blog does not know.
import { expect, test } from '#test/support/browser-blog.ts'
import { editorBody, makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS } from '#test/support/write-post.ts'

test.use({ blogEnv: { BLOG_EXTRA_ATTRIBUTES: 'on' } })

const HEADERS = { 'x-appwrite-project': 'blog' }
const EXTRAS = { slug: 'their-own', rating: 4.5, pinned: true }

test('saving in the form leaves the extra attributes of another program as they were', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await signUp(page, makeNewcomer('Ella Extra'))
  const account = await (await context.request.get('/v1/account', { headers: HEADERS })).json()
  const data = { title: 'From a program', content: 'a', status: 'inactive', ...EXTRAS }
  const answer = await context.request.post(DOCUMENTS, {
    headers: HEADERS,
    data: { documentId: 'theirs', data: { ...data, userId: account.$id } },
  })
  expect(answer.status()).toBe(201)
  const read = async () =>
    (await context.request.get(`${DOCUMENTS}/theirs`, { headers: HEADERS })).json()

  await page.goto('/dashboard')
  const row = page.locator('.drafts li')
  await expect(row).toContainText('From a program')
  await row.getByRole('link', { name: 'Continue: ' }).click()
  await editorBody(page).fill('b')
  await expect(page.getByText(/^Saved \d/)).toBeVisible()
  expect(await read()).toMatchObject({ ...data, content: '<p>b</p>' })
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('This post is inactive. Only you can see it.')).toBeVisible()
  expect(await read()).toMatchObject({ ...data, content: '<p>b</p>' })
})
