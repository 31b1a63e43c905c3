// How the time of a call, the start and the memory grow with the number of posts.
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
import { type Load, type LoadRequest, medianLoad, sendOnce } from './load.ts'
import { scale } from './options.ts'
import { count, type Growth, growthRow, say } from './report.ts'

/** Authors and tags in use: each has its share of the posts. */
const GROUPS = 40
/** Posts in memory at a time. */
const BATCH = 1000
/** Calls of one kind at a time, each to another URL. */
const CALLS = Array.from({ length: scale.calls }, (_, at) => at)

const postId = (at: number) => `post-${at}`
const authorId = (at: number) => `author${at % GROUPS}`
const tagName = (at: number) => `tag${at % GROUPS}`

/** So many posts of each author in turn, under each tag in turn. */
export async function fill(place: BlogLocation, posts: number): Promise<void> {
  const beganMs = performance.now()
  await using blog = await startBlog(place)
  const authors = await signUpAll(blog, 'author', GROUPS)
  for (let from = 0; from < posts; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, posts - from) }, (_, at) => from + at)
    const { failed } = await sendOnce(
      blog,
      ids.map((at) => create(authors[at % GROUPS] as Person, postId(at), [tagName(at)])),
    )
    if (failed > 0) throw new Error(`${failed} posts were not made`)
  }
  const took = ((performance.now() - beganMs) / 1000).toFixed(0)
  say(`filled ${posts} posts (${place.databaseUrl ? 'PostgreSQL' : 'SQLite'}) in ${took} s`)
}

export async function measureStart(place: BlogLocation, posts: number): Promise<string[]> {
  await using blog = await startBlog(place)
  await delay(3000)
  return [count(posts), count(blog.startMs), memoryMb(blog).toFixed(0)]
}

/** Both blogs in turns. */
export async function measureGrowth(
  database: string,
  ...places: [BlogLocation, BlogLocation]
): Promise<Growth[]> {
  await using open = new AsyncDisposableStack()
  const sides: Calls[] = []
  for (const [at, place] of places.entries()) {
    const blog = open.use(await startBlog(place))
    sides.push(makeCalls(blog, await signUp(blog, 'reader'), [scale.posts, scale.many][at] ?? 0))
  }
  const [ofSmall, ofLarge] = sides as [Calls, Calls]
  const grown: Growth[] = []
  for (const name of Object.keys(ofSmall) as (keyof Calls)[]) {
    const loads: [Load[], Load[]] = [[], []]
    for (let batch = 0; batch < scale.batches; batch++) {
      loads[0].push(await ofSmall[name]())
      loads[1].push(await ofLarge[name]())
    }
    const [small, large] = loads.map(medianLoad) as [Load, Load]
    grown.push({ name, small, large })
    say(`${database}: ${growthRow({ name, small, large }).join(' | ')}`)
  }
  return grown
}

type Calls = ReturnType<typeof makeCalls>

/** Each kind of call on as many addresses, spread over the whole blog. */
function makeCalls({ url }: Blog, person: Person, posts: number) {
  const some = () => postId(random(posts))
  const ask = (requests: LoadRequest[]) => sendOnce({ url, connections: 4 }, requests)
  /** After a write: nothing comes from the cache. */
  const reading = (path: (at: number) => string) => async () => {
    await call(url, create(person))
    return await ask(CALLS.map((at) => read(path(at), person)))
  }
  const limitAt = (at: number) => `limit(${25 - Math.floor(at / GROUPS)})`
  let liked = true
  return {
    feed: reading((at) => list('limit(25)', `offset(${at})`)),
    'feed by cursor': reading(() => list('limit(25)', `cursorAfter("${some()}")`)),
    'one author': reading((at) => list(limitAt(at), `equal("userid", ["${authorId(at)}"])`)),
    'one tag': reading((at) => list(limitAt(at), `contains("tags", ["${tagName(at)}"])`)),
    'one post': reading(() => `${DOCUMENTS}/${some()}`),
    search: reading(() => `${SEARCH}?q=${word()}+${word()}`),
    like: () => {
      liked = !liked
      const spread = Math.floor(posts / CALLS.length)
      return ask(CALLS.map((at) => like(person, postId(at * spread), !liked)))
    },
    create: () => ask(CALLS.map(() => create(person))),
  }
}
