// The seeded blog for browser tests: sessions of its people and addresses of its posts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT } from '#scripts/processes.ts'
import { emailOf, PEOPLE_KEYS, type PersonKey } from '#scripts/seed/people.ts'

/** Shows every sign-in method; no test goes to the provider. */
export const SHOWN_SETTINGS = {
  BLOG_GOOGLE_CLIENT_ID: 'shown-only',
  BLOG_GOOGLE_CLIENT_SECRET: 'never-sent',
}

const PASSWORD = 'lantern-quarry-meadow-47'
const API = { 'x-appwrite-project': 'blog' }
const POSTS = `/v1/databases/blogdb/collections/posts/documents?${new URLSearchParams({ 'queries[0]': 'limit(100)' })}`

export type SeededBlog = {
  /** The session cookies of this person. */
  cookiesOf(key: PersonKey): { name: string; value: string; url: string }[]
  /** The address of the post with this title. */
  postPath(title: string): string
}

/** Fills a new data folder, by `npm run seed`. @throws Error when that fails */
export async function fillWithSeed(env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/seed.ts'), '--password', PASSWORD], {
    // The screens show a blog for members, unless a test sets otherwise.
    env: { BLOG_READING: 'members', ...env },
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('The seed failed')
}

/** Signs everybody in, on a server that serves the seeded folder. */
export async function signEverybodyIn(url: string): Promise<SeededBlog> {
  const cookies = new Map<PersonKey, string[]>()
  for (const key of PEOPLE_KEYS) cookies.set(key, await signIn(url, key))
  const paths = await findPosts(url, cookies.get('tobias') ?? [])
  return {
    cookiesOf: (key) =>
      (cookies.get(key) ?? []).map((one) => ({
        name: one.slice(0, one.indexOf('=')),
        value: one.slice(one.indexOf('=') + 1),
        url,
      })),
    postPath(title) {
      const path = paths.get(title)
      if (!path) throw new Error(`The seed has no post "${title}"`)
      return path
    },
  }
}

async function signIn(url: string, key: PersonKey): Promise<string[]> {
  const answer = await fetch(`${url}/v1/account/sessions/email`, {
    method: 'POST',
    headers: { ...API, 'content-type': 'application/json' },
    body: JSON.stringify({ email: emailOf(key), password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`Signing in as ${key} answered ${answer.status}`)
  return answer.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
}

async function findPosts(url: string, cookies: string[]): Promise<Map<string, string>> {
  const answer = await fetch(url + POSTS, { headers: { ...API, cookie: cookies.join('; ') } })
  const { documents } = (await answer.json()) as { documents: { $id: string; title: string }[] }
  return new Map(documents.map(({ $id, title }) => [title, `/post/${$id}`]))
}
