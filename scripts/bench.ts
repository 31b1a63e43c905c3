// `npm run bench`: what the blog costs on this machine. A seeded server and a bare node:http
// server, each in a process of its own, take the same load one after the other, so that the figures
// can be read as ratios. `--seconds 10` measures longer. `--page` measures only a post page in a
// Chromium on a phone's line, `--times 15` of them; `--sockets` only realtime connections;
// `--search 1000000` only searches, in so many posts.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { benchImages } from './bench/images.ts'
import { CONNECTIONS, measure, residentMb } from './bench/load.ts'
import { benchLongPost } from './bench/long-post.ts'
import { benchPage } from './bench/page.ts'
import { printSearch } from './bench/search.ts'
import { benchSockets } from './bench/sockets.ts'
import { ROOT, runShown, SERVE_ARGS, startServing, stopProcess, toolEnv } from './processes.ts'

const IDLE_MS = 3000
const STARTS = 5
const DOCUMENTS = '/v1/databases/blogdb/collections/posts/documents'
const FEED = `${DOCUMENTS}?${new URLSearchParams({ 'queries[0]': 'equal("status", ["active"])', 'queries[1]': 'orderDesc("$createdAt")', 'queries[2]': 'limit(12)' })}`
const CONSTANT_SERVER = `require('node:http').createServer((_, answer) => {
  answer.setHeader('content-type', 'application/json'); answer.end('{"status":"ok"}')
}).listen(Number(process.env.PORT), '127.0.0.1')`

type Manifest = Record<string, { file: string; imports?: string[] } | undefined>

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    page: { type: 'boolean', default: false },
    sockets: { type: 'boolean', default: false },
    search: { type: 'string' },
    times: { type: 'string', default: '5' },
  },
})
const folder = await mkdtemp(join(tmpdir(), 'lamplight-bench-'))
try {
  if (values.search !== undefined) await printSearch(folder, Number(values.search) || 100_000)
  else await benchServer()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function benchServer(): Promise<void> {
  const env = await prepare()
  if (values.page) await printPage(env, Number(values.times))
  else {
    if (!values.sockets) await bench(env, Number(values.seconds))
    await printSockets(env, Number(values.seconds))
  }
}

async function prepare(): Promise<NodeJS.ProcessEnv> {
  // Rate limits would stop the load; everything else is as an operator runs it.
  const env = toolEnv({ BLOG_DATA_DIR: folder, BLOG_RATE_LIMITS: 'off' })
  if ((await runShown(process.execPath, [join(ROOT, 'scripts/build-web.ts'), '--if-stale'])) !== 0)
    throw new Error('The web part could not be built')
  const seeded = spawnSync(process.execPath, [join(ROOT, 'scripts/seed.ts')], {
    env,
    encoding: 'utf8',
  })
  if (seeded.status !== 0) throw new Error(`The seed failed:\n${seeded.stderr}`)
  return env
}

async function bench(env: NodeJS.ProcessEnv, seconds: number): Promise<void> {
  const coldMs = await measureStarts(env)
  const blog = await startServing('blog', SERVE_ARGS, env)
  const postPath = await findLongest(blog.url)
  const script = await readPageBytes(
    await fetch(`${blog.url}${postPath}`).then((answer) => answer.text()),
  )
  await delay(IDLE_MS)
  const idleMb = await residentMb(blog.child)
  const page = await measure(`${blog.url}${postPath}`, seconds)
  const feed = await measure(`${blog.url}${FEED}`, seconds)
  const loadedMb = await residentMb(blog.child)
  await stopProcess(blog.child)

  const bare = await startServing('constant', ['-e', CONSTANT_SERVER], env)
  const constant = await measure(`${bare.url}/`, seconds)
  await stopProcess(bare.child)
  const images = await benchImages(env, { seconds, folder })
  const longPost = await benchLongPost(env)

  print(
    `Node ${process.versions.node}, ${cpus().length} cores, ${CONNECTIONS} connections, ${seconds} s each; the load comes from this machine too`,
  )
  print('')
  print(
    `${'answer'.padEnd(28)}${'requests/s'.padStart(12)}${'p99 ms'.padStart(9)}${'of constant'.padStart(13)}${'failed'.padStart(8)}`,
  )
  for (const [name, load] of [
    ['post page (rendered)', page],
    ['feed API (12 posts)', feed],
    ['constant (bare node:http)', constant],
    ['preview, kept', images.cached],
    ['file (bare node:http)', images.file],
  ] as const) {
    const share = `${((100 * load.requestsPerSecond) / constant.requestsPerSecond).toFixed(1)} %`
    print(
      `${name.padEnd(28)}${load.requestsPerSecond.toFixed(0).padStart(12)}${load.p99Ms.toFixed(1).padStart(9)}${share.padStart(13)}${String(load.failed).padStart(8)}`,
    )
  }
  print('')
  print(`cold start to first answer    ${coldMs.toFixed(0)} ms (median of ${STARTS})`)
  print(
    `memory, idle                  ${idleMb === undefined ? 'not known here' : `${idleMb.toFixed(0)} MB`}`,
  )
  print(
    `memory, after the load        ${loadedMb === undefined ? 'not known here' : `${loadedMb.toFixed(0)} MB`}`,
  )
  print(
    `JavaScript of the post page   ${kilobytes(script.reading)} kB gz to read, ${kilobytes(script.acting)} kB gz once something is pressed`,
  )
  const ofFile = (100 * images.cached.requestsPerSecond) / images.file.requestsPerSecond
  print(
    `previews not kept             ${images.coldPerSecond.toFixed(1)} a second, of a photo of ${kilobytes(images.photoBytes)} kB`,
  )
  print(
    `previews kept                 ${ofFile.toFixed(0)} % of the bare file of the same ${kilobytes(images.previewBytes)} kB`,
  )
  print(
    `memory, 50 uploads and 200    ${images.peakMb === undefined ? 'not known here' : `${images.peakMb.toFixed(0)} MB at most`}`,
  )
  print(`  previews at once            ${images.busy} were asked to come again later`)
  print('')
  print('processor time of a post of 950 kB, each process anew: the first view, and each later one')
  for (const { name, first, each } of longPost ?? [])
    print(`  ${name.padEnd(28)}${first.toFixed(0).padStart(6)} ms${each.toFixed(0).padStart(6)} ms`)
  if (page.failed + feed.failed + constant.failed + images.cached.failed + images.file.failed > 0)
    process.exitCode = 1
}

async function printSockets(env: NodeJS.ProcessEnv, seconds: number): Promise<void> {
  const told = await benchSockets(env, seconds)
  const { kilobytesEach, events, complete, medianMs, p99Ms, aloneP99Ms, likeP99Ms } = told
  print('')
  print(`realtime: ${told.connections} connections, 500 of them hear 40 likes a second of one post`)
  print(
    `memory of a connection        ${kilobytesEach === undefined ? 'not known here' : `${kilobytesEach.toFixed(1)} kB (goal: below 25)`}`,
  )
  print(`each event, in order          ${complete} of 500 had all ${events}`)
  print(`delay of an event             ${medianMs} ms median, ${p99Ms} ms p99 (goal: below 50)`)
  print(
    `p99 of a like                 ${likeP99Ms.toFixed(1)} ms, alone ${aloneP99Ms.toFixed(1)} ms (goal: at most double)`,
  )
}

async function printPage(env: NodeJS.ProcessEnv, times: number): Promise<void> {
  const blog = await startServing('blog', SERVE_ARGS, env)
  try {
    await measurePage(blog.url, env, times)
  } finally {
    await stopProcess(blog.child)
  }
}

async function measurePage(url: string, env: NodeJS.ProcessEnv, times: number): Promise<void> {
  const { post, file } = await benchPage(url, await findTypical(url), { times, folder, env })
  print(
    `a phone on Lighthouse's slow 4G, processor slowed 4 times; median of ${times} first visits each, in turn`,
  )
  print('')
  for (const [name, { lcpMs, shift, bytes, requests }] of [
    ['post page', post],
    ['one file with its image', file],
  ] as const) {
    print(
      `${name.padEnd(28)}LCP ${lcpMs.toFixed(0)} ms   CLS ${shift.toFixed(4)}   ${kilobytes(bytes)} kB in ${requests} requests`,
    )
  }
  print('')
  print(
    `LCP of the post page          ${(post.lcpMs / file.lcpMs).toFixed(2)} x the file (goal: at most 1.15, 1800 ms, CLS 0, 350 kB)`,
  )
}

async function measureStarts(env: NodeJS.ProcessEnv): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < STARTS; turn++) {
    const startedMs = performance.now()
    const { child } = await startServing('blog', SERVE_ARGS, env)
    times.push(performance.now() - startedMs)
    await stopProcess(child)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? Number.NaN
}

