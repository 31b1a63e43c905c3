// The lock file installs everywhere: every dependency it names is in it, from no particular host.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = {
  version?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const lock: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)
const manifest: Record<string, Record<string, string> | undefined> = JSON.parse(
  readFileSync('package.json', 'utf8'),
)

test('every dependency named in the lock is in the lock', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(findHoles(lock.packages)).toEqual([])
})

test('a platform package missing from a lock is found', () => {
  expect(
    findHoles({
      '': { dependencies: { tool: '1.0.0' } },
      'node_modules/tool': { version: '1.0.0', optionalDependencies: { 'tool-arm': '1.0.0' } },
    }),
  ).toEqual(['node_modules/tool: tool-arm'])
})

test('the lock names no registry', () => {
  const hosts = Object.values(lock.packages)
    .map(({ resolved }) => resolved)
    .filter((resolved) => resolved !== undefined && URL.canParse(resolved))
  expect(hosts).toEqual([])
})

test('every version in package.json is exact', () => {
  const loose = ['dependencies', 'devDependencies', 'optionalDependencies']
    .flatMap((group) => Object.entries(manifest[group] ?? {}))
    .filter(
      ([, version]) =>
        !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) &&
        !version.startsWith('file:./'),
    )
  expect(loose).toEqual([])
})

/**
 * Walks up the `node_modules` chain as Node does.
 * @returns `folder: name` for every name found nowhere
 */
function findHoles(packages: Record<string, Entry>): string[] {
  return Object.entries(packages).flatMap(([folder, entry]) =>
    Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
      .filter(
        (name) =>
          !places(folder, name).some(
            (place) => packages[place]?.version !== undefined || packages[place]?.link === true,
          ),
      )
      .map((name) => `${folder}: ${name}`),
  )
}

function places(folder: string, name: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return Array.from({ length: parts.length + 1 }, (_, cut) =>
    [...parts.slice(0, parts.length - cut), 'node_modules', name].join('/'),
  ).filter((place) => !place.includes('node_modules/node_modules'))
}
