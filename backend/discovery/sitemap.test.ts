import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { plainSite } from '#test/support/site.ts'
import { textsOf } from '#test/support/xml.ts'
import { makeResponseCache } from '../cache/response-cache.ts'
import { makeRateLimits } from '../http/rate-limits.ts'
import type { PublicPosts } from '../post-lists/public-posts.ts'
import type { DiscoveryContext } from './context.ts'
import {
  addRobotsAndSitemap,
  makeSitemap,
  SITEMAP_NAMES_PER_FILE,
  SITEMAP_STARTS_CACHE_SECONDS,
} from './sitemap.ts'

const FILES = 2

/** A sitemap of authors only, with sorted ids. */
function start() {
  const ids = Array.from({ length: (FILES - 1) * SITEMAP_NAMES_PER_FILE + 1 }, (_, at) =>
    String(at).padStart(6, '0'),
  )
  let nowMs = 0
  const posts: PublicPosts = {
    parts: async () => [],
    async *streamPart() {},
    async listAuthors({ after, upTo, limit }) {
      const matching = ids.filter((id) => id > after && (upTo === undefined || id <= upTo))
      return matching.slice(0, limit).map((id) => ({ id, newestAt: '2026-01-01T00:00:00.000Z' }))
    },
    listTags: async () => [],
    listPages: async () => [],
  }
  const sitemap = makeSitemap('https://blog.example', posts, () => nowMs)
  return {
    ids,
    wait: (seconds: number) => {
      nowMs += seconds * 1000
    },
    async files() {
      const paths = textsOf(await sitemap.index(), 'loc').map((url) => new URL(url).pathname)
      return paths.filter((path) => path.startsWith('/sitemap-authors-'))
    },
    async idsIn(number: number): Promise<string[]> {
      const file = await sitemap.file('authors', number)
      return textsOf(file ?? '', 'loc').map((url) => new URL(url).pathname.slice('/author/'.length))
    },
  }
}

test('each author is in one file, even one who is added while file boundaries are cached', async () => {
  const { ids, files, idsIn, wait } = start()
  expect(await files()).toHaveLength(FILES)
  const lengths = []
  for (let number = 1; number <= FILES + 1; number++) lengths.push((await idsIn(number)).length)
  expect(lengths).toEqual([SITEMAP_NAMES_PER_FILE, 1, 0])

  ids.splice(1, 0, '000000b')
  const listed = []
  for (let number = 1; number <= FILES; number++) listed.push(...(await idsIn(number)))
  expect(listed).toEqual(ids)
  expect((await idsIn(1)).length).toBe(SITEMAP_NAMES_PER_FILE + 1)
  wait(SITEMAP_STARTS_CACHE_SECONDS + 1)
  expect((await idsIn(1)).length).toBe(SITEMAP_NAMES_PER_FILE)

  ids.length = 0
  expect(await files()).toEqual([])
})

test('a file is generated once per version, and not at all when the client’s copy is current', async () => {
  let title = 'one'
  let version = 1
  let generated = 0
  await using app = Fastify()
  addRobotsAndSitemap(
    app,
    {
      cache: makeResponseCache(async (tags) => new Map(tags.map((tag) => [tag, version]))),
      rateLimits: makeRateLimits({ isOn: true }),
      publicUrl: 'https://blog.example',
      site: plainSite(),
    } as unknown as DiscoveryContext,
    {
      parts: async () => [],
      async *streamPart() {
        generated++
        yield Array.from({ length: 2000 }, () => ({ $id: 'a', title, changedAt: '2026-01-01' }))
      },
      listAuthors: async () => [],
      listTags: async () => [],
      listPages: async () => [],
    },
  )
  const url = '/sitemap-posts-1.xml'
  const get = (headers: object) => app.inject({ url, headers: { ...headers } })
  const bare = await get({})
  const gzip = await get({ 'accept-encoding': 'gzip' })
  expect([bare.statusCode, textsOf(bare.body, 'loc')]).toMatchObject([200, { length: 2000 }])
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(bare.body)
  const etag = String(bare.headers.etag)
  expect((await get({ 'if-none-match': etag })).statusCode).toBe(304)
  expect(generated).toBe(1)

  title = 'two'
  version++
  const changed = await get({ 'if-none-match': etag })
  expect([changed.statusCode, changed.body.includes('/two'), generated]).toEqual([200, true, 2])
})
