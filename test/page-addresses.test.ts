// No page of the blog, such as "About", can have an address that the app or the server answers.
import { globSync, readFileSync } from 'node:fs'
import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { isAppAddress } from '#contract/blog-links.ts'
import { makeRoutes } from '../web/routes.tsx'

/** The first segments of the paths below a route, without parameters. */
function firstWords(routes: RouteObject[]): string[] {
  return routes.flatMap(({ path = '/', children = [] }) =>
    path === '/' ? firstWords(children) : /^[^:*/]/.test(path) ? [path.split('/')[0] ?? ''] : [],
  )
}

test('the first words of all paths of the app are reserved', () => {
  const words = (['everyone', 'members'] as const).flatMap((reading) =>
    firstWords(makeRoutes({ reading, apiOf: () => expect.unreachable() })),
  )
  expect(words).toContain('verifyOAuth')
  expect(words.filter((word) => !isAppAddress(word.toLowerCase()))).toEqual([])
})

test('the first words of all paths of the server are reserved', () => {
  const sources = globSync('backend/**/*.ts', { exclude: (path) => path.endsWith('.test.ts') })
  const paths = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bapp\.get\b[^(]*\(\s*['`]\/([^'`]*)/g)].map(
      ([, path = '']) => path,
    ),
  )
  const words = paths
    .map((path) => path.split('/')[0] ?? '')
    .filter((word) => /^[a-z]+$/.test(word))
  expect(words).toContain('oembed')
  expect(words.filter((word) => !isAppAddress(word))).toEqual([])
  for (const word of ['v1', 'assets', 'logo']) expect(isAppAddress(word)).toBe(true)
})
