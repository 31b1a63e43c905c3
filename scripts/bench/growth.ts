// Measures how calls, the start and memory grow with the number of posts.
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Blog,
  type BlogLocation,
  call,
  create,
  DOCUMENTS,
  like,
  list,
  memoryMb,
  type Person,
  random,
  read,
  SEARCH,
  signUp,
  signUpAll,
  startBlog,
  word,
} from './blog.ts'
import { type LoadRequest, type LoadResult, medianLoad, sendOnce } from './load.ts'
import { scale } from './options.ts'
import { count, type Growth, growthRow, say } from './report.ts'

/** The number of authors and of tags; posts are shared out evenly. */
const GROUPS = 40
/** Posts that are generated at a time. */
const POSTS_PER_BATCH = 1000
/** The calls of one batch, each to another URL. */
const CALL_NUMBERS = Array.from({ length: scale.calls }, (_, at) => at)

const postId = (at: number) => `post-${at}`
const authorId = (at: number) => `author${at % GROUPS}`
const tagName = (at: number) => `tag${at % GROUPS}`

/** Creates posts of all authors and tags in turn. */
export async function fill(location: BlogLocation, posts: number): Promise<void> {
  const beganMs = performance.now()
  await using blog = await startBlog(location)
  const authors = await signUpAll(blog, 'author', GROUPS)
  for (let from = 0; from < posts; from += POSTS_PER_BATCH) {
    const ids = Array.from(
      { length: Math.min(POSTS_PER_BATCH, posts - from) },
      (_, at) => from + at,
    )
    const { failed } = await sendOnce(
      blog,
      ids.map((at) => create(authors[at % GROUPS] as Person, postId(at), [tagName(at)])),
    )
    if (failed > 0) throw new Error(`${failed} posts were not made`)
  }
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(0)
  say(`filled ${posts} posts (${location.databaseUrl ? 'PostgreSQL' : 'SQLite'}) in ${seconds} s`)
}

export async function measureStart(location: BlogLocation, posts: number): Promise<string[]> {
  await using blog = await startBlog(location)
  await delay(3000)
  return [count(posts), count(blog.startMs), memoryMb(blog).toFixed(0)]
}

/** Alternates between the small and the large blog. */
export async function measureGrowth(
  database: string,
  ...locations: [BlogLocation, BlogLocation]
): Promise<Growth[]> {
  await using open = new AsyncDisposableStack()
  const blogs: Calls[] = []
  for (const [at, location] of locations.entries()) {
    const blog = open.use(await startBlog(location))
    blogs.push(makeCalls(blog, await signUp(blog, 'reader'), [scale.posts, scale.many][at] ?? 0))
  }
  const [ofSmall, ofLarge] = blogs as [Calls, Calls]
  const rows: Growth[] = []
  for (const name of Object.keys(ofSmall) as (keyof Calls)[]) {
    const loads: [LoadResult[], LoadResult[]] = [[], []]
    for (let batch = 0; batch < scale.batches; batch++) {
      loads[0].push(await ofSmall[name]())
      loads[1].push(await ofLarge[name]())
    }
    const [small, large] = loads.map(medianLoad) as [LoadResult, LoadResult]
    rows.push({ name, small, large })
    say(`${database}: ${growthRow({ name, small, large }).join(' | ')}`)
  }
  return rows
}

type Calls = ReturnType<typeof makeCalls>

/** All kinds of calls, each with URLs spread over the whole blog. */
function makeCalls({ url }: Blog, person: Person, posts: number) {
  const randomPostId = () => postId(random(posts))
  const sendAll = (requests: LoadRequest[]) => sendOnce({ url, connections: 4 }, requests)
  /** Reads after a write, which has invalidated the cache. */
  const uncachedReads = (path: (at: number) => string) => async () => {
    await call(url, create(person))
    return await sendAll(CALL_NUMBERS.map((at) => read(path(at), person)))
  }
  const limitAt = (at: number) => `limit(${25 - Math.floor(at / GROUPS)})`
  let liked = true
  return {
    feed: uncachedReads((at) => list('limit(25)', `offset(${at})`)),
    'feed by cursor': uncachedReads(() => list('limit(25)', `cursorAfter("${randomPostId()}")`)),
    'one author': uncachedReads((at) => list(limitAt(at), `equal("userid", ["${authorId(at)}"])`)),
    'one tag': uncachedReads((at) => list(limitAt(at), `contains("tags", ["${tagName(at)}"])`)),
    'one post': uncachedReads(() => `${DOCUMENTS}/${randomPostId()}`),
    search: uncachedReads(() => `${SEARCH}?q=${word()}+${word()}`),
    like: () => {
      liked = !liked
      const spread = Math.floor(posts / CALL_NUMBERS.length)
      return sendAll(CALL_NUMBERS.map((at) => like(person, postId(at * spread), !liked)))
    },
    create: () => sendAll(CALL_NUMBERS.map(() => create(person))),
  }
}
