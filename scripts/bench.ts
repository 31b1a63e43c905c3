// `npm run bench`: what the blog costs on this host beside its aims, on SQLite and PostgreSQL,
// with one process and 32 connections. First a blog of 1,000 posts with 5 kB of prose each, reads
// in turns with a bare node:http server that sends the same bytes. Then how a call's time grows to
// 1,000,000 posts. Writes docs/benchmarks.md. `--quick` measures shortly, with fewer posts,
// and writes nothing; `--only sqlite` or `--only postgres` leaves the other out.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Blog,
  call,
  create,
  DOCUMENTS,
  list,
  memoryMb,
  type Person,
  type Place,
  patch,
  random,
  read,
  signUp,
  startBare,
  startBlog,
  word,
} from './bench/blog.ts'
import { authorId, fill, GROUPS, postId, tagName } from './bench/fill.ts'
import { type Asked, type Load, middleOf, shoot, shootOnce } from './bench/load.ts'
import { buildApart, isBuildStale } from './build-web.ts'
import { readArgs } from './command-line.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { ROOT } from './processes.ts'

const SEARCH = DOCUMENTS.replace('/documents', '/search')
const MEMBERS = 8
/** URLs of pages and lists: all of them fit into the cache. */
const ADDRESSES = 200

const USAGE = `npm run bench    measures what the blog costs on this host and writes docs/benchmarks.md
Options: --quick                     measures shortly and writes nothing
         --only sqlite | postgres    leaves the other out`
const { values } = readArgs(USAGE, {
  options: { quick: { type: 'boolean' }, only: { type: 'string' } },
})
const how = values.quick
  ? { seconds: 0.2, rounds: 1, batches: 1, calls: 40, posts: 100, many: 2_000 }
  : { seconds: 2, rounds: 5, batches: 8, calls: 200, posts: 1000, many: 1_000_000 }
/** Of the blog whose calls a second are counted. */
const POSTS = how.posts
/** Calls of one kind at a time, each to another URL. */
const CALLS = Array.from({ length: how.calls }, (_, at) => at)

type Row = { name: string; load: Load; aim: string; ofBare?: number | undefined }
type Grown = { name: string; small: Load; large: Load }
type Measured = { database: string; rows: Row[]; grown: Grown[]; start: string[][] }

