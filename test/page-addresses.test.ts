// No page of the blog, such as "About", can have an address that the server answers itself.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isAppAddress } from '#contract/blog-links.ts'

test('the first words of all paths of the server are reserved', () => {
  const files = globSync('{backend,contract}/**/*.ts', {
    exclude: (path) => /\.test\.ts$/.test(path),
  })
  const source = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const paths = [...source.matchAll(/\bapp\.get\b[^(]*\(\s*(?:['`]([^'`]*)|([A-Z_]+)\b)/g)].map(
    ([, path, constant]) => path ?? new RegExp(`${constant} = '([^']*)`).exec(source)?.[1] ?? '',
  )
  const words = paths
    .map((path) => path.split('/')[1] ?? '')
    .filter((word) => /^[a-z]+$/.test(word))
  expect(words).toEqual(expect.arrayContaining(['oembed', 'embed']))
  expect(words.filter((word) => !isAppAddress(word))).toEqual([])
  for (const word of ['v1', 'assets', 'logo']) expect(isAppAddress(word)).toBe(true)
})
