// `npm test` and `npm run test:more`: the two parts of the whole check, group by group, and stop
// after the first group that fails. Continuous integration runs both.
import { join } from 'node:path'
import { findChromium, installHeadlessShell } from './chromium.ts'
import { readArgs } from './command-line.ts'
import { installOtherBrowsers } from './other-browsers.ts'
import { commandFile, ROOT, runHeard, runShown, toolEnv } from './processes.ts'
import { installOlderClients, installTestPackages } from './test-packages.ts'

type Step = { name: string; run: (runner: typeof runShown) => Promise<number> }
/** Steps of one group run side by side. */
type Group = Step[]

const BUILD: Step = {
  name: 'web build (vite)',
  run: (runner) => runner(process.execPath, [join(ROOT, 'scripts', 'build-web.ts')]),
}
/** More checkers are sooner done, but check many of the types once each. */
const TYPES = ['--noEmit', '--checkers', '1']
const STATIC: Group = [
  // The longest first.
  tool('types of the web part (tsc)', 'typescript', [...TYPES, '-p', 'web/tsconfig.json']),
  BUILD,
  tool('types of backend, scripts and tests (tsc)', 'typescript', [
    ...TYPES,
    '-p',
    'tsconfig.json',
  ]),
  tool('format and lint (biome)', '@biomejs/biome', ['check', '--error-on-warnings', '.']),
  tool('unused files, exports and packages (knip)', 'knip', []),
]

const OTHER_BROWSERS: Step = {
  name: 'Firefox and WebKitGTK (apt-get)',
  async run() {
    installOtherBrowsers(say)
    return 0
  },
}

const PARTS: Record<string, Group[]> = {
  test: [
    STATIC,
    [unitTests('!more')],
    [browserTests(['--fully-parallel', '--grep-invert', '@more'])],
  ],
  more: [[OTHER_BROWSERS], [BUILD], [unitTests('more')], [browserTests(['--grep', '@more'])]],
}

function tool(name: string, packageName: string, args: string[]): Step {
  const run: Step['run'] = (runner) => runner(process.execPath, [commandFile(packageName), ...args])
  return { name, run }
}

function unitTests(tags: string): Step {
  const args = ['run', `--tags-filter=${tags}`]
  return tool('unit, store and API tests (vitest)', 'vitest', args)
}

function browserTests(args: string[]): Step {
  return {
    name: 'browser tests (playwright)',
    async run(runner) {
      installHeadlessShell(say)
      const path = await findChromium(say)
      say(`Chromium: ${path}`)
      const file = commandFile('@playwright/test')
      return runner(
        process.execPath,
        [file, 'test', ...args],
        toolEnv({ BLOG_TEST_CHROMIUM: path }),
      )
    },
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** @returns whether it passed; what one of several writes is shown at its end, in one piece */
async function runStep(step: Step, { isAlone }: { isAlone: boolean }): Promise<boolean> {
  if (isAlone) say(`\n=== ${step.name}`)
  const startedMs = performance.now()
  const heard: string[] = []
  const runner: typeof runShown = isAlone ? runShown : (...args) => runHeard(heard, ...args)
  const code = await step.run(runner).catch((error: unknown) => {
    say(error instanceof Error ? error.message : String(error))
    return 1
  })
  if (!isAlone) say(`\n=== ${step.name}\n${heard.join('')}`.trimEnd())
  say(`--- ${code === 0 ? 'passed' : `FAILED (exit code ${code})`} after ${seconds(startedMs)} s`)
  return code === 0
}

/** @returns the names of the steps that failed */
async function runAll(groups: Group[]): Promise<string[]> {
  for (const group of groups) {
    const isAlone = group.length === 1
    const passed = await Promise.all(group.map((step) => runStep(step, { isAlone })))
    const failed = group.filter((_step, index) => !passed[index])
    if (failed.length > 0) return failed.map(({ name }) => name)
  }
  return []
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1)
}

const USAGE = `npm test             everything that protects a promise
npm run test:more    matrices and what takes long`
const [part = ''] = readArgs(USAGE, { options: {}, mostWords: 1 }).words
const groups = PARTS[part]
if (!groups) throw new Error(`Say which part: ${Object.keys(PARTS).join(' or ')}`)
installTestPackages()
if (part === 'more') installOlderClients()
const startedMs = performance.now()
say(`Checking Lamplight (${part}) with Node ${process.versions.node}`)
const failed = await runAll(groups)
say(
  failed.length > 0
    ? `\nCHECK FAILED: ${failed.join(', ')} (after ${seconds(startedMs)} s)`
    : `\nCHECK PASSED (${part}) in ${seconds(startedMs)} s`,
)
process.exitCode = failed.length > 0 ? 1 : 0
