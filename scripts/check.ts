// `npm test`: the whole check, step by step, stopping at the first failure. Exactly what continuous
// integration runs.
import { join } from 'node:path'
import { findChromium, installHeadlessShell } from './chromium.ts'
import { commandFile, ROOT, runShown, toolEnv } from './processes.ts'

type Step = { name: string; run: () => Promise<number> }

const STEPS: Step[] = [
  {
    name: 'format and lint (biome)',
    run: () => tool('@biomejs/biome', 'biome', ['check', '--error-on-warnings', '.']),
  },
  { name: 'unused files, exports and packages (knip)', run: () => tool('knip', 'knip', []) },
  {
    name: 'types of backend, scripts and tests (tsc)',
    run: () => tool('typescript', 'tsc', ['--noEmit', '-p', 'tsconfig.json']),
  },
  {
    name: 'types of the web part (tsc)',
    run: () => tool('typescript', 'tsc', ['--noEmit', '-p', 'web/tsconfig.json']),
  },
  {
    name: 'web build (vite)',
    run: () => runShown(process.execPath, [join(ROOT, 'scripts', 'build-web.ts')]),
  },
  { name: 'unit, store and API tests (vitest)', run: () => tool('vitest', 'vitest', ['run']) },
  { name: 'browser tests (playwright)', run: runBrowserTests },
]

function tool(
  packageName: string,
  command: string,
  args: string[],
  env = toolEnv(),
): Promise<number> {
  return runShown(process.execPath, [commandFile(packageName, command), ...args], env)
}

async function runBrowserTests(): Promise<number> {
  installHeadlessShell(say)
  const path = await findChromium(say)
  say(`Chromium: ${path}`)
  return await tool(
    '@playwright/test',
    'playwright',
    ['test'],
    toolEnv({ BLOG_TEST_CHROMIUM: path }),
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** @returns the step that failed, if one did */
async function runAll(): Promise<Step | undefined> {
  for (const [index, step] of STEPS.entries()) {
    say(`\n=== ${index + 1}/${STEPS.length} ${step.name}`)
    const startedMs = performance.now()
    const code = await step.run().catch((error: unknown) => {
      say(error instanceof Error ? error.message : String(error))
      return 1
    })
    say(`--- ${code === 0 ? 'passed' : `FAILED (exit code ${code})`} after ${seconds(startedMs)} s`)
    if (code !== 0) return step
  }
  return undefined
}

function seconds(sinceMs: number): string {
  return ((performance.now() - sinceMs) / 1000).toFixed(1)
}

const startedMs = performance.now()
say(`Checking Lamplight with Node ${process.versions.node}`)
const failed = await runAll()
say(
  failed
    ? `\nCHECK FAILED: ${failed.name} (after ${seconds(startedMs)} s)`
    : `\nCHECK PASSED: ${STEPS.length} steps in ${seconds(startedMs)} s`,
)
process.exitCode = failed ? 1 : 0
