// What one view of a very long post costs the server: processor time of its whole process, the
// compression included, by a guest and by somebody signed in.
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { SERVE_ARGS, startServing, stopProcess } from '../processes.ts'

const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
const PROJECT = { 'x-appwrite-project': 'blog' }
const PASSWORD = 'measured by lamplight'
/** At every start, or the body would be cleaned again for another site. */
const SITE = { publicUrl: 'http://blog.example' }
const BODY_BYTES = 950_000
const VIEWS = 20
/** Of /proc: the system counts processor time in hundredths of a second. */
const TICK_MS = 10
const PARAGRAPH = `<p>The word is <em>samar</em>, and <strong>no dictionary</strong> I own has it: they say “evening conversation” and leave it at
  <a href="https://example.org/samar" rel="noopener noreferrer nofollow ugc">that</a>, as one might say <span style="color: #e03e2d;">water</span> for the sea.</p>`

/** Milliseconds of the processor for one view; the first ones follow a start of the server. */
export type LongPostFigures = { name: string; first: number; each: number }[]

/** undefined where the system does not tell what a process has used. */
export async function benchLongPost(env: NodeJS.ProcessEnv): Promise<LongPostFigures | undefined> {
  const written = await startServing('blog', SERVE_ARGS, env, SITE)
  const cookie = await signUp(written.url)
  const slug = await writeLongPost(written.url, cookie)
  await stopProcess(written.child)
  const figures: LongPostFigures = []
  for (const [name, path, headers] of [
    ['page, a guest', `/post/${slug}`, {}],
    ['page, signed in', `/post/${slug}`, { cookie }],
    ['document, a guest', `${DOCUMENTS}/${slug}`, PROJECT],
    ['list with it, a guest', `${DOCUMENTS}?queries[0]=limit(1)`, PROJECT],
  ] as const) {
    const { url, child } = await startServing('blog', SERVE_ARGS, env, SITE)
    // What the first request of any page costs is not the post's.
    await view(`${url}/login`, {})
    const used = (views: number, more: Record<string, string> = {}) =>
      costOf(child, views, () => view(`${url}${path}`, { ...headers, ...more }))
    const first = await used(1)
    const each = await used(VIEWS)
    const { tag } = await view(`${url}${path}`, headers)
    const fresh = tag ? await used(VIEWS, { 'if-none-match': tag }) : undefined
    await stopProcess(child)
    if (first === undefined || each === undefined) return undefined
    figures.push({ name, first, each })
    if (fresh !== undefined) figures.push({ name: `${name}, 304`, first: fresh, each: fresh })
  }
  return figures
}

async function costOf(
  child: ChildProcess,
  views: number,
  work: () => Promise<unknown>,
): Promise<number | undefined> {
  const before = await processorMs(child)
  for (let turn = 0; turn < views; turn++) await work()
  const after = await processorMs(child)
  return before === undefined || after === undefined ? undefined : (after - before) / views
}

async function processorMs({ pid }: ChildProcess): Promise<number | undefined> {
  const told = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name in brackets may hold spaces; user and system time are the 14th and 15th field.
  const fields = told?.slice(told.lastIndexOf(')') + 2).split(' ')
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

async function view(url: string, headers: Record<string, string>): Promise<{ tag: string | null }> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'br', ...headers } })
  if (!answer.ok && answer.status !== 304)
    throw new Error(`${url} was answered with ${answer.status}`)
  await answer.arrayBuffer()
  return { tag: answer.headers.get('etag') }
}

async function signUp(url: string): Promise<string> {
  const email = `long.${Date.now()}@example.test`
  const post = (path: string, body: object) =>
    fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { ...PROJECT, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/account', { userId: 'unique()', email, password: PASSWORD, name: 'Bench' })
  const session = await post('/account/sessions/email', { email, password: PASSWORD })
  return session.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

async function writeLongPost(url: string, cookie: string): Promise<string> {
  const headers = { ...PROJECT, cookie }
  const { $id: userid } = await (await fetch(`${url}/v1/account`, { headers })).json()
  const body = new FormData()
  body.append('fileId', 'unique()')
  body.append('file', new File([PIXEL], 'pixel.png'))
  const file = await fetch(`${url}/v1/storage/buckets/content/files`, {
    method: 'POST',
    headers,
    body,
  })
  const { $id: featuredImage } = await file.json()
  const content = PARAGRAPH.repeat(Math.floor(BODY_BYTES / Buffer.byteLength(PARAGRAPH)))
  const data = { title: 'A long one', content, featuredImage, status: 'active', userid }
  const made = await fetch(`${url}${DOCUMENTS}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ documentId: 'unique()', data }),
  })
  const { $id, message } = await made.json()
  if (made.status !== 201) throw new Error(`The long post was refused: ${message}`)
  return $id
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
