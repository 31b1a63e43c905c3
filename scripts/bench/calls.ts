// Calls and pages a second of one blog, and what a writer costs its readers.
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
import { type Load, type LoadRequest, medianLoad, runLoad, sendOnce } from './load.ts'
import { scale } from './options.ts'
import {
  type DatabaseReport,
  type Row,
  reportRow,
  say,
  type WriterImpact,
  writtenRow,
} from './report.ts'

const MEMBERS = 8
/** URLs of pages and lists: all of them fit into the cache. */
const ADDRESSES = 200
/** What one person may do in a minute. */
const WRITERS = { commenter: 10, liker: 120, editor: 120 }

export async function measureCalls(
  database: string,
  place: BlogLocation,
): Promise<Pick<DatabaseReport, 'rows' | 'written'>> {
  await using blog = await startBlog(place)
  const people = await signUpAll(blog, 'member', MEMBERS)
  const posts = Array.from({ length: scale.posts }, (_, at) => ({
    id: `post-${at}`,
    by: people[at % MEMBERS] as Person,
  }))
  await sendOnce(
    blog,
    posts.map(({ id, by }) => create(by, id)),
  )
  const measured = { database, blog, people, posts, addresses: addressesOf(posts) }
  const rows = [...(await measureReads(measured)), ...(await measureChanges(measured))]
  const written = await measureWriters(measured)
  const creating = await inRounds(() =>
    runLoad(
      { ...blog, seconds: scale.seconds },
      posts.map(({ by }) => create(by)),
    ),
  )
  return {
    rows: [...rows, noted(database, { name: 'create of 5 kB', aim: '', load: creating })],
    written,
  }
}

type Post = { id: string; by: Person }
type CallsOf = {
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

async function measureReads({ database, blog, people, addresses }: CallsOf): Promise<Row[]> {
  const { pages, documents, lists } = addresses
  const somePages = pages.slice(0, ADDRESSES)
  /** Not the author. */
  const memberAt = (at: number) => people[(at + 1) % MEMBERS]
  const searches = Array.from({ length: 640 }, () => `${SEARCH}?q=${word()}+${word()}`)
  const besides = async (name: string, aim: string, requests: LoadRequest[]) =>
    noted(database, { name, aim, ...(await besideBare(blog, requests)) })
  /** Nothing comes from the cache: all authors change their names, and each URL is asked once. */
  const anew = async (name: string, requests: LoadRequest[]) => {
    const ask = async () => {
      for (const person of people) await call(blog.url, rename(person))
      return await sendOnce(blog, requests)
    }
    await ask()
    return noted(database, { name, aim: '', load: await inRounds(ask) })
  }
  const guests = (make: typeof read, paths: string[]) => paths.map((path) => make(path))
  const members = (make: typeof read, paths: string[]) =>
    paths.map((path, at) => make(path, memberAt(at)))
  const feeds = people.map(() => '/post')
  return [
    await besides('post page, a guest', '0.4 of bare', guests(page, somePages)),
    await besides('feed page, a guest', '0.4 of bare', guests(page, feeds)),
    await besides('list of 25, a guest', '', guests(read, lists)),
    await besides('post as JSON, a guest', '', guests(read, documents)),
    await besides('post as JSON, a member', '8,000', members(read, documents)),
    await besides('list of 25, a member', '', members(read, lists)),
    await besides('post page, a member', '1,500', members(page, somePages)),
    await besides('feed page, a member', '1,500', members(page, feeds)),
    await anew('post page, re-rendered', guests(page, pages.slice(0, 960))),
    await anew('search for two words', guests(read, searches)),
  ]
}

async function measureChanges({
  database,
  blog,
  people,
  posts,
  addresses,
}: CallsOf): Promise<Row[]> {
  const loaded = async (name: string, aim: string, requests: LoadRequest[]) => {
    await sendOnce(blog, requests)
    const load = await inRounds(() => runLoad({ ...blog, seconds: scale.seconds }, requests))
    return noted(database, { name, aim, load })
  }
  const likes = posts.flatMap(({ id, by }) => [like(by, id, true), like(by, id, false)])
  const comments = posts.map(({ id, by }) => comment(by, id))
  const edits = posts.map(({ id, by }, at) => patch(by, id, { title: `Edited ${at}` }))
  const { lists } = addresses
  /** Half of them by members. */
  const reads = posts.flatMap(({ id }, at) => {
    const member = people[(at + 1) % MEMBERS]
    const [one, other] = at % 2 === 0 ? [member, undefined] : [undefined, member]
    return [
      page(`/post/${id}`, one),
      read(`${DOCUMENTS}/${id}`, other),
      read(lists[at % lists.length] ?? '', one),
      read(`${DOCUMENTS}/post-0`, other),
    ]
  })
  const mixed = mix(reads, [
    [100, likes],
    [200, comments],
    [1000, edits],
  ])
  return [
    await loaded('like', '', likes),
    await loaded('mixed: 1,000 reads, 10 likes, 5 comments, 1 edit', '2,500', mixed),
  ]
}

/** Guests beside nobody and beside a member who writes as fast as one person may, in turns. */
async function measureWriters({
  database,
  blog,
  people,
  addresses,
}: CallsOf): Promise<WriterImpact[]> {
  const person = people[0] as Person
  const post = 'post-0'
  const writes = {
    commenter: () => comment(person, post),
    liker: (at: number) => like(person, post, at % 2 === 0),
    editor: () => patch(person, post, { title: `Edited ${random(1e9)}` }),
  }
  const posts = addresses.pages.slice(0, ADDRESSES).map((path) => page(path))
  const requests = [...posts, ...Array.from({ length: ADDRESSES / 20 }, () => page('/post'))]
  const read = () => runLoad({ ...blog, seconds: scale.written }, requests)
  const rows: WriterImpact[] = []
  for (const name of ['commenter', 'liker', 'editor'] as const) {
    const alone: Load[] = []
    const beside: Load[] = []
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
    say(`${database}: ${writtenRow(row).join(' | ')}`)
    rows.push(row)
  }
  return rows
}

function noted(database: string, row: Row): Row {
  say(`${database}: ${reportRow(row).join(' | ')}`)
  return row
}

/** After every so many reads comes one of these writes. */
function mix(reads: LoadRequest[], writes: [every: number, of: LoadRequest[]][]): LoadRequest[] {
  return reads.flatMap((one, at) => [
    one,
    ...writes
      .filter(([every]) => at % every === every / 2)
      .flatMap(([every, of]) => of[Math.floor(at / every) % of.length] ?? []),
  ])
}

/** In turns, so that what else the host does meets both alike. */
async function besideBare(
  blog: Blog,
  requests: LoadRequest[],
): Promise<Pick<Row, 'load' | 'ofBare'>> {
  await using bare = await startBare(blog, requests[0] as LoadRequest)
  const sides = [blog, bare].map(({ url }) => ({ url, seconds: scale.seconds }))
  for (const side of sides) await sendOnce(side, requests)
  const rounds: [Load[], Load[]] = [[], []]
  for (let round = 0; round < scale.rounds; round++)
    for (const [at, side] of sides.entries()) rounds[at]?.push(await runLoad(side, requests))
  const [load, ofBare] = rounds.map(medianLoad) as [Load, Load]
  return { load, ofBare: load.perSecond / ofBare.perSecond }
}

async function inRounds(shootOne: () => Promise<Load>): Promise<Load> {
  const loads: Load[] = []
  for (let round = 0; round < scale.rounds; round++) loads.push(await shootOne())
  return medianLoad(loads)
}
