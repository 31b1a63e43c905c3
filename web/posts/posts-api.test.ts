// What the calls about posts make of the server's answers.
import { expect, test } from 'vitest'
import type { Api } from '../api/client.ts'
import { listFeed, readPost } from './posts-api.ts'

test.each([
  ['no name', ''],
  ['only spaces', '  '],
  ['no such field', undefined],
])(
  'an author with %s is an "Unknown User", on a card and on the page of the post',
  async (_case, userName) => {
    const documents = [{ $id: 'blog1l', userName }]
    const databases = {
      getDocument: async () => documents[0],
      listDocuments: async () => ({ total: 1, documents }),
    }
    const api = { databases, settings: {} } as unknown as Api
    expect((await readPost(api, 'blog1l')).userName).toBe('Unknown User')
    const feed = await listFeed(api)
    expect(feed.ok && feed.value.posts[0]?.userName).toBe('Unknown User')
  },
)
