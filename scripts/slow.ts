// `npm run test:slow`: the tests of the check that take too long for every commit: files named
// *.slow.test.ts and browser tests tagged @slow.
import { buildWeb, isBuildStale } from './build-web.ts'
import { findChromium } from './chromium.ts'
import { commandFile, runShown, toolEnv } from './processes.ts'

if (await isBuildStale()) await buildWeb()
const path = await findChromium((line) => process.stdout.write(`${line}\n`))
const env = toolEnv({ BLOG_TEST_PART: 'slow', BLOG_TEST_CHROMIUM: path })
const units = await run('vitest', 'vitest', 'run')
const browser = await run('@playwright/test', 'playwright', 'test')
process.exitCode = units || browser

async function run(packageName: string, command: string, action: string): Promise<number> {
  return await runShown(process.execPath, [commandFile(packageName, command), action], env)
}
