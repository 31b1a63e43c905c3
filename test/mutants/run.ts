// `npm run test:mutants`: puts deliberate faults (mutants.ts) into a copy of the sources, one after
// the other, and checks that `npm test` fails with each. Arguments select mutants by their rules:
// `npm run test:mutants -- likes`.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandFile, ROOT, toolEnv } from '#scripts/processes.ts'
import { MUTANTS, type Mutant } from './mutants.ts'

const TESTS_MAX_MS = 30 * 60_000
const SOURCE = /^(?:backend|contract|web)\/.*(?<!\.test)\.tsx?$/

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** @returns the names of the files of this repository, including those not yet committed */
function listFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return names.filter((name) => name !== '')
}

/** @throws Error when the text does not occur exactly once in the sources */
function findSource(folder: string, names: string[], { rule, find }: Mutant) {
  const sources = names.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  const matches = sources.filter(({ text }) => text.includes(find))
  const [first] = matches
  if (matches.length !== 1 || !first || first.text.split(find).length !== 2)
    throw new Error(`"${rule}": its text must stand exactly once; change mutants.ts`)
  return first
}

/** @returns a test file that fails, undefined when all pass; tests that hang fail */
function findFailure(folder: string, args: string[]): string | undefined {
  const vitest = [commandFile('vitest'), 'run', '--tags-filter=!more', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, vitest, {
    cwd: folder,
    env: toolEnv({ NO_COLOR: '1' }),
    encoding: 'utf8',
    timeout: TESTS_MAX_MS,
  })
  const failed = /FAIL .*?(\S+\.test\.tsx?)/.exec(stdout + stderr)
  return status === 0 ? undefined : (failed?.[1] ?? 'a hang')
}

/** @returns the test file that failed, undefined when none did */
function tryMutant(folder: string, names: string[], mutant: Mutant): string | undefined {
  const { name, text } = findSource(folder, names, mutant)
  const changed = text.replace(mutant.find, () => mutant.replace)
  // Code that does not parse would fail every test.
  if (name.endsWith('.ts')) stripTypeScriptTypes(changed)
  writeFileSync(join(folder, name), changed)
  try {
    return findFailure(folder, [mutant.test]) ?? findFailure(folder, ['--bail=1'])
  } finally {
    writeFileSync(join(folder, name), text)
  }
}

const words = process.argv.slice(2)
const chosen = MUTANTS.filter(({ rule }) => words.every((word) => rule.includes(word)))
if (chosen.length === 0) throw new Error(`No rule has all of the words "${words.join(' ')}"`)
const folder = mkdtempSync(join(tmpdir(), 'lamplight-mutants-'))
const missed: string[] = []
try {
  const files = listFiles()
  for (const name of [...files, 'build'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const names = files.filter((name) => SOURCE.test(name))
  const first = findFailure(folder, [...new Set(chosen.map(({ test }) => test))])
  if (first) throw new Error(`${first} fails without any mutant`)
  for (const mutant of chosen) {
    const failingTest = tryMutant(folder, names, mutant)
    say(
      `${failingTest ? 'caught' : 'MISSED'}  ${mutant.rule}${failingTest ? ` (${failingTest})` : ''}`,
    )
    if (!failingTest) missed.push(mutant.rule)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
say(`${chosen.length - missed.length} of ${chosen.length} mutants were caught`)
process.exitCode = missed.length > 0 ? 1 : 0
