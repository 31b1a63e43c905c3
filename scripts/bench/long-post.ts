// What one view of a very long post costs the server: processor time of its whole process, the
// compression included, by a guest and by somebody signed in.
import type { ChildProcess } from 'node:child_process'
import type { Place } from './big-blog.ts'
import { DOCUMENTS, PIXEL, PROJECT, SITE, signUp, startBlog, upload, writePost } from './blog.ts'
import { processorMs } from './load.ts'

const BODY_BYTES = 950_000
const VIEWS = 20
const PARAGRAPH = `<p>The word is <em>samar</em>, and <strong>no dictionary</strong> I own has it: they say “evening conversation” and leave it at
  <a href="https://example.org/samar" rel="noopener noreferrer nofollow ugc">that</a>, as one might say <span style="color: #e03e2d;">water</span> for the sea.</p>`

/** Milliseconds of the processor for one view; the first ones follow a start of the server. */
export type LongPostFigures = { name: string; first: number; each: number }[]

/** undefined where the system does not tell what a process has used. */
export async function benchLongPost(place: Place): Promise<LongPostFigures | undefined> {
  const { slug, cookie } = await prepare(place)
  const figures: LongPostFigures = []
  for (const [name, path, headers] of [
    ['page, a guest', `/post/${slug}`, {}],
    ['page, signed in', `/post/${slug}`, { cookie }],
    ['document, a guest', `${DOCUMENTS}/${slug}`, PROJECT],
    ['list with it, a guest', `${DOCUMENTS}?queries[0]=limit(1)`, PROJECT],
  ] as const) {
    await using blog = await startBlog(place, SITE)
    const { url, child } = blog
    // What the first request of any page costs is not the post's.
    await view(`${url}/login`, {})
    const used = (views: number, more: Record<string, string> = {}) =>
      costOf(child, views, () => view(`${url}${path}`, { ...headers, ...more }))
    const first = await used(1)
    const each = await used(VIEWS)
    const { tag } = await view(`${url}${path}`, headers)
    const fresh = tag ? await used(VIEWS, { 'if-none-match': tag }) : undefined
    if (first === undefined || each === undefined) return undefined
    figures.push({ name, first, each })
    if (fresh !== undefined) figures.push({ name: `${name}, 304`, first: fresh, each: fresh })
  }
  return figures
}

async function prepare(place: Place): Promise<{ slug: string; cookie: string }> {
  await using blog = await startBlog(place, SITE)
  const person = await signUp(blog.url)
  const featuredImage = await upload(blog.url, person, PIXEL)
  const content = PARAGRAPH.repeat(Math.floor(BODY_BYTES / Buffer.byteLength(PARAGRAPH)))
  const slug = await writePost(blog.url, person, { title: 'A long one', content, featuredImage })
  return { slug, cookie: person.cookie }
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

async function view(url: string, headers: Record<string, string>): Promise<{ tag: string | null }> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'br', ...headers } })
  if (!answer.ok && answer.status !== 304)
    throw new Error(`${url} was answered with ${answer.status}`)
  await answer.arrayBuffer()
  return { tag: answer.headers.get('etag') }
}
