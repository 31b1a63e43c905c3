// How the cost of each kind of call grows with the number of posts: the same calls on blogs of
// different sizes, by somebody signed in.

import * as big from './big-blog.ts'
import { type Place, postId, TAGS_IN_USE, userId } from './big-blog.ts'
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
  startBlog,
  upload,
  writePost,
} from './blog.ts'
import { inTurns, measure, medianOf, memoryMb, shareOf, timeCalls } from './load.ts'
import { makeTexts } from './search-texts.ts'

/** Few at once: what is measured is how long one call takes, not how many a server can answer. */
const READERS = 4
const PATHS = 200
const WRITES = 400
const OFFSET_MAX = 4975
const IDLE_MS = 3000
const STARTS = 3

/** `failed`: how many calls were refused, as those that take too long. */
export type GrowthRow = {
  name: string
  p50Ms: number
  p99Ms: number
  failed: number
}
export type Growth = {
  posts: number
  startMs: number
  idleMb: number | undefined
  rows: GrowthRow[]
}

/** A place of a blog that `fillBigBlog` made, and how many posts it has. */
export type Size = { place: Place; posts: number }
type Timed = Omit<GrowthRow, 'name'>
/** Of one blog: the calls of each kind, other ones each time. */
type Side = { read: Record<string, () => Promise<Timed>>; write: Record<string, WriteSome> }
type WriteSome = (count: number) => Promise<number[]>

/** The blogs of all sizes in turns, so that what else the machine does meets all of them alike. */
export async function measureGrowth(
  sizes: Size[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Growth[]> {
  const grown: Growth[] = []
  for (const size of sizes) grown.push({ ...(await measureStart(size)), rows: [] })
  await using open = new AsyncDisposableStack()
  const sides: Side[] = []
  for (const { place, posts } of sizes) {
    const blog = open.use(await startBlog(place))
    const person = await signUp(blog.url)
    const headers = { ...PROJECT, cookie: person.cookie }
    const reads = Object.entries(makeReads(posts)).map(([name, makePaths]) => {
      const asked = () => ({ paths: makePaths(), headers })
      return [name, () => measure({ ...blog, seconds, connections: READERS }, asked())] as const
    })
    sides.push({ read: Object.fromEntries(reads), write: await makeWrites(blog, person, posts) })
  }
  for (const name of Object.keys(sides[0]?.read ?? {})) {
    const all = await inTurns(sides, rounds, ({ read }) => read[name]?.())
    for (const [at, timed] of all.entries()) grown[at]?.rows.push({ name, ...middleOf(timed) })
  }
  for (const name of Object.keys(sides[0]?.write ?? {})) {
    const count = Math.ceil(WRITES / rounds)
    const all = await inTurns(sides, rounds, ({ write }) => write[name]?.(count))
    for (const [at, tookMs] of all.entries())
      grown[at]?.rows.push({ name, ...timesOf(tookMs.flat()) })
  }
  return grown
}

async function measureStart({ place, posts }: Size): Promise<Omit<Growth, 'rows'>> {
  const starts: number[] = []
  for (let turn = 0; turn < STARTS; turn++) {
    const beganMs = performance.now()
    const blog = await startBlog(place)
    starts.push(performance.now() - beganMs)
    await blog[Symbol.asyncDispose]()
  }
  await using blog = await startBlog(place)
  await new Promise((done) => setTimeout(done, IDLE_MS))
  return { posts, startMs: medianOf(starts), idleMb: await memoryMb(blog.child) }
}

/** The medians of its rounds. */
function middleOf(timed: Timed[]): Timed {
  return {
    p50Ms: medianOf(timed.map(({ p50Ms }) => p50Ms)),
    p99Ms: medianOf(timed.map(({ p99Ms }) => p99Ms)),
    failed: timed.reduce((sum, { failed }) => sum + failed, 0),
  }
}

function timesOf(tookMs: number[]): Timed {
  const sorted = tookMs.sort((a, b) => a - b)
  return { p50Ms: shareOf(sorted, 0.5), p99Ms: shareOf(sorted, 0.99), failed: 0 }
}

/** Calls of each kind, spread over the whole blog. */
function makeReads(posts: number): Record<string, () => string[]> {
  const texts = makeTexts()
  const some = (make: (at: number) => string) => () =>
    Array.from({ length: PATHS }, () => make(texts.below(posts)))
  // Each 50th is a draft, which is nobody's cursor.
  const active = (at: number) => postId(at - (at % 50))
  const authors = big.countAuthors(posts)
  return {
    'feed, page 1': () => [listPath(...FEED_QUERIES)],
    'feed, any depth by cursor': some((at) =>
      listPath(...FEED_QUERIES, `cursorAfter("${active(at)}")`),
    ),
    'feed, by offset': some(() =>
      listPath(...FEED_QUERIES, `offset(${texts.below(Math.min(posts, OFFSET_MAX) - 25)})`),
    ),
    'list without a query': () => [DOCUMENTS],
    'one author': some((at) =>
      listPath(...FEED_QUERIES, `equal("userid", ["${userId(at % authors)}"])`),
    ),
    'one tag': some((at) =>
      listPath(...FEED_QUERIES, `contains("tags", ["tag${at % TAGS_IN_USE}"])`),
    ),
    'one post': some((at) => `${DOCUMENTS}/${active(at)}`),
    'post page': some((at) => `/post/${active(at)}`),
    search: some(
      () => `${DOCUMENTS.replace('/documents', '/search')}?q=${texts.word()}+${texts.word()}`,
    ),
  }
}

async function makeWrites(
  { url }: Blog,
  person: Person,
  posts: number,
): Promise<Record<string, WriteSome>> {
  const { cookie } = person
  const featuredImage = await upload(url, person, PIXEL)
  const made: string[] = []
  /** Goes on with the number where it stopped. */
  const counting = (work: (at: number) => Promise<unknown>): WriteSome => {
    let at = 0
    return async (count) => {
      const calls = Array.from({ length: count }, () => () => work(at++))
      return (await timeCalls(calls, READERS)).tookMs
    }
  }
  const spread = (at: number) =>
    postId(Math.floor((((at % WRITES) + 0.5) * posts) / WRITES / 50) * 50)
  const patch = (id: string, data: object) =>
    call(url, `${DOCUMENTS}/${id}`, { method: 'PATCH', body: { data }, cookie })
  return {
    like: counting((at) => patch(spread(at), { likeId: at % 2 === 0 ? [person.id] : [] })),
    create: counting(async (at) => {
      const content = `<p>Measured <em>${at}</em>.</p>`
      made.push(await writePost(url, person, { content, featuredImage }))
    }),
    edit: counting((at) => patch(made[at] ?? '', { title: `Edited ${at}` })),
    delete: counting((at) => call(url, `${DOCUMENTS}/${made[at]}`, { method: 'DELETE', cookie })),
  }
}
