import { Query } from 'appwrite'
import { expect, test } from 'vitest'
import type { Api } from '../api/client.ts'
import { placeholderStyle } from './featured-image.tsx'
import { getPost, listFeed, listOwn } from './posts-api.ts'

test('a colour is used as it is', () => {
  expect(placeholderStyle('#0a14e6')).toEqual({ backgroundColor: '#0a14e6' })
})

test.each([
  undefined,
  '',
  'red',
  '#fff',
  '#0A14E6',
  '#0a14e6;',
  '#0a14e6\n',
  'url(//evil.example/x)',
  '#0a14e680',
])('%j is not a colour', (color) => {
  expect(placeholderStyle(color)).toBe(undefined)
})

test('a post is requested with its colour, and so is every card', async () => {
  const requests: unknown[] = []
  const client = {
    config: { endpoint: 'http://blog.example/v1' },
    call: async (_method: string, _url: URL, _headers: object, values: { queries: string[] }) => {
      requests.push(values.queries)
      return { userName: 'Ada', total: 0, documents: [] }
    },
  }
  const api = { client, settings: {} } as unknown as Api
  await getPost(api, 'blog1l')
  await listFeed(api)
  await listOwn(api, 'alice')
  expect(requests[0]).toEqual([Query.select(['*', 'ownImage', 'imageColor', 'hidden'])])
  for (const queries of requests.slice(1))
    expect(queries).toContainEqual(
      expect.stringMatching(/select.*"featuredImage","ownImage","imageColor"/),
    )
})
