// Compares the rooms drawn in docs/architecture.md with the tree: which imports are allowed, and
// how long a file may be. A failure names the wrong import.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { drawnRooms } from './support/rooms.ts'

/** A folder imports from itself and from the folders before it. */
const ORDER = { backend: drawnRooms('backend'), web: drawnRooms('web') }
/** What each part may import besides itself. Tests also use test/. */
const PARTS: Record<string, readonly string[]> = {
  contract: [],
  backend: ['contract'],
  web: ['contract'],
  scripts: ['contract', 'backend', 'web'],
  test: ['contract', 'backend', 'web', 'scripts'],
}
const MAX_LINES = 600
/**
 * Knows nothing of the product: it takes its few words from the catalogue of texts, and nothing
 * else.
 */
const USER_INTERFACE = 'web/ui'
const TEXTS = 'web/locales/texts.ts'
const LAYERS_SHEET = 'web/styles/layers.css'
/**
 * Stand in pages of posts; app.css and the sheets of posts come after them, with the same and more
 * (decision 0051).
 */
const POST_SHEETS = ['web/styles/post.css', 'web/styles/post-objects.css']
const APP_SHEET = 'web/styles/app.css'
const POST_PAGES_SHEET = 'web/reading/post-sheets.css'
/** These name style sheets that load with a page (decision 0019). */
const PAGE_SHEETS = /-sheets\.css$/
/** Its sheets come with the editor, in no layer: neither is its skin, over which they win. */
const EDITOR = 'web/editor/'

type Import = { from: string; to: string; isType: boolean }

const sources = new Map(
  globSync(['{contract,backend,web,scripts,test}/**/*.{ts,tsx,js}', '*.ts'], {
    exclude: ['**/node_modules/**'],
  })
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => [file, readFileSync(file, 'utf8')]),
)
const sheets = new Map(
  globSync('web/**/*.css')
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => [file, readFileSync(file, 'utf8')]),
)
const imports = [...sources].flatMap(([file, text]) => readImports(file, text))
const inside = imports.filter(({ to }) => sources.has(to))

test('source files and imports are found', () => {
  expect(sources.size).toBeGreaterThan(40)
  expect(inside.length).toBeGreaterThan(60)
})

test('every import of a project file resolves', () => {
  expect(imports.filter(({ to }) => partOf(to) in PARTS && !existsSync(to)).map(show)).toEqual([])
})

test('contract imports the schema builder only', () => {
  const foreign = imports.filter(
    ({ from, to }) =>
      partOf(from) === 'contract' && !isTest(from) && partOf(to) !== 'contract' && to !== 'typebox',
  )
  expect(foreign.map(show)).toEqual([])
})

test('parts import one way: web -> contract <- backend, and production code never imports test/', () => {
  const wrong = inside.filter(({ from, to }) => {
    const ownPart = partOf(from)
    const other = partOf(to)
    if (ownPart === other || ownPart === '') return false
    return !(PARTS[ownPart]?.includes(other) || (other === 'test' && isTest(from)))
  })
  expect(wrong.map(show)).toEqual([])
})

test.each(Object.entries(ORDER))('inside %s imports point leftwards', (part, row) => {
  const wrong = inside.filter(({ from, to }) => {
    if (isTest(from) || partOf(from) !== part || partOf(to) !== part) return false
    const ownFolder = folderOf(from)
    const other = folderOf(to)
    if (ownFolder === '' || ownFolder === other) return false // root files compose everything
    return row.indexOf(other) < 0 || row.indexOf(other) > row.indexOf(ownFolder)
  })
  expect(wrong.map(show)).toEqual([])
})

test.each(Object.entries(ORDER))('the rooms drawn for %s are its folders', (part, row) => {
  const files = [...sources.keys()].filter((file) => partOf(file) === part)
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== ''))
  expect([...folders].toSorted()).toEqual(row.toSorted())
})

test('web/ui imports nothing else of the project but the texts', () => {
  const wrong = inside.filter(
    ({ from, to }) =>
      dirname(from) === USER_INTERFACE &&
      !isTest(from) &&
      dirname(to) !== USER_INTERFACE &&
      to !== TEXTS,
  )
  expect(wrong.map(show)).toEqual([])
})

test('only texts.ts imports a catalogue', () => {
  const isCatalogue = (file: string) => file.startsWith('web/locales/') && file !== TEXTS
  expect(
    inside
      .filter(({ from, to }) => isCatalogue(to) && !isCatalogue(from) && from !== TEXTS)
      .map(show),
  ).toEqual([])
})

/** Rooms that work on the same tables and read their rows through each other's stores. */
const ROOMS_OF_POSTS = ['post-texts', 'posts', 'versions', 'post-lists', 'comments', 'moderation']

test('a store is private to its room, except among the rooms of posts', () => {
  const isShared = (file: string) => ROOMS_OF_POSTS.includes(folderOf(file))
  expect(
    inside
      .filter(({ from, to }) => isStore(to) && dirname(from) !== dirname(to))
      .filter(({ from, to }) => !(isShared(from) && isShared(to)))
      .map(show),
  ).toEqual([])
})

