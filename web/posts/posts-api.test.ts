// How the calls for posts convert the server's responses.
import { expect, test } from 'vitest'
import type { Api } from '../api/client.ts'
import { getPost, listFeed } from './posts-api.ts'

test.each([
  ['no name', ''],
  ['only spaces', '  '],
  ['no such field', undefined],
])(
  'an author with %s is an "Unknown User", on a card and on the page of the post',
  async (_case, userName) => {
    const documents = [{ $id: 'blog1l', userName }]
    const client = {
      config: { endpoint: 'http://blog.example/v1' },
      call: async (_method: string, { pathname }: URL) =>
        pathname.endsWith('/documents') ? { total: 1, documents } : documents[0],
    }
    const api = { client, settings: {} } as unknown as Api
    const post = await getPost(api, 'blog1l')
    expect(post.ok && post.value.userName).toBe('Unknown User')
    const feed = await listFeed(api)
    expect(feed.ok && feed.value.posts[0]?.userName).toBe('Unknown User')
  },
)
