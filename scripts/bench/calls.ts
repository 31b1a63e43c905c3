// Measures requests a second of one blog, and how much a writer slows its readers down.
import {
  type Blog,
  type BlogLocation,
  call,
  comment,
  create,
  DOCUMENTS,
  like,
  list,
  type Person,
  page,
  patch,
  random,
  read,
  rename,
  SEARCH,
  signUpAll,
  startBare,
  startBlog,
  word,
} from './blog.ts'
import { type LoadRequest, type LoadResult, medianLoad, runLoad, sendOnce } from './load.ts'
import { scale } from './options.ts'
import {
  type DatabaseReport,
  type Row,
  reportRow,
  say,
  type WriterImpact,
  writerImpactRow,
} from './report.ts'

const MEMBERS = 8
/** The number of different pages and lists; all fit into the cache. */
const ADDRESSES = 200
/** Writes a minute: the rate limits of one person. */
const WRITERS = { commenter: 10, liker: 120, editor: 120 }

export async function measureCalls(
  database: string,
  location: BlogLocation,
): Promise<Pick<DatabaseReport, 'rows' | 'writerImpacts'>> {
  await using blog = await startBlog(location)
  const people = await signUpAll(blog, 'member', MEMBERS)
  const posts = Array.from({ length: scale.posts }, (_, at) => ({
    id: `post-${at}`,
    by: people[at % MEMBERS] as Person,
  }))
  await sendOnce(
    blog,
    posts.map(({ id, by }) => create(by, id)),
  )
  const measuredBlog = { database, blog, people, posts, addresses: addressesOf(posts) }
  const rows = [...(await measureReads(measuredBlog)), ...(await measureChanges(measuredBlog))]
  const writerImpacts = await measureWriters(measuredBlog)
  const creating = await medianOfRounds(() =>
    runLoad(
      { ...blog, seconds: scale.seconds },
      posts.map(({ by }) => create(by)),
    ),
  )
  return {
    rows: [...rows, logRow(database, { name: 'create of 5 kB', aim: '', load: creating })],
    writerImpacts,
  }
}

type Post = { id: string; by: Person }
type MeasuredBlog = {
  database: string
  blog: Blog
  people: Person[]
  posts: Post[]
  addresses: ReturnType<typeof addressesOf>
}

function addressesOf(posts: Post[]) {
  return {
    pages: posts.map(({ id }) => `/post/${id}`),
    documents: posts.map(({ id }) => `${DOCUMENTS}/${id}`),
    lists: posts.slice(-ADDRESSES).map(({ id }) => list('limit(25)', `cursorAfter("${id}")`)),
  }
}

async function measureReads({ database, blog, people, addresses }: MeasuredBlog): Promise<Row[]> {
  const { pages, documents, lists } = addresses
  const somePages = pages.slice(0, ADDRESSES)
  /** A member who is not the author of the post. */
  const memberAt = (at: number) => people[(at + 1) % MEMBERS]
  const searches = Array.from({ length: 640 }, () => `${SEARCH}?q=${word()}+${word()}`)
  const besideBareServer = async (name: string, aim: string, requests: LoadRequest[]) =>
    logRow(database, { name, aim, ...(await measureBesideBare(blog, requests)) })
  /** Nothing is cached: all authors change their names first, and each URL is requested once. */
  const uncached = async (name: string, requests: LoadRequest[]) => {
    const sendRequests = async () => {
      for (const person of people) await call(blog.url, rename(person))
      return await sendOnce(blog, requests)
    }
    await sendRequests()
    return logRow(database, { name, aim: '', load: await medianOfRounds(sendRequests) })
  }
  const guests = (make: typeof read, paths: string[]) => paths.map((path) => make(path))
  const members = (make: typeof read, paths: string[]) =>
    paths.map((path, at) => make(path, memberAt(at)))
  const feeds = people.map(() => '/post')
  return [
    await besideBareServer('post page, a guest', '0.4 of bare', guests(page, somePages)),
    await besideBareServer('feed page, a guest', '0.4 of bare', guests(page, feeds)),
    await besideBareServer('list of 25, a guest', '', guests(read, lists)),
    await besideBareServer('post as JSON, a guest', '', guests(read, documents)),
    await besideBareServer('post as JSON, a member', '8,000', members(read, documents)),
    await besideBareServer('list of 25, a member', '', members(read, lists)),
    await besideBareServer('post page, a member', '1,500', members(page, somePages)),
    await besideBareServer('feed page, a member', '1,500', members(page, feeds)),
    await uncached('post page, re-rendered', guests(page, pages.slice(0, 960))),
    await uncached('search for two words', guests(read, searches)),
  ]
}

