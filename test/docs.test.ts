// The documents are true: commands exist, links lead somewhere, the settings table knows every
// setting.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS } from '#backend/config.ts'

const PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

test.each(PAGES)('every npm command in %s exists', (page) => {
  const named = [
    ...readFileSync(page, 'utf8').matchAll(/\bnpm (?:run ([\w:]+)|(start|test))\b/g),
  ].map(([, run, plain]) => run ?? plain ?? '')
  expect(named.filter((name) => !(name in scripts))).toEqual([])
})

test.each(PAGES)('every link of %s into this repository leads to a file', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(
    ([, target]) => target ?? '',
  )
  const local = links.filter((target) => !/^https?:/.test(target))
  expect(local.filter((target) => !existsSync(join(dirname(page), target)))).toEqual([])
})

test.each(['README.md', 'docs/operating.md'])(
  '%s starts the server with the options of npm start',
  (page) => {
    const [, options] = /^node (.+) scripts\/start\.ts$/.exec(scripts.start ?? '') ?? []
    expect(readFileSync(page, 'utf8')).toContain(
      `node_modules/.bin/node ${options} backend/main.ts`,
    )
  },
)

test('the README names every setting with its default', () => {
  const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z\d_]+)` \| ([^|]+) \|/gm)
  const told = Object.fromEntries([...rows].map(([, name, text]) => [name, text?.trim()]))
  expect(Object.keys(told).toSorted()).toEqual(Object.keys(SETTINGS).toSorted())
  const wrong = Object.entries(SETTINGS).filter(
    ([name, value]) => value !== '' && told[name] !== `\`${value}\``,
  )
  expect(wrong).toEqual([])
})

test('every path of the sources named in the documents is there', () => {
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

test('decisions are numbered without gaps and dated', () => {
  const records = globSync('docs/decisions/*.md').toSorted()
  expect(records.map((path) => Number(/(\d{4})-[\w-]+\.md$/.exec(path)?.[1]))).toEqual(
    records.map((_, index) => index + 1),
  )
  for (const path of records)
    expect(readFileSync(path, 'utf8')).toMatch(
      /^# \d{4}[.:] .+\n\nDate: \d{4}-\d\d-\d\d\. Status: \w+/,
    )
})