test('only stores and backend/database contain SQL', () => {
  const query = /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql[.<`]/
  const others = [...sources].filter(
    ([file]) =>
      partOf(file) === 'backend' &&
      folderOf(file) !== 'database' &&
      !isStore(file) &&
      !isTest(file),
  )
  expect(others.filter(([, text]) => query.test(text)).map(([file]) => file)).toEqual([])
})

test('the web takes only types from contract files that build schemas', () => {
  const builders = new Set(
    imports
      .filter(({ from, to, isType }) => partOf(from) === 'contract' && to === 'typebox' && !isType)
      .map(({ from }) => from),
  )
  expect(
    inside
      .filter(({ from, to, isType }) => partOf(from) === 'web' && builders.has(to) && !isType)
      .map(show),
  ).toEqual([])
})

test('there is no import cycle, type-only imports included', () => {
  expect(findCycle()).toEqual([])
})

test('there are no barrels and no default exports', () => {
  const production = [...sources].filter(([file]) =>
    ['contract', 'backend', 'web'].includes(partOf(file)),
  )
  expect(
    production.filter(([file]) => /(^|\/)index\.(ts|tsx)$/.test(file)).map(([file]) => file),
  ).toEqual([])
  expect(
    production.filter(([, text]) => /^export default /m.test(text)).map(([file]) => file),
  ).toEqual([])
})

test('each module of web has its style sheets in a layer of its name, and the layers follow the dependency order', () => {
  const text = sheets.get(LAYERS_SHEET) ?? ''
  const row = ORDER.web
  const layers = [...text.matchAll(/@layer ([^;]*);/g)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  const modules = layers.filter((layer) => row.includes(layer))
  expect(modules.length).toBeGreaterThan(5)
  expect(modules).toEqual(row.filter((one) => modules.includes(one)))
  const ours = [...sheets].filter(
    ([file]) => !file.startsWith(EDITOR) && !POST_SHEETS.includes(file),
  )
  const isPageSheet = ([file]: [string, string]) => Number(file !== APP_SHEET)
  const imported = ours
    .toSorted((first, second) => isPageSheet(first) - isPageSheet(second))
    .flatMap(importsOfSheet)
  const inPosts = POST_SHEETS.flatMap((file) => importsOfSheet([file, sheets.get(file) ?? '']))
  expect(inPosts.length).toBeGreaterThan(10)
  // Within a layer the order decides which rule wins.
  const byLayer = ({ layer = '' }: { layer?: string }, other: { layer?: string }) =>
    layer.localeCompare(other.layer ?? '')
  const withApp = [APP_SHEET, POST_PAGES_SHEET].flatMap((file) =>
    importsOfSheet([file, sheets.get(file) ?? '']),
  )
  expect(inPosts.toSorted(byLayer)).toEqual(
    withApp.filter(({ file }) => inPosts.some((other) => other.file === file)).toSorted(byLayer),
  )
  const ofPages = [...sheets.keys()].filter((file) => PAGE_SHEETS.test(file))
  expect(ofPages.length).toBeGreaterThan(1)
  for (const file of ofPages) expect(imports.map(({ to }) => to)).toContain(file)
  const isOfModule = (file: string) => row.includes(folderOf(file)) && !PAGE_SHEETS.test(file)
  const ofModules = imported.filter(({ file }) => isOfModule(file))
  expect(ofModules.filter(({ file, layer }) => layer !== folderOf(file))).toEqual([])
  // Sheets of several pages may import one sheet, such as that of rows.
  expect([...new Set(ofModules.map(({ file }) => file))].toSorted()).toEqual(
    [...sheets.keys()].filter((file) => isOfModule(file) && !file.startsWith(EDITOR)).toSorted(),
  )
})

test(`no source file is longer than ${MAX_LINES} lines`, () => {
  const long = [...sources, ...sheets].map(
    ([file, text]) => `${file}: ${text.trimEnd().split('\n').length} lines`,
  )
  expect(long.filter((line) => Number(/: (\d+) lines$/.exec(line)?.[1]) > MAX_LINES)).toEqual([])
})

function importsOfSheet([sheet, text]: [string, string]): { file: string; layer?: string }[] {
  return [...text.matchAll(/@import "([^"]+)"(?: layer\(([\w-]+)\))?;/g)].map(
    ([, path = '', layer]) => ({ file: resolveImport(sheet, path), ...(layer && { layer }) }),
  )
}

function readImports(from: string, text: string): Import[] {
  const statements = text.matchAll(
    /^(?:import|export)(\s+type)?\s(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm,
  )
  return [...statements].map(([, type, named, loaded]) => ({
    from,
    to: resolveImport(from, named ?? loaded ?? ''),
    isType: type !== undefined,
  }))
}

function resolveImport(from: string, name: string): string {
  const path = name.split('?')[0] ?? name
  if (path.startsWith('#')) return path.slice(1)
  return path.startsWith('.') ? join(dirname(from), path).replaceAll('\\', '/') : path
}

function findCycle(): string[] {
  const visited = new Set<string>()
  const next = Map.groupBy(inside, ({ from }) => from)
  function walk(file: string, path: string[]): string[] {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (visited.has(file)) return []
    for (const { to } of next.get(file) ?? []) {
      const cycle = walk(to, [...path, file])
      if (cycle.length > 0) return cycle
    }
    visited.add(file)
    return []
  }
  for (const file of sources.keys()) {
    const cycle = walk(file, [])
    if (cycle.length > 0) return cycle
  }
  return []
}

/** The top folder; empty for files beside package.json. */
function partOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : ''
}

/** The folder below the part; empty for its root files. */
function folderOf(file: string): string {
  const [, folder = '', ...rest] = file.split('/')
  return rest.length > 0 ? folder : ''
}

/** A store of rows; the one of blobs knows no SQL. */
function isStore(file: string): boolean {
  return (
    partOf(file) === 'backend' && /[/-]store\.ts$/.test(file) && !file.endsWith('/blob-store.ts')
  )
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || partOf(file) === 'test'
}

function show({ from, to }: Import): string {
  return `${from} -> ${to}`
}
