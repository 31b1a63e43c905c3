// A blog with registration, mail and Google switched off: what the screens hide and explain.
import { expect, test } from '#test/support/browser-blog.ts'

test.use({ blogEnv: { BLOG_REGISTRATION: 'closed', BLOG_MAIL: 'off' } })

test('closed registration hides the links to sign up, and /signup says that registration is closed', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit({ viewport: { width: 360, height: 760 } })
  await page.goto('/login')
  await expect(
    page.getByRole('heading', { level: 1, name: 'Sign in to your account' }),
  ).toBeVisible()
  await expect(page.getByText('Sign Up', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menuitem', { name: 'Log in' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Sign up' })).toHaveCount(0)
  await page.goto('/signup')
  await expect(
    page.getByRole('heading', { level: 1, name: 'Registration is closed' }),
  ).toBeVisible()
  await expect(page.getByRole('form')).toHaveCount(0)
})

test('without mail and Google the sign-in page offers neither links by email nor the Google button', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Email me a link' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toHaveCount(0)
  await page.goto('/forgot')
  await expect(page.getByText('This site sends no email.')).toBeVisible()
  await expect(page.getByRole('form')).toHaveCount(0)
})

test('a failed Google sign-in shows a message of the blog, not of the provider, and leaves the address bar clean', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  const error = JSON.stringify({
    message: 'Call 0900 123 now',
    type: 'user_oauth2_provider_error',
    code: 424,
  })
  await page.goto(`/login?next=%2Fpost&error=${encodeURIComponent(error)}`)
  await expect(
    page.getByRole('alert').filter({ hasText: 'Google did not confirm this sign-in.' }),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.content()).not.toContain('0900')
})

test('verifying with Google without a session shows the error message of the specification', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  await page.goto('/verifyOAuth')
  await expect(page.getByText('Nobody is signed in here.')).toBeVisible()
  await page.getByRole('button', { name: 'Verify OAuth' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Failed to fetch user info' }),
  ).toBeVisible()
})

test('the content security policy lets only /verifyOAuth connect to the provider', {
  tag: '@more',
}, async ({ visit }) => {
  const { page } = await visit()
  const connect = async (path: string) => {
    const policy = (await page.goto(path))?.headers()['content-security-policy'] ?? ''
    return policy.split('; ').filter((part) => part.startsWith('connect-src'))
  }
  expect(await connect('/verifyOAuth')).toEqual(["connect-src 'self' https://www.googleapis.com"])
  for (const path of ['/login', '/verification', '/verifyUserEmailLink', '/post'])
    expect(await connect(path), path).toEqual(["connect-src 'self'"])
})
