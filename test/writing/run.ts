// `npm run test:writing`: long articles written at random, by mouse and keys and by touch, compared
// after every step with what the text must be, saved and read again. No word may be lost. Each is
// some 1200 words long, like half an hour of writing.
// `-- --view` writes 200 short articles with the tools of the writing view; without it, half of the
// articles are written there.
// `-- --signs` writes 200 short texts full of signs and pastes instead of the articles (signs.ts).
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { buildWeb, isBuildStale } from '#scripts/build-web.ts'
import { CHROMIUM_FLAGS, findChromium } from '#scripts/chromium.ts'
import { editorBody } from '#test/support/people.ts'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { becomeWriter, type Written, writeArticle } from './article.ts'
import { makeSignsPost, writeSigns } from './signs.ts'

const { values } = parseArgs({
  options: {
    signs: { type: 'boolean', default: false },
    view: { type: 'boolean', default: false },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string', default: '1' },
    steps: { type: 'string' },
    together: { type: 'string', default: '2' },
  },
})
const { signs, view } = values
const steps = Number(values.steps ?? (signs ? 12 : view ? 30 : 150))
const count = Number(values.seeds ?? (signs || view ? 200 : 20))
const first = Number(values.seed ?? values.from)
const seeds = Array.from({ length: values.seed ? 1 : count }, (_, at) => first + at)

if (await isBuildStale()) await buildWeb()
await using data = await makeDataDir()
const server = await startServer(data.path)
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: CHROMIUM_FLAGS,
})
try {
  const failed = await writeAll(browser, [...seeds])
  say(`${seeds.length - failed} of ${seeds.length} texts whole`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await browser.close()
  await server.stop()
}

/** @returns how many failed */
async function writeAll(shared: Browser, waiting: number[]): Promise<number> {
  let failed = 0
  const work = async (): Promise<void> => {
    const write = signs ? await beginSigns(shared) : writeOne(shared)
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const startedMs = performance.now()
      const { words, fault } = await write(seed)
      const seconds = Math.round((performance.now() - startedMs) / 1000)
      if (fault) failed++
      say(`seed ${seed}: ${fault ?? `${steps} steps, ${words} words, whole`} (${seconds} s)`)
    }
  }
  await Promise.all(Array.from({ length: Number(values.together) }, work))
  return failed
}

type Write = (seed: number) => Promise<Written>

function writeOne(shared: Browser): Write {
  return (seed) => {
    const inView = view || seed % 4 >= 2
    return writeArticle(shared, { url: server.url, seed, steps, inView })
  }
}

/** All in one page and one post. */
async function beginSigns(shared: Browser): Promise<Write> {
  const page = await shared.newPage({ baseURL: server.url })
  await becomeWriter(page, performance.now())
  const postId = await makeSignsPost(page)
  await page.goto('/add-post')
  await editorBody(page).click()
  return (seed) => writeSigns(page, { seed, steps, postId })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
