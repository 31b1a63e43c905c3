import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { isAppAddress } from '#contract/blog-links.ts'
import { makeRoutes } from './routes.tsx'

/** The first segments of the paths below a route, without parameters. */
function firstWords(routes: RouteObject[]): string[] {
  return routes.flatMap(({ path = '/', children = [] }) =>
    path === '/' ? firstWords(children) : /^[^:*/]/.test(path) ? [path.split('/')[0] ?? ''] : [],
  )
}

test('no page of the blog can have an address that begins a path of the app', () => {
  const words = (['everyone', 'members'] as const).flatMap((reading) =>
    firstWords(makeRoutes({ reading, apiOf: () => expect.unreachable() })),
  )
  expect(words).toContain('verifyOAuth')
  expect(words.filter((word) => !isAppAddress(word.toLowerCase()))).toEqual([])
})
