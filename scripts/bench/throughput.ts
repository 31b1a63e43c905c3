// What a server answers in a second under load, with one process and with two, beside a bare
// node:http server that sends the same bytes.
import sharp from 'sharp'
import { readBytes, startBare } from './bare.ts'
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
  inTurns,
  type Load,
  medianRatio,
  processorMs,
  shareOf,
  shoot,
  timeCalls,
} from './load.ts'

const CREATES = 4000
const SIGN_INS = 200
const PHOTO = { width: 2400, height: 1800 }

/** `ofBare` and `ofOne` are medians of the ratios of single rounds. */
export type ThroughputRow = {
  name: string
  one: Load
  two: Load
  ofOne: number
  bare: Load | undefined
  ofBare: number | undefined
}

/** Two servers of equal blogs of at least 1,000 posts, with one process and with two. */
type Where = { one: Blog; two: Blog; rounds: number; folder: string }

export async function measureThroughput(where: Where): Promise<ThroughputRow[]> {
  const { one, two } = where
  const people = [await signUp(one.url), await signUp(two.url)] as const
  const reads = await makeReads(one, people[0])
  const readsOfTwo = await makeReads(two, people[1])
  const rows: ThroughputRow[] = []
  for (const [name, asked] of Object.entries(reads))
    rows.push(await measureRead(where, name, [asked, readsOfTwo[name] ?? asked]))
  const creates = [await makeCreates(one, people[0]), await makeCreates(two, people[1])] as const
  rows.push(await measureCalls(where, 'create a post', creates))
  const signIns = [await makeSignIns(one), await makeSignIns(two)] as const
  rows.push(await measureCalls(where, 'sign in (argon2id)', signIns))
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

async function measureRead(
  { one, two, rounds, folder }: Where,
  name: string,
  [asked, askedOfTwo]: readonly [Asked, Asked],
): Promise<ThroughputRow> {
  const bytes = await readBytes(one.url, asked.paths[0] ?? '/', asked.headers)
  await using bare = await startBare(bytes, folder)
  const sides = [
    { server: one, asked },
    { server: two, asked: askedOfTwo },
    { server: bare, asked },
  ]
  const shootOnce = ({ server, asked }: (typeof sides)[number]) =>
    shoot({ ...server, seconds: 1 }, asked)
  await inTurns(sides, 1, shootOnce)
  const [ones = [], twos = [], bares = []] = await inTurns(sides, rounds, shootOnce)
  return { ...rowOf(name, ones, twos), bare: middleOf(bares), ofBare: ratioOf(ones, bares) }
}

/** @param calls of the server with one process and of that with two */
async function measureCalls(
  { one, two, rounds }: Where,
  name: string,
  [calls, callsOfTwo]: readonly [Calls, Calls],
): Promise<ThroughputRow> {
  const sides = [
    { blog: one, calls },
    { blog: two, calls: callsOfTwo },
  ]
  const callSome = ({ blog, calls: { count, call } }: (typeof sides)[number]) =>
    asLoad(
      blog,
      Array.from({ length: Math.ceil(count / rounds) }, () => call),
    )
  await inTurns(sides, 1, callSome)
  const [ones = [], twos = []] = await inTurns(sides, rounds, callSome)
  return { ...rowOf(name, ones, twos), bare: undefined, ofBare: undefined }
}

function rowOf(name: string, ones: Load[], twos: Load[]) {
  return { name, one: middleOf(ones), two: middleOf(twos), ofOne: ratioOf(twos, ones) }
}

/** The round of the median number of answers. */
function middleOf(loads: Load[]): Load {
  const sorted = loads.toSorted((a, b) => a.perSecond - b.perSecond)
  return sorted[sorted.length >> 1] as Load
}

function ratioOf(loads: Load[], others: Load[]): number {
  const perSecond = (all: Load[]) => all.map((load) => load.perSecond)
  return medianRatio(perSecond(loads), perSecond(others))
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

type Calls = { count: number; call: () => Promise<unknown> }

async function makeCreates({ url }: Blog, person: Person): Promise<Calls> {
  const featuredImage = await upload(url, person, PIXEL)
  let at = 0
  const create = () =>
    writePost(url, person, {
      title: `Measured ${++at}`,
      content: `<p>The word is <em>samar</em>, and <strong>no dictionary</strong> has it: ${at}.</p>`,
      featuredImage,
    })
  return { count: CREATES, call: create }
}

async function makeSignIns({ url }: Blog): Promise<Calls> {
  const body = { email: `sign.in.${Date.now()}@example.test`, password: 'measured by lamplight' }
  await call(url, '/v1/account', { body: { userId: 'unique()', ...body, name: 'Bench' } })
  return { count: SIGN_INS, call: () => call(url, '/v1/account/sessions/email', { body }) }
}
