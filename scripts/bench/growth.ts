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
import { measure, memoryMb, shareOf, timeCalls } from './load.ts'
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
  perSecond: number
  failed: number
}
export type Growth = {
  posts: number
  startMs: number
  idleMb: number | undefined
  rows: GrowthRow[]
}

/** @param place of a blog that `fillBigBlog` made */
export async function measureGrowth(
  place: Place,
  { posts, seconds }: { posts: number; seconds: number },
): Promise<Growth> {
  const starts: number[] = []
  for (let turn = 0; turn < STARTS; turn++) {
    const beganMs = performance.now()
    const blog = await startBlog(place)
    starts.push(performance.now() - beganMs)
    await blog[Symbol.asyncDispose]()
  }
  await using blog = await startBlog(place)
  await new Promise((done) => setTimeout(done, IDLE_MS))
  const idleMb = await memoryMb(blog.child)
  const person = await signUp(blog.url)
  const rows: GrowthRow[] = []
  for (const [name, paths] of Object.entries(makeReads(posts))) {
    const headers = { ...PROJECT, cookie: person.cookie }
    const load = await measure({ ...blog, seconds, connections: READERS }, { paths, headers })
    rows.push({ name, ...load })
  }
  rows.push(...(await measureWrites(blog, person, posts)))
  return {
    posts,
    startMs: shareOf(
      starts.sort((a, b) => a - b),
      0.5,
    ),
    idleMb,
    rows,
  }
}

/** Calls of each kind, spread over the whole blog. */
function makeReads(posts: number): Record<string, string[]> {
  const texts = makeTexts()
  const some = (make: (at: number) => string) =>
    Array.from({ length: PATHS }, () => make(texts.below(posts)))
  // Each 50th is a draft, which is nobody's cursor.
  const active = (at: number) => postId(at - (at % 50))
  const authors = big.countAuthors(posts)
  return {
    'feed, page 1': [listPath(...FEED_QUERIES)],
    'feed, any depth by cursor': some((at) =>
      listPath(...FEED_QUERIES, `cursorAfter("${active(at)}")`),
    ),
    'feed, by offset': some(() =>
      listPath(...FEED_QUERIES, `offset(${texts.below(Math.min(posts, OFFSET_MAX) - 25)})`),
    ),
    'list without a query': [DOCUMENTS],
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

async function measureWrites(blog: Blog, person: Person, posts: number): Promise<GrowthRow[]> {
  const { url } = blog
  const { cookie } = person
  const featuredImage = await upload(url, person, PIXEL)
  const made: string[] = []
  const row = async (name: string, calls: (() => Promise<unknown>)[]): Promise<GrowthRow> => {
    const { tookMs, perSecond } = await timeCalls(calls, READERS)
    return { name, p50Ms: shareOf(tookMs, 0.5), p99Ms: shareOf(tookMs, 0.99), perSecond, failed: 0 }
  }
  const times = <Work>(make: (at: number) => Work) =>
    Array.from({ length: WRITES }, (_, at) => make(at))
  const spread = (at: number) => postId(Math.floor(((at + 0.5) * posts) / WRITES / 50) * 50)
  const patch = (id: string, data: object) =>
    call(url, `${DOCUMENTS}/${id}`, { method: 'PATCH', body: { data }, cookie })
  return [
    await row(
      'like',
      times((at) => () => patch(spread(at), { likeId: at % 2 === 0 ? [person.id] : [] })),
    ),
    await row(
      'create',
      times((at) => async () => {
        const content = `<p>Measured <em>${at}</em>.</p>`
        made.push(await writePost(url, person, { content, featuredImage }))
      }),
    ),
    await row(
      'edit',
      times((at) => () => patch(made[at] ?? '', { title: `Edited ${at}` })),
    ),
    await row(
      'delete',
      times((at) => () => call(url, `${DOCUMENTS}/${made[at]}`, { method: 'DELETE', cookie })),
    ),
  ]
}
