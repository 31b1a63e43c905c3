import { expect, test } from 'vitest'
import { SITEMAP_NAMES, SITEMAP_STARTS_SECONDS } from '#contract/server-limits.ts'
import { textsOf } from '#test/support/xml.ts'
import { makeSitemap } from './sitemap.ts'

const FILES = 3

/** A sitemap of people alone, with ids in their order. */
function start() {
  const ids = Array.from({ length: (FILES - 1) * SITEMAP_NAMES + 1 }, (_none, at) =>
    String(at).padStart(6, '0'),
  )
  let nowMs = 0
  const sitemap = makeSitemap({
    publicUrl: 'https://blog.example',
    nowMs: () => nowMs,
    posts: {
      parts: async () => [],
      async *streamPart() {},
      listAuthors: async () => [],
      listTags: async () => [],
    },
    named: [
      {
        kind: 'authors',
        pathOf: (id) => `/${id}`,
        async read({ after, upTo, limit }) {
          const found = ids.filter((id) => id > after && (upTo === undefined || id <= upTo))
          return found.slice(0, limit).map((id) => ({ id, newestAt: '2026-01-01T00:00:00.000Z' }))
        },
      },
    ],
  })
  return {
    ids,
    wait: (seconds: number) => {
      nowMs += seconds * 1000
    },
    async files() {
      const paths = textsOf(await sitemap.index(), 'loc').map((one) => new URL(one).pathname)
      return paths.filter((path) => path.startsWith('/sitemap-authors-'))
    },
    async idsIn(number: number): Promise<string[]> {
      let text = ''
      for await (const part of (await sitemap.file('authors', number)) ?? []) text += part
      return textsOf(text, 'loc').map((one) => new URL(one).pathname.slice(1))
    },
  }
}

test('each person is in one file, also those who come while the files are known', async () => {
  const { ids, files, idsIn, wait } = start()
  expect(await files()).toHaveLength(FILES)
  const lengths = []
  for (let number = 1; number <= FILES + 1; number++) lengths.push((await idsIn(number)).length)
  expect(lengths).toEqual([SITEMAP_NAMES, SITEMAP_NAMES, 1, 0])

  ids.splice(1, 0, '000000b')
  const all = []
  for (let number = 1; number <= FILES; number++) all.push(...(await idsIn(number)))
  expect(all).toEqual(ids)
  expect((await idsIn(1)).length).toBe(SITEMAP_NAMES + 1)
  wait(SITEMAP_STARTS_SECONDS + 1)
  expect((await idsIn(1)).length).toBe(SITEMAP_NAMES)

  ids.length = 0
  expect(await files()).toEqual([])
})
