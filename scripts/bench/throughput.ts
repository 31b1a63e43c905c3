// What one server answers in a second under load, each beside a bare node:http server that sends
// the same bytes in the same minute.
import sharp from 'sharp'
import { measureBare, readBytes } from './bare.ts'
import { postId } from './big-blog.ts'
import {
  type Blog,
  call,
  DOCUMENTS,
  FEED_QUERIES,
  listPath,
  type Person,
  PIXEL,
  PROJECT,
  signUp,
  upload,
  writePost,
} from './blog.ts'
import {
  type Asked,
  CONNECTIONS,
  type Load,
  measure,
  processorMs,
  shareOf,
  timeCalls,
} from './load.ts'

const CREATES = 4000
const SIGN_INS = 200
const PHOTO = { width: 2400, height: 1800 }

export type ThroughputRow = { name: string; load: Load; bare: Load | undefined }

/** `isAlone` leaves out the bare servers. */
type Where = { blog: Blog; seconds: number; folder: string; isAlone?: boolean }

/** On a blog of at least 1,000 posts. */
export async function measureThroughput(where: Where): Promise<ThroughputRow[]> {
  const { blog } = where
  const person = await signUp(blog.url)
  const rows: ThroughputRow[] = []
  for (const [name, asked] of Object.entries(await makeReads(blog, person)))
    rows.push(await measureBeside(where, name, asked))
  rows.push(await measureCreates(blog, person))
  rows.push(await measureSignIns(blog))
  return rows
}

async function makeReads(blog: Blog, person: Person): Promise<Record<string, Asked>> {
  const page = `/post/${postId(500)}`
  const encoded = { 'accept-encoding': 'br' }
  const { headers } = await readBytes(blog.url, page, encoded)
  const photo = sharp({
    create: {
      ...PHOTO,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
  const bytes = await photo.blur(4).jpeg().toBuffer()
  const fileId = await upload(blog.url, person, { name: 'photo.jpg', bytes })
  const own = { ...PROJECT, cookie: person.cookie }
  return {
    'post page, a visitor': { paths: [page], headers: encoded },
    'post page, unchanged (304)': {
      paths: [page],
      headers: { ...encoded, 'if-none-match': String(headers.etag) },
    },
    'post page, a member': { paths: [page], headers: { ...encoded, cookie: person.cookie } },
    'feed call, 25 posts, signed in': { paths: [listPath(...FEED_QUERIES)], headers: own },
    'feed call, 25 posts, a visitor': { paths: [listPath(...FEED_QUERIES)], headers: PROJECT },
    'one post, JSON': { paths: [`${DOCUMENTS}/${postId(500)}`], headers: PROJECT },
    'resized picture, kept': {
      paths: [
        `/v1/storage/buckets/content/files/${fileId}/preview?width=828&quality=80&output=webp`,
      ],
      headers: { ...PROJECT, accept: 'image/webp,*/*' },
    },
  }
}

async function measureBeside(
  { blog, seconds, folder, isAlone = false }: Where,
  name: string,
  asked: Asked,
): Promise<ThroughputRow> {
  const bytes = await readBytes(blog.url, asked.paths[0] ?? '/', asked.headers)
  const load = await measure({ ...blog, seconds }, asked)
  const bare = isAlone ? undefined : await measureBare(bytes, asked, { seconds, folder })
  return { name, load, bare }
}

/** Each page once, by a server that has just started: none of them is kept. */
export async function measureRendering(blog: Blog, posts: number): Promise<Load> {
  const view = (at: number) => async () => {
    const { status } = await readBytes(blog.url, `/post/${postId(at)}`, { 'accept-encoding': 'br' })
    if (status !== 200) throw new Error(`A post page was answered with ${status}`)
  }
  // Each 50th is a draft, as fillBigBlog made them.
  const all = Array.from({ length: posts }, (_, at) => at).filter((at) => at % 50 !== 1)
  await timeCalls(all.slice(0, 300).map(view), CONNECTIONS)
  const rest = all.slice(300)
  return await asLoad(blog, rest.map(view))
}

async function asLoad(blog: Blog, calls: (() => Promise<unknown>)[]): Promise<Load> {
  const before = await processorMs(blog.child)
  const { tookMs, perSecond } = await timeCalls(calls, CONNECTIONS)
  const after = await processorMs(blog.child)
  const isKnown = before !== undefined && after !== undefined
  return {
    perSecond,
    ...{ p50Ms: shareOf(tookMs, 0.5), p99Ms: shareOf(tookMs, 0.99), failed: 0 },
    cpuMs: isKnown ? (after - before) / calls.length : undefined,
  }
}

async function measureCreates(blog: Blog, person: Person): Promise<ThroughputRow> {
  const featuredImage = await upload(blog.url, person, PIXEL)
  const create = (at: number) => () =>
    writePost(blog.url, person, {
      title: `Measured ${at}`,
      content: `<p>The word is <em>samar</em>, and <strong>no dictionary</strong> has it: ${at}.</p>`,
      featuredImage,
    })
  await timeCalls(
    Array.from({ length: CREATES / 10 }, (_, at) => create(at)),
    CONNECTIONS,
  )
  const calls = Array.from({ length: CREATES }, (_, at) => create(at))
  return { name: 'create a post', load: await asLoad(blog, calls), bare: undefined }
}

async function measureSignIns(blog: Blog): Promise<ThroughputRow> {
  const body = { email: `sign.in.${Date.now()}@example.test`, password: 'measured by lamplight' }
  await call(blog.url, '/v1/account', { body: { userId: 'unique()', ...body, name: 'Bench' } })
  const signIn = () => call(blog.url, '/v1/account/sessions/email', { body })
  const calls = Array.from({ length: SIGN_INS }, () => signIn)
  return { name: 'sign in (argon2id)', load: await asLoad(blog, calls), bare: undefined }
}