const folder = await mkdtemp(join(tmpdir(), 'lamplight-bench-'))
try {
  if ((await isBuildStale()) && !buildApart()) throw new Error('The web part could not be built')
  const measured: Measured[] = []
  if (values.only !== 'postgres') measured.push(await measure('SQLite', async () => undefined))
  if (values.only !== 'sqlite') {
    await using servers = new AsyncDisposableStack()
    const startDatabase = async () => servers.use(await startOwnPostgres()).url
    measured.push(await measure('PostgreSQL', startDatabase))
  }
  const report = writeReport(measured)
  say(report)
  if (!values.quick && !values.only) await writeFile(join(ROOT, 'docs/benchmarks.md'), report)
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(
  database: string,
  startDatabase: () => Promise<string | undefined>,
): Promise<Measured> {
  const place = async (name: string): Promise<Place> => ({
    dataDir: join(folder, `${database}-${name}`),
    databaseUrl: await startDatabase(),
  })
  const calls = await place('calls')
  const small = await place('small')
  const large = await place('large')
  const rows = await measureCalls(database, calls)
  await makeGrown(small, POSTS)
  await makeGrown(large, how.many)
  const start = [await measureStart(small, POSTS), await measureStart(large, how.many)]
  const grown = await measureGrowth(database, small, large)
  await rm(large.dataDir, { recursive: true })
  return { database, rows, grown, start }
}

// --- calls a second

async function measureCalls(database: string, place: Place): Promise<Row[]> {
  await using blog = await startBlog(place)
  const people = await Promise.all(
    Array.from({ length: MEMBERS }, (_, at) => signUp(blog, `member${at}`)),
  )
  const memberAt = (at: number) => people[at % MEMBERS] as Person
  const posts = Array.from({ length: POSTS }, (_, at) => ({ id: `post-${at}`, by: memberAt(at) }))
  const first = posts.map(({ id, by }) => create(by, id))
  await shootOnce(blog, first)
  const pages = posts.map(({ id }) => `/post/${id}`)
  const documents = posts.map(({ id }) => `${DOCUMENTS}/${id}`)
  const feeds = posts.slice(-ADDRESSES).map(({ id }) => list('limit(25)', `cursorAfter("${id}")`))
  const searches = Array.from({ length: 640 }, () => `${SEARCH}?q=${word()}+${word()}`)
  const ofMembers = (paths: string[]) => paths.map((path, at) => read(path, memberAt(at)))
  const ofGuests = (paths: string[]) => paths.map((path) => read(path))
  const rows: Row[] = []
  const note = (row: Row) => {
    rows.push(row)
    say(`${database}: ${reportRow(row).join(' | ')}`)
  }
  const besides = async (name: string, aim: string, requests: Asked[]) =>
    note({ name, aim, ...(await besideBare(blog, requests)) })
  const loaded = async (name: string, aim: string, requests: Asked[]) => {
    await shootOnce(blog, requests)
    const load = await inRounds(() => shoot({ ...blog, seconds: how.seconds }, requests))
    note({ name, aim, load })
  }
  /** Nothing comes from the cache: a post is edited before each round, which asks for each once. */
  const anew = async (name: string, aim: string, paths: string[]) => {
    const ask = async () => {
      await call(blog.url, patch(memberAt(0), 'post-0', { title: `Edited ${random(1e9)}` }))
      return await shootOnce(blog, ofGuests(paths))
    }
    await ask()
    note({ name, aim, load: await inRounds(ask) })
  }

  await besides('post page, a guest', '0.75 of bare', ofGuests(pages.slice(0, ADDRESSES)))
  await besides('post page, a guest, one address', '0.75 of bare', ofGuests(pages.slice(0, 1)))
  await besides('feed of 25, a guest', '0.75 of bare', ofGuests(feeds))
  await besides('post as JSON, a guest', '0.75 of bare', ofGuests(documents))
  await besides('post as JSON, a member', '4,500', ofMembers(documents))
  await besides('feed of 25, a member', '3,000', ofMembers(feeds))
  await anew('post page, made anew', '300', pages.slice(0, 960))
  await anew('search for two words', '600', searches)
  const likes = posts.flatMap(({ id, by }) => [like(by, id, true), like(by, id, false)])
  const edits = posts.map(({ id, by }, at) => patch(by, id, { title: `Edited ${at}` }))
  await loaded('like', '', likes)
  const reads = posts.flatMap((_, at) => {
    const paths = [pages[at], documents[at], feeds[at % feeds.length], documents[0]] as string[]
    return paths.map((path, of) => read(path, of % 2 === at % 2 ? memberAt(at) : undefined))
  })
  await loaded('mixed: 1,000 reads, 10 likes, 1 edit', '', mix(reads, likes, edits))
  const creates = posts.map(({ by }) => create(by))
  await loaded('create of 5 kB', '900, p99 60 ms', creates)
  return rows
}

function like(person: Person, post: string, isLiked: boolean): Asked {
  return patch(person, post, { likeId: isLiked ? [person.id] : [] })
}

/** Behind a hundred reads comes a like, behind a thousand an edit. */
function mix(reads: Asked[], likes: Asked[], edits: Asked[]): Asked[] {
  return reads.flatMap((one, at) => [
    one,
    ...(at % 100 === 50 ? likes.slice((at - 50) / 100).slice(0, 1) : []),
    ...(at % 1000 === 500 ? edits.slice((at - 500) / 1000).slice(0, 1) : []),
  ])
}

/** In turns, so that what else the host does meets both alike. */
async function besideBare(blog: Blog, requests: Asked[]): Promise<Pick<Row, 'load' | 'ofBare'>> {
  await using bare = await startBare(blog, requests[0] as Asked)
  const sides = [blog, bare].map(({ url }) => ({ url, seconds: how.seconds }))
  for (const side of sides) await shootOnce(side, requests)
  const rounds: [Load[], Load[]] = [[], []]
  for (let round = 0; round < how.rounds; round++)
    for (const [at, side] of sides.entries()) rounds[at]?.push(await shoot(side, requests))
  const [load, ofBare] = rounds.map(middleOf) as [Load, Load]
  return { load, ofBare: load.perSecond / ofBare.perSecond }
}

async function inRounds(shootOne: () => Promise<Load>): Promise<Load> {
  const loads: Load[] = []
  for (let round = 0; round < how.rounds; round++) loads.push(await shootOne())
  return middleOf(loads)
}

// --- growth

/** The first post is made by the blog itself. */
async function makeGrown(place: Place, posts: number): Promise<void> {
  const beganMs = performance.now()
  {
    await using blog = await startBlog(place)
    await call(blog.url, create(await signUp(blog, 'writer')))
  }
  await fill(place, posts)
  const took = ((performance.now() - beganMs) / 1000).toFixed(0)
  say(`filled ${posts} posts (${place.databaseUrl ? 'PostgreSQL' : 'SQLite'}) in ${took} s`)
}

async function measureStart(place: Place, posts: number): Promise<string[]> {
  await using blog = await startBlog(place)
  await delay(3000)
  return [count(posts), count(blog.startMs), memoryMb(blog).toFixed(0)]
}

/** Both blogs in turns. */
async function measureGrowth(database: string, ...places: [Place, Place]): Promise<Grown[]> {
  await using open = new AsyncDisposableStack()
  const sides: Calls[] = []
  for (const [at, place] of places.entries()) {
    const blog = open.use(await startBlog(place))
    sides.push(makeCalls(blog, await signUp(blog, 'reader'), [POSTS, how.many][at] ?? 0))
  }
  const [ofSmall, ofLarge] = sides as [Calls, Calls]
  const grown: Grown[] = []
  for (const name of Object.keys(ofSmall) as (keyof Calls)[]) {
    const loads: [Load[], Load[]] = [[], []]
    for (let batch = 0; batch < how.batches; batch++) {
      loads[0].push(await ofSmall[name]())
      loads[1].push(await ofLarge[name]())
    }
    const [small, large] = loads.map(middleOf) as [Load, Load]
    grown.push({ name, small, large })
    say(`${database}: ${growthRow({ name, small, large }).join(' | ')}`)
  }
  return grown
}

type Calls = ReturnType<typeof makeCalls>

/** Each kind of call on as many addresses, spread over the whole blog. */
function makeCalls({ url }: Blog, person: Person, posts: number) {
  const some = () => postId(1 + random(posts - 1))
  const ask = (requests: Asked[]) => shootOnce({ url, connections: 4 }, requests)
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
    like: () => {
      liked = !liked
      const spread = Math.floor((posts - 1) / CALLS.length)
      return ask(CALLS.map((at) => like(person, postId(1 + at * spread), !liked)))
    },
    create: () => ask(CALLS.map(() => create(person))),
  }
}

