// `npm run bench`: what the blog costs on this machine, at 1,000, 100,000 and 1,000,000 posts, on
// SQLite and PostgreSQL, with one process and two, each beside a bare node:http server under the
// same load, so that the figures can be read as ratios. Writes docs/benchmarks.md and .svg.
// `--quick` measures shortly and small blogs only, and writes nothing. `--page` measures only a
// post page in a Chromium on a phone's line, `--times 15` of them; `--sockets` only realtime
// connections; `--search 1000000` only searches, in so many posts.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillBigBlog, type Place } from './bench/big-blog.ts'
import { SITE, startBlog } from './bench/blog.ts'
import { type Growth, measureGrowth } from './bench/growth.ts'
import { benchImages } from './bench/images.ts'
import { measureLiked } from './bench/liked.ts'
import { requireWrk } from './bench/load.ts'
import { benchLongPost } from './bench/long-post.ts'
import { measurePhone } from './bench/page.ts'
import { drawGrowth, type Measured, writeReport } from './bench/report.ts'
import { printSearch } from './bench/search.ts'
import { printSockets } from './bench/sockets.ts'
import { measureRendering, measureThroughput, type ThroughputRow } from './bench/throughput.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { ROOT, runShown } from './processes.ts'

const SMALL = 1000
const SIZES = { whole: [SMALL, 100_000, 1_000_000], quick: [SMALL, 20_000] }
const SECONDS = { whole: 6, quick: 1 }
const NOTES = '\n## Notes\n'
const GROWTH_SECONDS = { whole: 3, quick: 1 }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    sockets: { type: 'boolean', default: false },
    search: { type: 'string' },
    times: { type: 'string', default: '5' },
  },
})
const kind = values.quick ? 'quick' : 'whole'
const folder = await mkdtemp(join(tmpdir(), 'lamplight-bench-'))
try {
  await build()
  if (values.search !== undefined) await printSearch(folder, Number(values.search) || 100_000)
  else if (values.sockets) await printSockets(await makeBlog('sockets', SMALL), SECONDS[kind])
  else if (values.page)
    say(JSON.stringify(await measurePhone(folder, Number(values.times)), null, 2))
  else await benchAll()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function build(): Promise<void> {
  if ((await runShown(process.execPath, [join(ROOT, 'scripts/build-web.ts'), '--if-stale'])) !== 0)
    throw new Error('The web part could not be built')
}

async function benchAll(): Promise<void> {
  requireWrk()
  const small = await makeBlog('small', SMALL)
  const seconds = SECONDS[kind]
  const { rendering, throughput } = await measureOne(small, seconds)
  const measured: Measured = {
    about: describeMachine(),
    rendering,
    throughput,
    two: await measureTwo(small, throughput, seconds),
    liked: await measureLiked(await copyOf(small, 'liked'), seconds),
    longPost: (await benchLongPost(await copyOf(small, 'long'))) ?? [],
    images: await benchImages(await copyOf(small, 'images')),
    phone: values.quick ? undefined : await measurePhone(folder, Number(values.times)),
    growth: await measureAllSizes(),
  }
  const report = writeReport(measured)
  say(report)
  if (values.quick) return
  const path = join(ROOT, 'docs/benchmarks.md')
  await writeFile(path, report + (await readNotes(path)))
  const [sqlite] = measured.growth
  await writeFile(join(ROOT, 'docs/benchmarks.svg'), drawGrowth(sqlite?.sizes ?? []))
}

/** What people wrote about the figures stays when they are measured again. */
async function readNotes(path: string): Promise<string> {
  const [, notes = ''] = (await readFile(path, 'utf8')).split(NOTES)
  return notes && NOTES + notes
}

function describeMachine(): string[] {
  const [cpu] = cpus()
  return [
    `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'})`,
    `Node ${process.versions.node}`,
    `${new Date().toISOString().slice(0, 10)}`,
  ]
}

async function makeBlog(name: string, posts: number): Promise<Place> {
  const place = { dataDir: join(folder, name), databaseUrl: undefined }
  await fill(place, posts)
  return place
}

async function fill(place: Place, posts: number): Promise<void> {
  const beganMs = performance.now()
  await fillBigBlog(place, posts)
  const took = ((performance.now() - beganMs) / 1000).toFixed(0)
  say(`filled ${posts} posts (${place.databaseUrl ? 'PostgreSQL' : 'SQLite'}) in ${took} s`)
}

async function copyOf({ dataDir, databaseUrl }: Place, name: string): Promise<Place> {
  const copied = join(folder, name)
  await cp(dataDir, copied, { recursive: true })
  return { dataDir: copied, databaseUrl }
}

async function measureOne(
  place: Place,
  seconds: number,
): Promise<Pick<Measured, 'rendering' | 'throughput'>> {
  // What is made of each body once is there from the second start on.
  for (const isFirst of [true, false]) {
    await using blog = await startBlog(place, SITE)
    const rendering = await measureRendering(blog, SMALL)
    if (isFirst) continue
    return { rendering, throughput: await measureThroughput({ blog, seconds, folder }) }
  }
  throw new Error('not reached')
}

async function measureTwo(
  place: Place,
  one: ThroughputRow[],
  seconds: number,
): Promise<Measured['two']> {
  await using blog = await startBlog(place, { processes: 2 })
  const two = await measureThroughput({ blog, seconds, folder, isAlone: true })
  return one.map(({ name, load }, at) => ({
    name,
    one: load.perSecond,
    two: two[at]?.load.perSecond ?? Number.NaN,
  }))
}

async function measureAllSizes(): Promise<Measured['growth']> {
  const sizes = SIZES[kind]
  const seconds = GROWTH_SECONDS[kind]
  const sqlite: Growth[] = []
  for (const posts of sizes) {
    const place = await makeBlog(`sqlite-${posts}`, posts)
    sqlite.push(await measureGrowth(place, { posts, seconds }))
    await rm(place.dataDir, { recursive: true })
  }
  const growth = [{ database: 'SQLite', sizes: sqlite }]
  if (values.quick) return growth
  const postgres: Growth[] = []
  for (const posts of sizes) {
    await using server = await startOwnPostgres()
    const place = { dataDir: join(folder, `postgres-${posts}`), databaseUrl: server.url }
    await fill(place, posts)
    postgres.push(await measureGrowth(place, { posts, seconds }))
  }
  return [...growth, { database: 'PostgreSQL', sizes: postgres }]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
