// The dashboard of an account that cannot write: its likes, its comments, and links to posts.
import { axeFindings } from '#test/support/axe.ts'
import { signUpByApi, writeComment } from '#test/support/browser-comments.ts'
import { expect, makeReader, test } from '#test/support/operator-blog.ts'
import { startApp } from '#test/support/people.ts'
import { DOCUMENTS, writeMorePosts, writePost } from '#test/support/write-post.ts'

const headers = { 'x-appwrite-project': 'blog' }
const POSTS = 6

test('a reader takes back a like, undoes that, lists all likes and opens their comment', {
  tag: '@more',
}, async ({ visit, asOperator }) => {
  await asOperator('/v1/site', { approveFirst: 'off' })
  const author = await visit()
  await signUpByApi(author, 'Ada Author')
  const first = await writePost(author.context.request, { title: 'Lamp 1', content: '<p>x</p>' })
  const others = Array.from({ length: POSTS - 1 }, (_, index) => ({
    id: `lamp${index + 2}`,
    title: `Lamp ${index + 2}`,
    content: '<p>x</p>',
  }))
  await writeMorePosts(author.context.request, first, others)
  const reader = await visit()
  const { page, context } = reader
  await signUpByApi(reader, 'Rita Reader')
  const account = await (await context.request.get('/v1/account', { headers })).json()
  for (const id of [first, ...others.map((other) => other.id)]) {
    const data = { data: { like: 1, likeId: [account.$id] } }
    await context.request.patch(`${DOCUMENTS}/${id}`, { headers, data })
  }
  const id = await writeComment(context.request, 'lamp2', 'By the second lamp')
  await makeReader(account.$id, asOperator)

  await page.goto('/dashboard')
  await startApp(page)
  await expect(page.getByText('You have liked 6 posts and written 1 comment.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Take back your like' })).toHaveCount(4)
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Take back your like of Lamp 6' }).press('Enter')
  await expect(page.getByText('You have liked 5 posts')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText('You have liked 6 posts')).toBeVisible()
  await page.getByRole('link', { name: 'All 6' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Take back your like' })).toHaveCount(6)

  await page.getByRole('link', { name: 'addPost' }).press('Enter')
  await expect(page.getByText('Your account can read, like and comment.')).toBeVisible()
  await expect(page.locator('main').getByRole('link', { name: 'All posts' })).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'By the second lamp' }).press('Enter')
  await expect(page.locator(`#c-${id}`)).toBeVisible()
})
