// The commands of README.md and CONTRIBUTING.md as written there: with npm, on a fresh clone in a
// folder with spaces and umlauts, one after the other.
// @module-tag more
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPort, ROOT } from '#scripts/processes.ts'
import { makePostgresDatabase } from '#test/support/databases.ts'
import { startEnv } from '#test/support/process.ts'

/** Commands that CI runs itself, and those that take hours or end with their own report. */
const NOT_HERE = [
  'test',
  'test:more',
  'check',
  'test:fuzz',
  'test:faults',
  'test:writing',
  'test:mutants',
]

/** The figures of the quick benchmark alone take minutes beside other work. */
const LIMIT_MS = 900_000

const folder = mkdtempSync(join(tmpdir(), 'lamplight-clone-'))
const clone = join(folder, 'Größe und Licht')
const tried = new Set<string>()
let port = 0

beforeAll(async () => {
  const files = git(ROOT, 'ls-files', '-z', '--cached', '--others', '--exclude-standard')
  for (const file of files.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(clone, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(clone, file))
  }
  git(clone, 'init', '--quiet')
  git(clone, 'add', '--all')
  git(clone, '-c', 'user.name=a', '-c', 'user.email=a@example.test', 'commit', '--quiet', '-m', 'a')
  port = await findPort()
  expect(await end(npm(['install']))).toContain('Start it with: npm start')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const copy = join(folder, 'copy')

test('seed, start, doctor, admin, mail:test and backup work one after the other', async () => {
  await run('seed')
  await using blog = start('start')
  await blog.answers()
  await run('doctor')
  expect((await run('admin', ['users'])).match(/@lamplight\.example/g)).toHaveLength(5)
  expect(await run('mail:test', ['you@example.com'])).toContain('the mail is a file')
  expect(await run('backup', [copy])).toContain('Backup made')
})

test('export and import make the same blog', async () => {
  const archive = join(folder, 'archive')
  expect(await run('export', [archive])).toContain('Exported to')
  const imported = { env: { BLOG_DATA_DIR: join(folder, 'imported') } }
  expect(await run('import', [archive], imported)).toContain('npm run admin -- link')
})

test('restore and move work on the copy', async () => {
  const restored = { env: { BLOG_DATA_DIR: join(folder, 'restored') } }
  expect(await run('restore', [copy], restored)).toContain('Restored into')
  const database = await makePostgresDatabase({ isEmpty: true })
  expect(await run('move', ['--to', database.url])).toContain('BLOG_DATABASE_URL')
  await database.drop()
})

test('setup works in the terminal', async () => {
  const answers = [
    'Lamps',
    'members',
    'Olga Operator',
    'olga@example.test',
    'lantern meadow quarry',
  ]
  const env = { BLOG_DATA_DIR: join(folder, 'new') }
  expect(await run('setup', [], { answers, env })).toContain('olga@example.test is the operator')
})

test.each<[command: string, ...args: string[]]>([
  ['build'],
  ['format'],
  ['lint'],
  ['types'],
  ['settings'],
  ['test:unit', 'test/lock.test.ts'],
  ['test:browser', 'test/browser/journeys/reading.test.ts'],
  ['bench', '--quick', '--only', 'sqlite'],
])(
  'npm run %s passes and changes no file of the clone',
  { timeout: LIMIT_MS },
  async (...command) => {
    const [name, ...args] = command
    await run(name, args)
    expect(git(clone, 'status', '--porcelain')).toBe('')
  },
)

test('npm run dev answers with seeded posts', async () => {
  await using blog = start('dev')
  expect(await blog.answers()).toContain('<title>')
})

test('every command that the documents name is tested here or excluded', () => {
  const texts = ['README.md', 'CONTRIBUTING.md'].map((name) =>
    readFileSync(join(ROOT, name), 'utf8'),
  )
  const commandNames = [
    ...texts.join('\n').matchAll(/\bnpm (?:run )?(start|test|[\w:]+)(?= |`|$)/gm),
  ]
  const scripts = new Set(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts))
  const commands = new Set(
    commandNames.map(([, name = '']) => name).filter((name) => scripts.has(name)),
  )
  expect([...commands].filter((name) => !tried.has(name) && !NOT_HERE.includes(name))).toEqual([])
})

type Options = { answers?: string[]; env?: Record<string, string> }

/** @returns what it wrote */
async function run(command: string, args: string[] = [], options: Options = {}): Promise<string> {
  tried.add(command)
  return await end(npm(['run', command, '--', ...args], options))
}

/** Starts a blog that runs until it is stopped. */
function start(command: string) {
  tried.add(command)
  const child = npm(['run', command])
  const exit = once(child, 'close')
  const output = collectOutput(child)
  /** As Ctrl+C does, which ends npm itself, too. */
  async function stop(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null)
      process.kill(-(child.pid ?? 0), 'SIGINT')
    await exit
  }
  return {
    /** @returns its first page, once there is one */
    async answers(): Promise<string> {
      while (child.exitCode === null && child.signalCode === null) {
        const page = await fetch(`http://localhost:${port}/login`).catch(() => undefined)
        if (page?.ok) return await page.text()
      }
      throw new Error(output.join(''))
    },
    [Symbol.asyncDispose]: stop,
  }
}

/** With the Node and npm of the system, and without what npm and Vitest have set for this test. */
function npm(args: string[], { answers = [], env = {} }: Options = {}): ChildProcess {
  const variables = Object.entries(startEnv()).filter(
    ([name]) => !/^(npm_|VITEST|NODE_)/.test(name),
  )
  const { PATH = '', ...others } = Object.fromEntries(variables)
  const path = PATH.split(delimiter).filter((place) => !place.includes('node_modules'))
  const child = spawn('npm', args, {
    cwd: clone,
    // In a separate process group, so that a signal reaches npm and its children, as in a terminal.
    detached: true,
    env: { ...others, PATH: path.join(delimiter), PORT: String(port), ...env },
  })
  child.stdin.end(answers.map((answer) => `${answer}\n`).join(''))
  return child
}

/** @returns what it wrote @throws Error with that when it fails */
async function end(child: ChildProcess): Promise<string> {
  const output = collectOutput(child)
  const [code] = await once(child, 'close')
  const text = output.join('')
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}:\n${text}`)
  return text
}

function collectOutput(child: ChildProcess): string[] {
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => void output.push(text))
  return output
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' })
}
