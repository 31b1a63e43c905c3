import { Query } from 'appwrite'
import { expect, test } from 'vitest'
import type { Api } from '../api/client.ts'
import { placeholderStyle } from './image-color.ts'
import { listFeed, listOwn, readPost } from './posts-api.ts'

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
])('%j is no colour', (color) => {
  expect(placeholderStyle(color)).toBe(undefined)
})

test('a post is read whole with its colour, and so is every card', async () => {
  const asked: unknown[] = []
  const databases = {
    getDocument: async (_d: string, _collection: string, _slug: string, queries: string[]) => {
      asked.push(queries)
      return { userName: 'Ada' }
    },
    listDocuments: async (_database: string, _collection: string, queries: string[]) => {
      asked.push(queries)
      return { total: 0, documents: [] }
    },
  }
  const api = { databases, settings: {} } as unknown as Api
  await readPost(api, 'blog1l')
  await listFeed(api)
  await listOwn(api, 'alice')
  expect(asked[0]).toEqual([Query.select(['*', 'ownImage', 'imageColor', 'hidden'])])
  for (const queries of asked.slice(1))
    expect(queries).toContainEqual(
      expect.stringMatching(/select.*"featuredImage","ownImage","imageColor"/),
    )
})