// --- the report

function writeReport(measured: Measured[]): string {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`
  return [
    '# Benchmarks',
    `Written by \`npm run bench\`: ${machine}. The load comes from the same machine: read figures as ratios.`,
    `First table: requests a second of one process, ${count(POSTS)} posts with 5 kB of prose each, 32 connections, many addresses unless one is named, 8 members; reads in turns with a bare \`node:http\` server that sends the same bytes. Second: mean and p99 of an uncached call in ms, four at once; the aim is a mean of at most 1.3 times.`,
    ...measured.flatMap(({ database, rows, grown, start }) => [
      `## ${database}`,
      table(['', 'a second', 'p99 ms', 'of bare', 'aim'], rows.map(reportRow)),
      table(['', count(POSTS), count(how.many), 'ratio of means'], grown.map(growthRow)),
      table(['posts', 'start, ms (1,500)', 'idle memory, MB (130)'], start),
    ]),
    '',
  ].join('\n\n')
}

function reportRow({ name, load, aim, ofBare }: Row): string[] {
  const answered = count(load.perSecond) + (load.failed ? `, ${load.failed} failed` : '')
  return [name, answered, load.p99Ms.toFixed(0), ofBare?.toFixed(2) ?? '', aim]
}

function growthRow({ name, small, large }: Grown): string[] {
  const cell = ({ meanMs, p99Ms, failed }: Load) =>
    `${meanMs.toFixed(2)} / ${p99Ms.toFixed(1)}${failed ? `, ${failed} failed` : ''}`
  return [name, cell(small), cell(large), (large.meanMs / small.meanMs).toFixed(2)]
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