async function measureChanges({
  database,
  blog,
  people,
  posts,
  addresses,
}: MeasuredBlog): Promise<Row[]> {
  const underLoad = async (name: string, aim: string, requests: LoadRequest[]) => {
    await sendOnce(blog, requests)
    const load = await medianOfRounds(() => runLoad({ ...blog, seconds: scale.seconds }, requests))
    return logRow(database, { name, aim, load })
  }
  const likes = posts.flatMap(({ id, by }) => [like(by, id, true), like(by, id, false)])
  const comments = posts.map(({ id, by }) => comment(by, id))
  const edits = posts.map(({ id, by }, at) => patch(by, id, { title: `Edited ${at}` }))
  const { lists } = addresses
  /** Half of the reads are by members. */
  const reads = posts.flatMap(({ id }, at) => {
    const member = people[(at + 1) % MEMBERS]
    const [first, second] = at % 2 === 0 ? [member, undefined] : [undefined, member]
    return [
      page(`/post/${id}`, first),
      read(`${DOCUMENTS}/${id}`, second),
      read(lists[at % lists.length] ?? '', first),
      read(`${DOCUMENTS}/post-0`, second),
    ]
  })
  const mixed = interleave(reads, [
    [100, likes],
    [200, comments],
    [1000, edits],
  ])
  return [
    await underLoad('like', '', likes),
    await underLoad('mixed: 1,000 reads, 10 likes, 5 comments, 1 edit', '2,500', mixed),
  ]
}

/** Alternately measures guests alone and beside a member who writes as fast as is allowed. */
async function measureWriters({
  database,
  blog,
  people,
  addresses,
}: MeasuredBlog): Promise<WriterImpact[]> {
  const person = people[0] as Person
  const post = 'post-0'
  const writes = {
    commenter: () => comment(person, post),
    liker: (at: number) => like(person, post, at % 2 === 0),
    editor: () => patch(person, post, { title: `Edited ${random(1e9)}` }),
  }
  const posts = addresses.pages.slice(0, ADDRESSES).map((path) => page(path))
  const requests = [...posts, ...Array.from({ length: ADDRESSES / 20 }, () => page('/post'))]
  const read = () => runLoad({ ...blog, seconds: scale.writerSeconds }, requests)
  const rows: WriterImpact[] = []
  for (const name of ['commenter', 'liker', 'editor'] as const) {
    const alone: LoadResult[] = []
    const beside: LoadResult[] = []
    for (let round = 0; round < scale.rounds; round++) {
      alone.push(await read())
      let at = 0
      const write = () => void call(blog.url, writes[name](at++))
      const timer = setInterval(write, 60_000 / WRITERS[name])
      beside.push(await read())
      clearInterval(timer)
    }
    const row = {
      name: `${name}, ${WRITERS[name]} a minute`,
      alone: medianLoad(alone),
      beside: medianLoad(beside),
    }
    say(`${database}: ${writerImpactRow(row).join(' | ')}`)
    rows.push(row)
  }
  return rows
}

function logRow(database: string, row: Row): Row {
  say(`${database}: ${reportRow(row).join(' | ')}`)
  return row
}

/** Inserts one of the writes after every `every` reads. */
function interleave(
  reads: LoadRequest[],
  writes: [every: number, of: LoadRequest[]][],
): LoadRequest[] {
  return reads.flatMap((read, at) => [
    read,
    ...writes
      .filter(([every]) => at % every === every / 2)
      .flatMap(([every, of]) => of[Math.floor(at / every) % of.length] ?? []),
  ])
}

/** Alternates between both servers, so that other load on the host affects both alike. */
async function measureBesideBare(
  blog: Blog,
  requests: LoadRequest[],
): Promise<Pick<Row, 'load' | 'ofBare'>> {
  await using bare = await startBare(blog, requests[0] as LoadRequest)
  const sides = [blog, bare].map(({ url }) => ({ url, seconds: scale.seconds }))
  for (const side of sides) await sendOnce(side, requests)
  const rounds: [LoadResult[], LoadResult[]] = [[], []]
  for (let round = 0; round < scale.rounds; round++)
    for (const [at, side] of sides.entries()) rounds[at]?.push(await runLoad(side, requests))
  const [load, ofBare] = rounds.map(medianLoad) as [LoadResult, LoadResult]
  return { load, ofBare: load.perSecond / ofBare.perSecond }
}

async function medianOfRounds(runRound: () => Promise<LoadResult>): Promise<LoadResult> {
  const loads: LoadResult[] = []
  for (let round = 0; round < scale.rounds; round++) loads.push(await runRound())
  return medianLoad(loads)
}
