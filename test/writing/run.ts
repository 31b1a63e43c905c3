// `npm run test:writing`: long articles written at random, by mouse and keys and by touch, compared
// after every step with what the text must be, saved and read again. No word may be lost. Each is
// some 1200 words long, as half an hour of writing.
// `npm run test:writing -- --seeds 20 --steps 150`, or one of them again: `-- --seed 7`.
import { parseArgs } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { buildWeb, isBuildStale } from '#scripts/build-web.ts'
import { CHROMIUM_FLAGS, findChromium } from '#scripts/chromium.ts'
import { makeDataDir, startServer } from '#test/support/process.ts'
import { writeArticle } from './article.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    seed: { type: 'string' },
    steps: { type: 'string', default: '150' },
    together: { type: 'string', default: '2' },
  },
})
const steps = Number(values.steps)
const seeds = values.seed
  ? [Number(values.seed)]
  : Array.from({ length: Number(values.seeds) }, (_, at) => at + 1)

if (await isBuildStale()) await buildWeb()
await using data = await makeDataDir()
const server = await startServer(data.path)
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: CHROMIUM_FLAGS,
})
try {
  const failed = await writeAll(browser, [...seeds])
  say(`${seeds.length - failed} of ${seeds.length} articles whole`)
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  await browser.close()
  await server.stop()
}

/** @returns how many failed */
async function writeAll(shared: Browser, waiting: number[]): Promise<number> {
  let failed = 0
  const work = async (): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const startedMs = performance.now()
      const { words, fault } = await writeArticle(shared, { url: server.url, seed, steps })
      const seconds = Math.round((performance.now() - startedMs) / 1000)
      if (fault) failed++
      say(`seed ${seed}: ${fault ?? `${steps} steps, ${words} words, whole`} (${seconds} s)`)
    }
  }
  await Promise.all(Array.from({ length: Number(values.together) }, work))
  return failed
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
