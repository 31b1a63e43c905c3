// A blog that is measured: started as operators start it, but for the rate limits, which would stop
// the load; and a person of it.
import type { ChildProcess } from 'node:child_process'
import { SERVE_ARGS, startServing, stopProcess, toolEnv } from '../processes.ts'
import type { Place } from './big-blog.ts'

export const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
export const PROJECT = { 'x-appwrite-project': 'blog' }
const PASSWORD = 'measured by lamplight'

/** Leaving its scope stops it. */
export type Blog = AsyncDisposable & { url: string; child: ChildProcess }

/** An address of the blog that stays the same whatever port it has. */
export const SITE = { publicUrl: 'http://blog.example' }

/** @param publicUrl the same at every start, or bodies would be cleaned again for another site */
export async function startBlog(
  { dataDir, databaseUrl }: Place,
  { processes = 1, publicUrl = '' } = {},
): Promise<Blog> {
  const env = toolEnv({
    BLOG_DATA_DIR: dataDir,
    BLOG_DATABASE_URL: databaseUrl ?? '',
    BLOG_RATE_LIMITS: 'off',
    BLOG_READING: 'everyone',
    BLOG_PROCESSES: String(processes),
  })
  const blog = await startServing('blog', SERVE_ARGS, env, { publicUrl })
  const stop = async () => void (await stopProcess(blog.child))
  return { ...blog, [Symbol.asyncDispose]: stop }
}

export type Person = { id: string; cookie: string }

/** Makes an account. */
export async function signUp(url: string): Promise<Person> {
  const email = `bench.${Date.now()}.${Math.random().toString(36).slice(2)}@example.test`
  const { $id: id } = await call(url, '/v1/account', {
    body: { userId: 'unique()', email, password: PASSWORD, name: 'Bench' },
  })
  const session = await send(url, '/v1/account/sessions/email', {
    body: { email, password: PASSWORD },
  })
  const cookies = session.headers.getSetCookie().map((one) => one.split(';')[0])
  return { id: String(id), cookie: cookies.join('; ') }
}

type Calling = { method?: string; body?: object; cookie?: string | undefined }

/** @throws Error when the call is refused */
export async function call(
  url: string,
  path: string,
  calling: Calling = {},
): Promise<Record<string, unknown>> {
  const answer = await send(url, path, calling)
  if (answer.status === 204) return {}
  return (await answer.json()) as Record<string, unknown>
}

async function send(url: string, path: string, calling: Calling): Promise<Response> {
  const { body, cookie, method = body ? 'POST' : 'GET' } = calling
  const isForm = body instanceof FormData
  const answer = await fetch(url + path, {
    method,
    headers: {
      ...PROJECT,
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      ...(cookie ? { cookie } : {}),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer
}

/** @returns the id of a file */
export async function upload(
  url: string,
  { cookie }: Person,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<string> {
  const body = new FormData()
  body.append('fileId', 'unique()')
  body.append('file', new File([new Uint8Array(bytes)], name))
  const { $id } = await call(url, '/v1/storage/buckets/content/files', { body, cookie })
  return String($id)
}

export const PIXEL = {
  name: 'pixel.png',
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

type Written = { title?: string; content: string; featuredImage: string }

/** @returns the id of a post */
export async function writePost(
  url: string,
  { id, cookie }: Person,
  { title = 'Measured', content, featuredImage }: Written,
): Promise<string> {
  const data = { title, content, featuredImage, status: 'active', userid: id }
  const { $id } = await call(url, DOCUMENTS, { body: { documentId: 'unique()', data }, cookie })
  return String($id)
}

/** The address of a list. */
export function listPath(...queries: string[]): string {
  const asked = new URLSearchParams(queries.map((one, at) => [`queries[${at}]`, one]))
  return `${DOCUMENTS}?${asked}`
}

/** The feed as the app asks for it, but longer. */
export const FEED_QUERIES = [
  'equal("status", ["active"])',
  'orderDesc("$createdAt")',
  'limit(25)',
] as const
