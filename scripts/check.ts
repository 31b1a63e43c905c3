// `npm test` and `npm run test:more`: the two parts of the whole check, group by group, and stop
// after the first group that fails. Continuous integration runs both.
import { join } from 'node:path'
import { findChromium, installHeadlessShell } from './chromium.ts'
import { readArgs } from './command-line.ts'
import { installOtherBrowsers } from './other-browsers.ts'
import { commandFile, ROOT, runCaptured, runShown, toolEnv } from './processes.ts'
import { installOlderClients, installTestPackages } from './test-packages.ts'

type Output = { runner: typeof runShown; say: (line: string) => void }
type Step = { name: string; run: (output: Output) => Promise<number> }
/** Steps that run side by side, the longest first: its output is shown while it runs. */
type Group = Step[]

const BUILD: Step = {
  name: 'web build (vite)',
  run: ({ runner }) => runner(process.execPath, [join(ROOT, 'scripts', 'build-web.ts')]),
}
/** More checkers are sooner done, but check many of the types once each. */
const TYPES = ['--noEmit', '--checkers', '1']
/** Rules that read the types of all files cost as much as all others: `npm run lint` has them. */
const TYPED_RULES = ['nursery/noFloatingPromises', 'nursery/noMisusedPromises']
const STATIC: Group = [
  tool('format and lint (biome)', '@biomejs/biome', [
    'check',
    '--error-on-warnings',
    ...TYPED_RULES.map((rule) => `--skip=${rule}`),
    '.',
  ]),
  BUILD,
  tool('types of the web part (tsc)', 'typescript', [...TYPES, '-p', 'web/tsconfig.json']),
  tool('types of backend, scripts and tests (tsc)', 'typescript', [
    ...TYPES,
    '-p',
    'tsconfig.json',
  ]),
  tool('unused files, exports and packages (knip)', 'knip', []),
]

const OTHER_BROWSERS: Step = {
  name: 'Firefox and WebKitGTK (apt-get)',
  async run({ say }) {
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
  // The tests run `npm run lint`, too.
  more: [[OTHER_BROWSERS], [BUILD], [unitTests('more')], [browserTests(['--grep', '@more'])]],
}

function tool(name: string, packageName: string, args: string[]): Step {
  const run: Step['run'] = ({ runner }) =>
    runner(process.execPath, [commandFile(packageName), ...args])
  return { name, run }
}

function unitTests(tags: string): Step {
  const args = ['run', `--tags-filter=${tags}`]
  return tool('unit, store and API tests (vitest)', 'vitest', args)
}

function browserTests(args: string[]): Step {
  return {
    name: 'browser tests (playwright)',
    async run({ runner, say }) {
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

const SHOWN: Output = { runner: runShown, say }

/** @returns whether it passed */
async function runStep({ name, run }: Step, output: Output): Promise<boolean> {
  output.say(`\n=== ${name}`)
  const startedMs = performance.now()
  const code = await run(output).catch((error: unknown) => {
    output.say(error instanceof Error ? error.message : String(error))
    return 1
  })
  const outcome = code === 0 ? 'passed' : `FAILED (exit code ${code})`
  output.say(`--- ${outcome} after ${seconds(startedMs)} s`)
  return code === 0
}

/** As `runStep`. @returns also what it wrote */
async function runSilently(step: Step): Promise<{ passed: boolean; written: string }> {
  const heard: string[] = []
  const passed = await runStep(step, {
    runner: (...args) => runCaptured(heard, ...args),
    say: (line) => void heard.push(`${line}\n`),
  })
  return { passed, written: heard.join('') }
}

/** @returns the names of the steps that failed */
async function runGroup([first, ...others]: Group): Promise<string[]> {
  const silent = others.map(runSilently)
  const failed: string[] = []
  if (first && !(await runStep(first, SHOWN))) failed.push(first.name)
  for (const [index, step] of others.entries()) {
    const ended = await silent[index]
    process.stdout.write(ended?.written ?? '')
    if (!ended?.passed) failed.push(step.name)
  }
  return failed
}

/** @returns the names of the steps that failed in the first group in which some did */
async function runAll(groups: Group[]): Promise<string[]> {
  for (const group of groups) {
    const failed = await runGroup(group)
    if (failed.length > 0) return failed
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
