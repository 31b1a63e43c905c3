// `npm run test:stress`: the browser tests with four busy loops beside them, each test three times.
// Finds tests that depend on a quiet machine. Paths and options after it go to Playwright:
// `npm run test:stress test/browser/toasts.test.ts`.
import { Worker } from 'node:worker_threads'
import { buildWeb, isBuildStale } from './build-web.ts'
import { findChromium } from './chromium.ts'
import { commandFile, runShown, toolEnv } from './processes.ts'

const BUSY_LOOPS = 4
const RUNS = 3

if (await isBuildStale()) await buildWeb()
const chromium = await findChromium((line) => void process.stdout.write(`${line}\n`))
const loops = Array.from({ length: BUSY_LOOPS }, () => new Worker('for (;;) {}', { eval: true }))
try {
  process.exitCode = await runShown(
    process.execPath,
    [
      commandFile('@playwright/test', 'playwright'),
      'test',
      `--repeat-each=${RUNS}`,
      ...process.argv.slice(2),
    ],
    toolEnv({ BLOG_TEST_CHROMIUM: chromium }),
  )
} finally {
  await Promise.all(loops.map((loop) => loop.terminate()))
}
