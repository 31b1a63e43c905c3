// The blog that is measured, started as operators start it but without rate limits, which would
// stop the load; requests to it, and texts for its posts.
import type { ChildProcess } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { ROOT, START_ARGS, startServer, stopProcess, toolEnv } from '../processes.ts'
import type { LoadRequest } from './load.ts'

export const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
export const SEARCH = DOCUMENTS.replace('/documents', '/search')
const PROJECT = { 'x-appwrite-project': 'blog' }
const PASSWORD = 'measured by lamplight'
const BODY_CHARS = 5000

export type BlogLocation = { dataDir: string; databaseUrl: string | undefined }
/** Disposing it stops the blog. */
export type Blog = AsyncDisposable & { url: string; child: ChildProcess; startMs: number }
export type Person = { id: string; cookie: string }

/** The public URL is the same at every start, so that derived texts stay valid. */
export async function startBlog({ dataDir, databaseUrl }: BlogLocation): Promise<Blog> {
  const env = toolEnv({
    BLOG_DATA_DIR: dataDir,
    BLOG_DATABASE_URL: databaseUrl ?? '',
    BLOG_RATE_LIMITS: 'off',
    BLOG_READING: 'everyone',
  })
  const beganMs = performance.now()
  const blog = await startServer('blog', START_ARGS, env, { publicUrl: 'http://localhost' })
  return { ...blog, startMs: performance.now() - beganMs, ...stoppedOnDispose(blog.child) }
}

const BARE_SERVER = `const { readFileSync } = require('node:fs')
const [head, body] = [JSON.parse(process.env.BENCH_HEAD), Buffer.from(process.env.BENCH_BODY, 'base64')]
require('node:http').createServer(({ url }, answer) => {
  if (!url.startsWith('/v1/health')) answer.writeHead(200, head).end(body)
  else answer.end()
}).listen(Number(process.env.PORT), '127.0.0.1')`

/** Starts a bare node:http server that answers everything with the blog's answer to one request. */
export async function startBare(blog: Blog, { path, headers = {} }: LoadRequest) {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: object; body: Buffer }>()
  request(blog.url + path, { headers, agent: false }, async (answer) => {
    const body = Buffer.concat(await answer.toArray())
    const headerNames = ['content-type', 'content-encoding', 'content-length', 'etag']
    resolve({
      head: Object.fromEntries(headerNames.map((name) => [name, answer.headers[name]])),
      body,
    })
  })
    .on('error', reject)
    .end()
  const { head, body } = await promise
  const env = toolEnv({ BENCH_HEAD: JSON.stringify(head), BENCH_BODY: body.toString('base64') })
  const bare = await startServer('bare', ['-e', BARE_SERVER], env)
  return { ...bare, ...stoppedOnDispose(bare.child) }
}

function stoppedOnDispose(child: ChildProcess): AsyncDisposable {
  return { [Symbol.asyncDispose]: async () => void (await stopProcess(child)) }
}

/** Proportional memory (PSS) of the process in megabytes; for Linux only. */
export function memoryMb({ child }: Blog): number {
  const text = readFileSync(`/proc/${child.pid}/smaps_rollup`, 'utf8')
  return (Number(/^Pss:\s+(\d+)/m.exec(text)?.[1]) * 1024) / 1e6
}

