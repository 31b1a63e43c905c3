// `npm test` and `npm run test:more`, the two parts of the whole check. Each runs its groups of
// steps one after the other and stops after the first that fails. Continuous integration runs both.
import { join } from 'node:path'
import { findChromium, installHeadlessShell } from './chromium.ts'
import { parseCommandLine } from './command-line.ts'
import { installOtherBrowsers } from './other-browsers.ts'
import { commandFile, ROOT, runCaptured, runWithOutput, toolEnv } from './processes.ts'
import { installOlderClients, installTestPackages } from './test-packages.ts'

type Output = { runner: typeof runWithOutput; say: (line: string) => void }
type Step = { name: string; run: (output: Output) => Promise<number> }
/** Steps that run in parallel, the longest first: its output is shown while it runs. */
type Group = Step[]

const BUILD: Step = {
  name: 'web build (vite)',
  run: ({ runner }) => runner(process.execPath, [join(ROOT, 'scripts', 'build-web.ts')]),
}
/** More checkers finish sooner, but repeat much of the work. */
const TYPES = ['--noEmit', '--checkers', '1']
/** Rules that need types take as long as all others together: `npm run lint` has them. */
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
  // Its unit tests run `npm run lint`, too.
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

const TO_TERMINAL: Output = { runner: runWithOutput, say }

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

/** As `runStep`, without showing the output. @returns also the output */
async function runSilently(step: Step): Promise<{ passed: boolean; text: string }> {
  const output: string[] = []
  const passed = await runStep(step, {
    runner: (...args) => runCaptured(output, ...args),
    say: (line) => void output.push(`${line}\n`),
  })
  return { passed, text: output.join('') }
}

/** @returns the names of the steps that failed */
async function runGroup([first, ...others]: Group): Promise<string[]> {
  const silentRuns = others.map(runSilently)
  const failed: string[] = []
  if (first && !(await runStep(first, TO_TERMINAL))) failed.push(first.name)
  for (const [index, step] of others.entries()) {
    const result = await silentRuns[index]
    process.stdout.write(result?.text ?? '')
    if (!result?.passed) failed.push(step.name)
  }
  return failed
}

/** @returns the names of the failed steps of the first group that fails */
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
const [part = ''] = parseCommandLine(USAGE, { options: {}, maxPositionals: 1 }).positionals
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
