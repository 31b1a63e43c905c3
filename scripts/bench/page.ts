// A public post in a real Chromium on a phone's line, beside the same page as one static file with
// its image: bare node:http, style inside, no font, no script. Both are loaded in turn, each time
// by a browser that has seen neither.
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '../chromium.ts'
import { ROOT, SERVE_ARGS, startServing, stopProcess, toolEnv } from '../processes.ts'
import { call, FEED_QUERIES, listPath } from './blog.ts'

/**
 * @source Lighthouse 13, core/config/constants.js: its mobile screen, and "slow 4G" with the
 *   factors it applies where no round trip of TCP is slowed
 */
const SCREEN: BrowserContextOptions = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
}
const LINE = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: (1638.4 * 0.9 * 1024) / 8,
  uploadThroughput: (750 * 0.9 * 1024) / 8,
}
const CPU_SLOWDOWN = 4

const STATIC_SERVER = `const { readFileSync } = require('node:fs')
const files = { '/': ['page.br', 'text/html; charset=utf-8', { 'content-encoding': 'br' }], '/image': ['image', 'image/webp', {}] }
for (const file of Object.values(files)) file[0] = readFileSync(process.env.BENCH_FOLDER + '/' + file[0])
require('node:http').createServer(({ url }, answer) => {
  const [bytes, type, more] = files[url] ?? ['', 'text/plain', {}]
  answer.writeHead(bytes || url.startsWith('/v1/health') ? 200 : 404, { 'content-type': type, 'content-length': bytes.length, ...more }); answer.end(bytes)
}).listen(Number(process.env.PORT), '127.0.0.1')`

type Paints = { fcpMs: number; lcpMs: number; shift: number }

declare global {
  interface Window {
    /** Of this bench. */
    paints: Paints
  }
}

/** Medians; `shift` is the worst. */
export type PageFigures = Paints & { bytes: number; requests: number }

/** Beside it: the same page as one file with its picture. */
export async function measurePhone(
  folder: string,
  times: number,
): Promise<{ post: PageFigures; file: PageFigures }> {
  const env = toolEnv({ BLOG_DATA_DIR: join(folder, 'phone'), BLOG_RATE_LIMITS: 'off' })
  const seeded = spawnSync(process.execPath, [join(ROOT, 'scripts/seed.ts')], {
    env,
    encoding: 'utf8',
  })
  if (seeded.status !== 0) throw new Error(`The seed failed:\n${seeded.stderr}`)
  const blog = await startServing('blog', SERVE_ARGS, env)
  try {
    return await benchPage(blog.url, await findTypical(blog.url), { times, folder, env })
  } finally {
    await stopProcess(blog.child)
  }
}

/**
 * The address of a post whose title is neither long nor short: on it the image is what is painted
 * largest, as it is on most.
 */
async function findTypical(url: string): Promise<string> {
  const { documents } = (await call(url, listPath(...FEED_QUERIES))) as {
    documents: { $id: string; title: string }[]
  }
  const posts = documents.toSorted((a, b) => a.title.length - b.title.length)
  const post = posts[Math.floor(posts.length / 2)]
  if (!post) throw new Error('The seeded feed is empty')
  return `/post/${post.$id}`
}

/**
 * @param url of the blog
 * @param how `times` each is loaded; `folder` for the static files
 */
async function benchPage(
  url: string,
  postPath: string,
  { times, folder, env }: { times: number; folder: string; env: NodeJS.ProcessEnv },
): Promise<{ post: PageFigures; file: PageFigures }> {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: CHROMIUM_FLAGS,
  })
  try {
    const kept = join(folder, 'static')
    await mkdir(kept)
    await writeStatic(browser, url + postPath, kept)
    const bare = await startServing('static', ['-e', STATIC_SERVER], { ...env, BENCH_FOLDER: kept })
    const loads: { post: PageFigures[]; file: PageFigures[] } = { post: [], file: [] }
    try {
      for (let turn = 0; turn < times; turn++) {
        loads.post.push(await load(browser, url + postPath))
        loads.file.push(await load(browser, `${bare.url}/`))
      }
    } finally {
      await stopProcess(bare.child)
    }
    const figures = { post: sumUp(loads.post), file: sumUp(loads.file) }
    if (figures.file.requests !== 2)
      throw new Error(`The static page made ${figures.file.requests} requests, not two`)
    return figures
  } finally {
    await browser.close()
  }
}

