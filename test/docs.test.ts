// The documents are true: commands, links and paths exist, the list of settings is up to date, and
// references in comments lead to existing headings.
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { SETTINGS } from '#backend/settings/setting-definitions.ts'
import { REFUSALS } from '#contract/errors.ts'
import { describeSettings, readSettings } from '#scripts/settings.ts'
import { referenceFaults, referringTexts } from './support/references.ts'
import { drawnRooms } from './support/rooms.ts'

const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

test.each(PAGES)('every npm command in %s exists', (page) => {
  const names = [
    ...readFileSync(page, 'utf8').matchAll(/\bnpm (?:run ([\w:]+)|(start|test))\b/g),
  ].map(([, run, plain]) => run ?? plain ?? '')
  expect(names.filter((name) => !(name in scripts))).toEqual([])
})

test.each(PAGES)('every link of %s into this repository leads to a file', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(
    ([, target]) => target ?? '',
  )
  const local = links.filter((target) => !/^https?:/.test(target))
  expect(local.filter((target) => !existsSync(join(dirname(page), target)))).toEqual([])
})

test('docs/settings.md and .env.example are what `npm run settings` writes', () => {
  const settings = readSettings()
  expect(settings.map(({ name, value }) => [name, value])).toEqual(Object.entries(SETTINGS))
  expect(settings.filter(({ text }) => !/^[^|]{10,}\.$/.test(text))).toEqual([])
  for (const [path, text] of Object.entries(describeSettings()))
    expect(readFileSync(path, 'utf8')).toBe(text)
})

test('every source path in the documents exists', () => {
  const paths = PAGES.flatMap((page) =>
    [
      ...readFileSync(page, 'utf8').matchAll(
        /`((?:backend|web|contract|scripts|test|docs|shims)\/[\w./-]+)`/g,
      ),
    ].map(([, path]) => `${page}: ${path}`),
  )
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((line) => !existsSync(line.split(': ')[1] ?? ''))).toEqual([])
})

test('each entry point of threat-model.md names existing code and tests', () => {
  const [, section = ''] = readFileSync('docs/threat-model.md', 'utf8').split(/^## 4.*$|^## 5.*$/m)
  const rows = [...section.matchAll(/^\| .* \| (.*) \| (.*) \|$/gm)].slice(1)
  expect(rows.length).toBeGreaterThan(30)
  const names = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const files = rows.flatMap(([, code, tests]) => [
    ...names(code).map((name) => (name.startsWith('web/') ? name : `backend/${name}`)),
    ...names(tests).map((name) => (name.includes('/') ? name : `test/api/${name}.test.ts`)),
  ])
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})

test('decisions have unique numbers and a date', () => {
  const records = globSync('docs/decisions/*.md').toSorted()
  const numbers = records.map((path) => Number(/(\d{4})-[\w-]+\.md$/.exec(path)?.[1]))
  expect(numbers).toEqual([...new Set(numbers)])
  for (const path of records)
    expect(readFileSync(path, 'utf8')).toMatch(/^# \d{4}\. .+\n\n\d{4}-\d\d-\d\d\n/)
})

const referring = referringTexts()

test('every reference in a comment or document leads to an existing heading', () => {
  expect(referring.filter(({ text }) => text.includes('§')).length).toBeGreaterThan(150)
  expect(referring.flatMap(referenceFaults)).toEqual([])
})

test.each([
  'api.md §3.9',
  'api.md §2.2, §2.9',
  'product.md §O43',
  'product.md §O7, §O99',
  'threat-model.md §3 "Passwort"',
  'api.md §13 trap 99',
  'api.md §1.1 `X-Nothing`',
  'decision 0999',
  'operating.md "Bakcup"',
  'operating.md §1',
  'stack.md',
  'nowhere.md',
  'contract §3',
  'spec §4',
  'as the spec says',
  'ruling O3',
  'O12',
  'issue 7',
  'house style',
  'the mock-up',
  'see §4',
])('a comment that says %s is reported', (text) => {
  expect(referenceFaults({ file: 'a.ts', text, isDocument: false })).not.toEqual([])
})

test.each([
  'api.md §3.2 "PATCH", §3.4 "Text parsing facts"; decision 0004',
  'product.md §4 "Slug", §O10 and §O38, threat-model.md §3 "Name / email"',
  'operating.md "Backup" and CONTRIBUTING.md; RFC 9110 §§13, 14',
])('a comment that says %s is accepted', (text) => {
  expect(referenceFaults({ file: 'a.ts', text, isDocument: false })).toEqual([])
})

test('api.md lists every type of refusal with its status', () => {
  const [, section = ''] = readFileSync('docs/api.md', 'utf8').split('## 9. Errors')
  const listed = (section.split('```\n')[1] ?? '').split(/^(?=\d{3} )/m).flatMap((group) => {
    const [status, ...types] = group.trim().split(/\s+/)
    return types.map((type) => `${status} ${type}`)
  })
  const real = Object.entries(REFUSALS).map(([type, [status]]) => `${status} ${type}`)
  expect(listed.toSorted()).toEqual(real.toSorted())
})

test.each(['backend', 'web'])('architecture.md says what each room of %s does', (part) => {
  const page = readFileSync('docs/architecture.md', 'utf8')
  const pattern = new RegExp(`^\\| Room of the ${part}[^]*?\n\n`, 'm')
  const [, table = ''] = pattern.exec(page)?.[0].split('---|\n') ?? []
  const rooms = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, room]) => room)
  expect(rooms).toEqual(drawnRooms(part))
})

test.each(['backend', 'web'])('CONTRIBUTING.md names each room of %s', (part) => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8')
  const isNamed = (room: string) =>
    page.includes(`\`${room}\``) || page.includes(`${part}/${room}/`)
  expect(drawnRooms(part).filter((room) => !isNamed(room))).toEqual([])
})

test('architecture.md says for each table with a user what is deleted with the account', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'lamplight-'))
  const db = await openDatabase({ dataDir, databaseUrl: undefined })
  const { rows } = await sql<{ name: string }>`
    select distinct tables.name
    from sqlite_master as tables join pragma_table_info(tables.name) as columns
    where tables.type = 'table' and columns.name in ('userId', 'ownerId', 'actorId')
    order by tables.name`.execute(db)
  await db.destroy()
  rmSync(dataDir, { recursive: true })
  const page = readFileSync('docs/architecture.md', 'utf8')
  const [, section = ''] = page.split('## What is deleted with an account')
  const [text = ''] = section.split('\n## ')
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.filter(({ name }) => !text.includes(`\`${name}\``))).toEqual([])
})
