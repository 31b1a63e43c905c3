// Posts of programs in our own pages that are public under another word, and have no title.
import { expect, test } from '#test/support/browser-blog.ts'
import { makeNewcomer, signUp } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const KEY = 'the-key-of-this-test'
const SETTINGS = { BLOG_PUBLIC_STATUSES: 'published', BLOG_READING: 'everyone' }
test.use({ blogEnv: { ...SETTINGS, BLOG_API_KEY: KEY } })

const HEADERS = { 'x-appwrite-project': 'blog' }
const WORDS = 'High tide at noon'

test('a published post without a title is shown by its first words, edited and kept published', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  const { request } = context
  const title = '/v1/databases/blogdb/collections/posts/attributes/string/title'
  const headers = { ...HEADERS, 'x-appwrite-key': KEY }
  await request.patch(title, { headers, data: { required: false } })
  await signUp(page, makeNewcomer('Paula Published'))
  const id = await writePost(request, { title: 'First', content: `<p>${WORDS}</p>` })
  const read = async () => (await request.get(`${DOCUMENTS}/${id}`, { headers: HEADERS })).json()
  const changes = { title: '', status: 'published' }
  await request.patch(`${DOCUMENTS}/${id}`, { headers: HEADERS, data: { data: changes } })

  await page.goto('/post')
  await page.getByRole('link', { name: WORDS }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: WORDS })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(WORDS))
  await page.goto('/dashboard')
  await expect(page.getByRole('link', { name: WORDS, exact: true })).toBeVisible()
  const guest = await visit()
  await guest.page.goto(`/post/${id}`)
  await expect(guest.page.getByRole('heading', { level: 1, name: WORDS })).toBeVisible()

  await page.goto(`/edit-post/${id}`)
  await expect(page.getByLabel('Status')).toHaveValue('active')
  await expect(page.getByLabel('Title')).toHaveValue('')
  await page.getByRole('button', { name: 'Update' }).click()
  expect(await read()).toMatchObject(changes)
  await page.getByLabel('Title').fill('A title')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'A title' })).toBeVisible()
  expect(await read()).toMatchObject({ title: 'A title', status: 'published' })
  await page.goto(`/edit-post/${id}`)
  await page.getByLabel('Status').selectOption('inactive')
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Only you can see it.').first()).toBeVisible()
  expect(await read()).toMatchObject({ status: 'inactive' })
})
