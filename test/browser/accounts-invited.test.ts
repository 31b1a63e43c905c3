// A blog without a mail server and with registration closed: a visitor signs up with an
// invitation, and every screen says that mails are stored on the server. Then the operator hides a
// post.
import type { APIRequestContext } from '@playwright/test'
import { expect, test } from '#test/support/browser-blog.ts'
import { tabTo } from '#test/support/browser-mail.ts'
import { untilHydrated } from '#test/support/people.ts'
import { DOCUMENTS, writePost } from '#test/support/write-post.ts'

const KEY = 'the-key-of-this-test-0123456789abcdef'
const HEADERS = { 'x-appwrite-project': 'blog', 'x-appwrite-key': KEY }
const EMAIL = 'per@example.test'

test.use({ blogEnv: { BLOG_REGISTRATION: 'closed', BLOG_API_KEY: KEY } })

async function invite(request: APIRequestContext, email: string): Promise<string> {
  const answer = await request.post('/v1/invitations', {
    headers: HEADERS,
    data: { email, name: 'Ines Duarte' },
  })
  expect(answer.status()).toBe(201)
  return (await answer.json()).url
}

test('an invitation works once and by keyboard, and no screen claims that mail was sent', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  const url = await invite(context.request, EMAIL)
  const landing = await page.goto(url)
  expect(landing?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
  })
  await expect(page).toHaveURL(/\/invitation$/)
  await expect(page.getByText('You are invited')).toBeVisible()
  await expect(page.getByText('Ines Duarte made room for you at Web App.')).toBeVisible()
  const email = page.getByLabel('Email', { exact: true })
  await expect(email).toHaveValue(EMAIL)
  await expect(email).not.toBeEditable()
  await tabTo(page, page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Per Holm')
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await page.keyboard.type('per reads by lamplight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)

  await expect(page.getByText(EMAIL).first()).toBeVisible()
  const notVerified = { hasText: `${EMAIL} is not verified yet.` }
  const line = `${EMAIL} is not verified yet. An operator can pass the link on to you.`
  await expect(page.getByRole('status').filter(notVerified)).toHaveText(line)
  await page.goto('/settings/sign-in')
  const settings = page.getByRole('region', { name: 'Email', exact: true })
  await expect(settings.getByRole('status').filter(notVerified)).toHaveText(line)
  await settings.getByRole('button', { name: 'Make a new link' }).click()
  await expect(settings.getByText('The link is made. It works for one hour.')).toBeVisible()

  const other = await visit()
  other.expectFault(/status of 401/)
  await other.page.goto(url)
  await expect(
    other.page.getByRole('heading', { level: 1, name: 'This invitation has expired' }),
  ).toBeVisible()
  await expect(
    other.page.getByText(
      'Invitations work once, for seven days. Ask the person who sent it for a new one.',
    ),
  ).toBeVisible()
})

test('without a mail server, recovery and sign-in links say that mail is stored on the server, for any address', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  for (const email of [EMAIL, 'nobody@example.test']) {
    await page.goto('/forgot')
    await untilHydrated(page)
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await expect(page.locator('#main').getByRole('status')).toHaveText(
      `This site sends no email yet. If an account uses ${email}, its link is kept on the server. Ask an operator for it; it works for one hour.`,
    )
  }
  await page.goto('/login')
  await page.getByLabel('Email', { exact: true }).fill(EMAIL)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await expect(page.getByText('its sign-in link is kept on the server')).toBeVisible()
  await expect(page.getByText(/inbox|on its way/)).toHaveCount(0)
})

test('a hidden post answers 404, also to a conditional request, and its author sees why it is hidden', {
  tag: '@more',
}, async ({ visit }) => {
  const { page, context } = await visit()
  await page.goto(await invite(context.request, 'ann@example.test'))
  await page.getByLabel('Name', { exact: true }).fill('Ann')
  await page.getByLabel('Password', { exact: true }).fill('ann reads by lamplight')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  const slug = await writePost(context.request, { title: 'A loud post', content: '<p>Loud.</p>' })
  const stranger = (await visit()).context.request
  const { etag = '' } = (await stranger.get(`/post/${slug}`)).headers()
  const setHidden = (hidden: boolean) =>
    stranger.patch(`${DOCUMENTS}/${slug}/hidden`, { headers: HEADERS, data: { hidden } })
  expect((await setHidden(true)).status()).toBe(200)
  const hiddenAnswer = await stranger.get(`/post/${slug}`, { headers: { 'if-none-match': etag } })
  expect([hiddenAnswer.status(), (await hiddenAnswer.text()).includes('Loud')]).toEqual([
    404,
    false,
  ])

  await page.goto(`/post/${slug}`)
  await expect(page.getByText('An operator has hidden this post.')).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByRole('listitem').filter({ hasText: 'A loud post' })).toContainText(
    /active.*hidden/,
  )
  await setHidden(false)
  const shownAnswer = await stranger.get(`/post/${slug}`, { headers: { 'if-none-match': etag } })
  expect(shownAnswer.status()).toBe(304)
})
