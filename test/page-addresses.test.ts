// No page of the blog, such as "About", can have an address that the server answers itself.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isAppAddress } from '#contract/blog-links.ts'

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