type Post = { $id: string; title: string; content: string }

async function readPosts(url: string): Promise<Post[]> {
  const answer = await fetch(`${url}${FEED}`, { headers: { 'x-appwrite-project': 'blog' } })
  return ((await answer.json()) as { documents: Post[] }).documents
}

/** The address of the post with the longest text. */
async function findLongest(url: string): Promise<string> {
  return pathOf((await readPosts(url)).toSorted((a, b) => b.content.length - a.content.length)[0])
}

/**
 * The address of one whose title is neither long nor short: on it the image is what is painted
 * largest, as it is on most.
 */
async function findTypical(url: string): Promise<string> {
  const posts = (await readPosts(url)).toSorted((a, b) => a.title.length - b.title.length)
  return pathOf(posts[Math.floor(posts.length / 2)])
}

function pathOf(post: Post | undefined): string {
  if (!post) throw new Error('The seeded feed is empty')
  return `/post/${post.$id}`
}

/**
 * Gzipped bytes of JavaScript: what the served page itself holds and loads, and what it loads once
 * the reader does more than read.
 */
async function readPageBytes(html: string): Promise<{ reading: number; acting: number }> {
  const manifest = JSON.parse(
    await readFile(join(ROOT, 'build/client/.vite/manifest.json'), 'utf8'),
  ) as Manifest
  const inPage = [...html.matchAll(/<script(?: nonce="[^"]*")?>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => script,
  )
  if (inPage.length !== 1) throw new Error('The post page has not the one script it is known for')
  const own = gzipSync(inPage.join('')).length
  const named = [
    ...html.matchAll(/<(?:script|link)[^>]+(?:src|href)="\/(assets\/[^"]+\.js)"/g),
  ].map(([, file]) => file)
  const keys = Object.keys(manifest).filter((key) => named.includes(manifest[key]?.file))
  return {
    reading: own + (await bytesOf(manifest, keys)),
    acting: own + (await bytesOf(manifest, [...keys, 'main.tsx', 'reading/post-page.tsx'])),
  }
}

async function bytesOf(manifest: Manifest, keys: string[]): Promise<number> {
  const files = new Set<string>()
  const visit = (key: string): void => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no ${key}`)
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    for (const one of chunk.imports ?? []) visit(one)
  }
  for (const key of keys) visit(key)
  const scripts = [...files]
    .filter((file) => file.endsWith('.js'))
    .map((file) => join(ROOT, 'build/client', file))
  const sizes = await Promise.all(
    scripts.map(async (file) => (await stat(`${file}.gz`).catch(() => stat(file))).size),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