/** Writes the page as this browser got it, and the one variant of the image that it chose. */
async function writeStatic(browser: Browser, address: string, folder: string): Promise<void> {
  const context = await browser.newContext(SCREEN)
  const page = await context.newPage()
  await page.goto(address)
  const image = await page
    .locator('.featured-image img')
    .evaluate((image: HTMLImageElement) => image.currentSrc)
  const sheets = await page
    .locator('link[rel=stylesheet]')
    .evaluateAll((links: HTMLLinkElement[]) => links.map(({ href }) => href))
  await context.close()
  const html = await (await fetch(address)).text()
  const style = (await Promise.all(sheets.map(async (sheet) => (await fetch(sheet)).text())))
    .join('')
    .replace(/@font-face\s*\{[^}]*\}/g, '')
  const alone = html
    .replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>|<link\b[^>]*>/g, '')
    .replace(
      /<picture>[\s\S]*?<\/picture>/,
      '<img src="/image" width="640" height="360" alt="" fetchpriority="high">',
    )
    .replace(/<img [^>]*\/v1\/[^>]*>/g, '<svg class="ava"></svg>')
    .replace('</head>', () => `<link rel="icon" href="data:,"><style>${style}</style></head>`)
  await writeFile(join(folder, 'page.br'), brotliCompressSync(alone))
  await writeFile(
    join(folder, 'image'),
    Buffer.from(
      await (await fetch(image, { headers: { accept: 'image/webp,*/*' } })).arrayBuffer(),
    ),
  )
}

async function load(browser: Browser, address: string): Promise<PageFigures> {
  const context = await browser.newContext(SCREEN)
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    const received = countReceived(devtools)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', LINE)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.addInitScript(notePaints)
    await page.goto(address, { waitUntil: 'networkidle' })
    return { ...(await readPaints(page)), ...received }
  } finally {
    await context.close()
  }
}

function countReceived(devtools: CDPSession): { bytes: number; requests: number } {
  const received = { bytes: 0, requests: 0 }
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    if (encodedDataLength === 0) return // inside the page
    received.bytes += encodedDataLength
    received.requests++
  })
  return received
}

/** Runs before the page: whatever is painted or moved from then on is noted. */
function notePaints(): void {
  window.paints = { fcpMs: Number.NaN, lcpMs: Number.NaN, shift: 0 }
  const watch = (type: string, note: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type,
      buffered: true,
    })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') window.paints.fcpMs = startTime
  })
  watch('largest-contentful-paint', ({ startTime }) => {
    window.paints.lcpMs = startTime
  })
  watch('layout-shift', (entry) => {
    window.paints.shift += (entry as PerformanceEntry & { value: number }).value
  })
}

async function readPaints(page: Page): Promise<Paints> {
  await page.waitForFunction(() => window.paints.lcpMs > 0)
  return await page.evaluate(() => window.paints)
}

function sumUp(loads: PageFigures[]): PageFigures {
  const median = (key: keyof PageFigures) =>
    loads.map((one) => one[key]).toSorted((a, b) => a - b)[Math.floor(loads.length / 2)] ??
    Number.NaN
  return {
    fcpMs: median('fcpMs'),
    lcpMs: median('lcpMs'),
    shift: Math.max(...loads.map(({ shift }) => shift)),
    bytes: median('bytes'),
    requests: median('requests'),
  }
}
