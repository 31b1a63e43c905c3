// The search over HTTP: who may search, which queries are refused, and what it returns.
import { expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'

const DOCUMENTS = '/databases/blogdb/collections/posts/documents'
const SEARCH = '/databases/blogdb/collections/posts/search'

test.each(['members', 'everyone'])(
  'where %s may read the list of posts, they may search it',
  async (reading) => {
    await using blog = await makeTestBlog({ BLOG_READING: reading })
    const alice = await blog.makePerson('alice')
    const bob = await blog.makePerson('bob')
    for (const [documentId, status] of [
      ['shown', 'active'],
      ['draft', 'inactive'],
    ])
      await blog.call('POST', DOCUMENTS, {
        cookie: alice.cookie,
        body: {
          documentId,
          data: { title: 'Night train', content: '', featuredImage: '', status },
        },
      })
    const search = async (cookie?: string, query = 'q=nig+TRA') => {
      const { status, body } = await blog.call(
        'GET',
        `${SEARCH}?${query}`,
        cookie ? { cookie } : {},
      )
      return status === 200
        ? body.documents.map(({ $id }: { $id: string }) => $id)
        : [status, body.type]
    }
    const isOpen = reading === 'everyone'
    expect(await search()).toEqual(isOpen ? ['shown'] : [401, 'general_unauthorized_scope'])
    expect(await search(bob.cookie)).toEqual(['shown'])
    expect(await search(alice.cookie)).toEqual(['draft', 'shown'])
    for (const query of [
      '',
      'q=',
      'q=a',
      `q=${'x'.repeat(201)}`,
      'q=ab&page=0',
      'q=ab&page=85',
      'q[]=ab',
    ])
      expect([query, await search(bob.cookie, query)]).toEqual([
        query,
        [400, 'general_argument_invalid'],
      ])
    expect(await search(bob.cookie, 'q=night&page=84')).toEqual([])
  },
)
