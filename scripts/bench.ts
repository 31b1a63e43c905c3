// `npm run bench`: what the blog costs on this machine, at 1,000, 100,000 and 1,000,000 posts, on
// SQLite and PostgreSQL, with one process and two, each beside a bare node:http server under the
// same load, so that the figures can be read as ratios. Writes docs/benchmarks.md and .svg.
// `--quick` measures shortly and small blogs only, and writes nothing. `--page` measures only a
// post page in a Chromium on a phone's line, `--times 15` of them; `--sockets` only realtime
// connections.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillBigBlog, type Place } from './bench/big-blog.ts'
import { SITE, startBlog } from './bench/blog.ts'
import { measureGrowth, type Size } from './bench/growth.ts'
import { benchImages } from './bench/images.ts'
import { measureLiked } from './bench/liked.ts'
import { requireWrk } from './bench/load.ts'
import { benchLongPost } from './bench/long-post.ts'
import { measurePhone } from './bench/page.ts'
import { drawGrowth, type Measured, writeReport } from './bench/report.ts'
import { printSockets } from './bench/sockets.ts'
import { measureRendering, measureThroughput } from './bench/throughput.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { ROOT, runShown } from './processes.ts'

const SMALL = 1000
const SIZES = { whole: [SMALL, 100_000, 1_000_000], quick: [SMALL, 20_000] }
const ROUNDS = { whole: 9, quick: 1 }
const NOTES = '\n## Notes\n'
const SOCKETS_SECONDS = { whole: 6, quick: 1 }
const GROWTH = { whole: { seconds: 3, rounds: 3 }, quick: { seconds: 1, rounds: 1 } }

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
    sockets: { type: 'boolean', default: false },
    times: { type: 'string', default: '5' },
  },
})
const kind = values.quick ? 'quick' : 'whole'
const folder = await mkdtemp(join(tmpdir(), 'lamplight-bench-'))
try {
  await build()
  if (values.sockets) await printSockets(await makeBlog('sockets', SMALL), SOCKETS_SECONDS[kind])
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
  const measured: Measured = {
    about: describeMachine(),
    ...(await measureCalls(small, ROUNDS[kind])),
    liked: await measureLiked([small, await copyOf(small, 'liked')], ROUNDS[kind]),
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

/** What is made of each body once is there from the second start on. */
async function measureCalls(
  place: Place,
  rounds: number,
): Promise<Pick<Measured, 'rendering' | 'throughput'>> {
  {
    await using first = await startBlog(place, SITE)
    await measureRendering(first, SMALL)
  }
  await using two = await startBlog(await copyOf(place, 'two'), { ...SITE, processes: 2 })
  await using one = await startBlog(place, SITE)
  const rendering = await measureRendering(one, SMALL)
  return { rendering, throughput: await measureThroughput({ one, two, rounds, folder }) }
}

async function measureAllSizes(): Promise<Measured['growth']> {
  const sizes = SIZES[kind]
  const how = GROWTH[kind]
  const onSqlite: Size[] = []
  for (const posts of sizes)
    onSqlite.push({ place: await makeBlog(`sqlite-${posts}`, posts), posts })
  const growth = [{ database: 'SQLite', sizes: await measureGrowth(onSqlite, how) }]
  for (const { place } of onSqlite) await rm(place.dataDir, { recursive: true })
  if (values.quick) return growth
  await using servers = new AsyncDisposableStack()
  const onPostgres: Size[] = []
  for (const posts of sizes) {
    const { url } = servers.use(await startOwnPostgres())
    const place = { dataDir: join(folder, `postgres-${posts}`), databaseUrl: url }
    await fill(place, posts)
    onPostgres.push({ place, posts })
  }
  return [...growth, { database: 'PostgreSQL', sizes: await measureGrowth(onPostgres, how) }]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