export async function signUp({ url }: Blog, name: string): Promise<Person> {
  const login = { email: `${name}@example.test`, password: PASSWORD }
  const guest = { cookie: '' }
  await call(url, write(guest, 'POST', '/v1/account', { userId: name, name, ...login }))
  const session = write(guest, 'POST', '/v1/account/sessions/email', login)
  const cookies = (await fetch(url + session.path, session)).headers.getSetCookie()
  return { id: name, cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') }
}

/** Signs people up one after the other, because the blog hashes few passwords at once. */
export async function signUpAll(blog: Blog, name: string, number: number): Promise<Person[]> {
  const people: Person[] = []
  for (let at = 0; at < number; at++) people.push(await signUp(blog, `${name}${at}`))
  return people
}

/** @throws Error when the call is refused */
export async function call(url: string, { path, ...options }: LoadRequest) {
  const answer = await fetch(url + path, options)
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** A read by a guest, or by this member. */
export function read(path: string, person?: Person): LoadRequest {
  const credentials = person ? { cookie: person.cookie } : {}
  return { path, headers: { ...PROJECT, ...credentials, 'accept-encoding': 'br' } }
}

export function write(
  { cookie }: Pick<Person, 'cookie'>,
  method: string,
  path: string,
  body: object,
): LoadRequest {
  const headers = { ...PROJECT, cookie, 'content-type': 'application/json' }
  return { path, method, headers, body: JSON.stringify(body) }
}

export function create(person: Person, documentId = 'unique()', tags = ['measured']): LoadRequest {
  const data = { title: prose(40), content: body(), featuredImage: '' }
  const fields = { status: 'active', userid: person.id, tags }
  return write(person, 'POST', DOCUMENTS, { documentId, data: { ...data, ...fields } })
}

/** A comment with other words each time, because the blog refuses repeated ones. */
export function comment(person: Person, postId: string): LoadRequest {
  const path = DOCUMENTS.replace('/posts/', '/comments/')
  const setupRequest = () => {
    const data = { postId, content: prose(200) }
    return write(person, 'POST', path, { documentId: 'unique()', data })
  }
  return { ...setupRequest(), setupRequest }
}

export function patch(person: Person, post: string, data: object): LoadRequest {
  return write(person, 'PATCH', `${DOCUMENTS}/${post}`, { data })
}

export function like(person: Person, post: string, isLiked: boolean): LoadRequest {
  return patch(person, post, { likeId: isLiked ? [person.id] : [] })
}

export function rename(person: Person): LoadRequest {
  return write(person, 'PATCH', '/v1/account/name', { name: `Member ${random(1e9)}` })
}

/** A request for a page with the headers of a browser. */
export function page(path: string, person?: Person): LoadRequest {
  const { 'x-appwrite-project': _project, ...headers } = read(path, person).headers ?? {}
  return { path, headers: { ...headers, 'sec-fetch-site': 'none' } }
}

/** A list as the app requests it for the feed, but longer. */
export function list(...queries: string[]): string {
  const allQueries = ['equal("status", ["active"])', 'orderDesc("$createdAt")', ...queries]
  return `${DOCUMENTS}?${new URLSearchParams(allQueries.map((query, at) => [`queries[${at}]`, query]))}`
}

/** All words of our documents, with repetitions, so that they have the frequencies of real text. */
const WORDS = globSync('docs/{api,product,operating}.md', { cwd: ROOT }).flatMap(
  (file) => readFileSync(`${ROOT}/${file}`, 'utf8').match(/\p{L}{2,}/gu) ?? [],
)

let state = 1

/** A pseudo-random whole number from 0 to below `below`; each run has the same sequence. */
export function random(below: number): number {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * below)
}

export function word(): string {
  return WORDS[random(WORDS.length)] ?? ''
}

export function prose(chars: number): string {
  let text = word()
  while (text.length < chars) text += ` ${word()}`
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const PARTS = [
  () => `<h2>${prose(30)}</h2>`,
  () => `<p>${prose(400)}.</p>`,
  () =>
    `<p>${prose(150)} <a href="https://example.org/${word()}">${prose(20)}</a> ${prose(150)} <strong>${prose(15)}</strong>, <em>${prose(15)}</em>.</p>`,
  () => `<ul>\n${repeat(4, () => `<li>${prose(70)}</li>`)}\n</ul>`,
  () => `<p>${prose(500)}. <code>${word()}</code> ${prose(200)}.</p>`,
  () => `<blockquote><p>${prose(200)}.</p></blockquote>`,
  () => `<pre class="language-javascript"><code>${repeat(6, codeLine)}</code></pre>`,
]

function codeLine(): string {
  return `const ${word()} = await fetch("/${word()}") // ${prose(30)}`
}

function repeat(times: number, make: () => string): string {
  return Array.from({ length: times }, make).join('\n')
}

/** The body of a post: headings, links, lists, quotations and code, with words of its own. */
export function body(): string {
  let html = ''
  for (let at = 0; html.length < BODY_CHARS; at++) html += `${PARTS[at % PARTS.length]?.()}\n`
  return html
}
