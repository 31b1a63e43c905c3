// The lock files install everywhere: every dependency they name is in them, from no particular
// host; and npm leaves them as they are.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdtempDisposable, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { toolEnv } from '../scripts/processes.ts'

type Entry = {
  version?: string
  link?: boolean
  resolved?: string
  libc?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const FOLDERS = ['.', 'test/clients', 'test/chromium']
const GROUPS = ['dependencies', 'devDependencies', 'optionalDependencies']

/**
 * What a newcomer has with Node 20, and what writes the lock (CONTRIBUTING.md). The latter is asked
 * to write it in spite of `save=false`.
 */
const NPM_CALLS = [
  { version: '10.9.4', args: [] },
  { version: '11.19.1', args: ['--save'] },
]

describe.each(FOLDERS)('the lock of %s', (folder) => {
  const lock: { packages: Record<string, Entry> } = readJson(folder, 'package-lock.json')
  const manifest: Record<string, Record<string, string> | undefined> = readJson(
    folder,
    'package.json',
  )

  test('every dependency named in the lock is in the lock', () => {
    expect(Object.keys(lock.packages).length).toBeGreaterThan(folder === '.' ? 100 : 2)
    expect(findHoles(lock.packages)).toEqual([])
  })

  test('the lock matches package.json', () => {
    for (const group of GROUPS)
      expect(Reflect.get(lock.packages[''] ?? {}, group)).toEqual(manifest[group])
  })

  test('the lock names no registry', () => {
    const hosts = Object.values(lock.packages)
      .map(({ resolved }) => resolved)
      .filter((resolved) => resolved !== undefined && URL.canParse(resolved))
    expect(hosts).toEqual([])
  })

  test('packages for one C library declare it, so that npm downloads no others', () => {
    const silent = Object.entries(lock.packages)
      .filter(([name, { libc }]) => /musl(?!eabi)/.test(name) && libc?.[0] !== 'musl')
      .map(([name]) => name)
    expect(silent).toEqual([])
  })

  test('every version in package.json is exact', () => {
    const loose = GROUPS.flatMap((group) => Object.entries(manifest[group] ?? {})).filter(
      ([, version]) =>
        !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) &&
        !/^file:(\.\.?\/)+shims\//.test(version),
    )
    expect(loose).toEqual([])
  })

  test.each(NPM_CALLS)(
    'npm $version leaves the lock as it is',
    {
      tags: ['more'],
    },
    async ({ version, args }) => {
      await using copy = await mkdtempDisposable(join(tmpdir(), 'lamplight-lock-'))
      const parts = [...FOLDERS.map((each) => join(each, '.npmrc')), 'shims']
      for (const each of FOLDERS) parts.push(`${each}/package.json`, `${each}/package-lock.json`)
      for (const part of parts) await cp(part, join(copy.path, part), { recursive: true })
      const install = ['install', '--package-lock-only', '--ignore-scripts', ...args]
      await promisify(execFile)('npx', ['--yes', `npm@${version}`, ...install], {
        cwd: join(copy.path, folder),
        env: Object.fromEntries(Object.entries(toolEnv()).filter(([name]) => !/^npm_/i.test(name))),
      })
      for (const name of ['package.json', 'package-lock.json'])
        expect(await readFile(join(copy.path, folder, name), 'utf8')).toBe(
          await readFile(join(folder, name), 'utf8'),
        )
    },
  )
})

test('a platform package missing from a lock is found', () => {
  expect(
    findHoles({
      '': { dependencies: { tool: '1.0.0' } },
      'node_modules/tool': { version: '1.0.0', optionalDependencies: { 'tool-arm': '1.0.0' } },
    }),
  ).toEqual(['node_modules/tool: tool-arm'])
})

function readJson(folder: string, name: string) {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'))
}

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
