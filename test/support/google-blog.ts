// A blog whose Google is a real OpenID provider, for API tests: the redirects there and back, and
// the rows in the database.
import { expect } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import type { Database } from '#backend/database/schema.ts'
import { makeTestBlog, type TestBlog } from './blog.ts'
import { type GooglePerson, type RedirectBrowser, startIssuer } from './openid.ts'

export const ALICE: GooglePerson = {
  sub: 'google-alice',
  email: 'alice@example.test',
  email_verified: true,
  name: 'Alice of Google',
}
export const MALLORY: GooglePerson = {
  sub: 'google-mallory',
  email: 'mallory@example.test',
  email_verified: true,
  name: 'Mallory',
}
export const CALLBACK = '/v1/account/sessions/oauth2/callback/google/blog'

/** A blog whose Google is the test provider. */
export async function openGoogleBlog(
  env: Record<string, string> = {},
  people: GooglePerson[] = [ALICE, MALLORY],
) {
  const issuer = await startIssuer(people.map((person) => ({ ...person })))
  const blog = await makeTestBlog({ ...issuer.env, ...env })
  issuer.registerBlog(blog.url)
  return {
    blog,
    issuer,
    async [Symbol.asyncDispose]() {
      await blog[Symbol.asyncDispose]()
      await issuer[Symbol.asyncDispose]()
    },
  }
}

/** @param result whether the flow ends with a session or with a token in the address */
export function startUrl(
  blog: TestBlog,
  query: Record<string, string> = {},
  result: 'sessions' | 'tokens' = 'sessions',
): string {
  const params = {
    success: `${blog.url}/verifyOAuth`,
    failure: `${blog.url}/login`,
    project: 'blog',
    ...query,
  }
  return `${blog.url}/v1/account/${result}/oauth2/google?${new URLSearchParams(params)}`
}

/**
 * Goes to the provider and chooses an account there, or cancels.
 * @returns the address with which the provider sends the browser back
 */
export async function chooseAccount(
  blog: TestBlog,
  browser: RedirectBrowser,
  choice: string,
  start = startUrl(blog),
): Promise<string> {
  const page = await browser.follow(start, ({ pathname }) => pathname.startsWith('/interaction/'))
  const back = await browser.follow(`${page}?${choice}`, ({ pathname }) => pathname === CALLBACK)
  expect(back.origin + back.pathname).toBe(blog.url + CALLBACK)
  return back.href
}

/** Walks through the whole sign-in. @returns the address of the last redirect */
export async function signIn(
  blog: TestBlog,
  browser: RedirectBrowser,
  { sub }: GooglePerson,
): Promise<string> {
  const back = await chooseAccount(blog, browser, `sub=${sub}`)
  return (await browser.visit(back)).headers.get('location') ?? ''
}

export function errorIn(location: string): unknown {
  return JSON.parse(new URL(location).searchParams.get('error') ?? 'null')
}

/** Reads or changes rows directly, without the server. */
export async function inDatabase(
  blog: TestBlog,
  work: (db: Database) => Promise<unknown>,
): Promise<void> {
  const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: undefined })
  await work(db)
  await db.destroy()
}

export async function countRows(blog: TestBlog): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  await inDatabase(blog, async (db) => {
    for (const table of ['user', 'session', 'identity', 'oauthState'] as const) {
      const { count } = await db
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      counts[table] = Number(count)
    }
  })
  return counts
}

/** What `countRows` gives for a blog without users. */
export const NO_USERS = { user: 0, session: 0, identity: 0 }

/** The session of the browser, as `GET /account/sessions/current` shows it. */
export function currentSession(blog: TestBlog, browser: RedirectBrowser) {
  return blog.call('GET', '/account/sessions/current', { cookie: browser.cookie() })
}
