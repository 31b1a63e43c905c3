// Reads of pages without a request of their own: for whom, and of which addresses.
import { expect, test } from 'vitest'
import { viewerOf } from '#test/support/posts.ts'
import { makeDirectReads } from './direct-reads.ts'
import { GUEST } from './viewer.ts'

function start() {
  const reads = makeDirectReads()
  const asked: unknown[] = []
  const direct = async ({ params, query }: { params: unknown; query: unknown }) => {
    asked.push({ params, query })
    return { name: 'Alice' }
  }
  reads.add('/v1/account', { direct, scope: 'account' })
  reads.add('/v1/posts/:postId', { direct })
  return { asked, find: reads.find }
}

test('what is for signed-in people is refused to guests before it is read', async () => {
  const { asked, find } = start()
  const read = find('/v1/account')
  await expect(read?.(GUEST)).rejects.toMatchObject({ type: 'general_unauthorized_scope' })
  expect(asked).toEqual([])
  expect(await read?.(viewerOf('alice'))).toEqual({ name: 'Alice' })
})

test('an address that is not exactly one of them is left to the routes', async () => {
  const { asked, find } = start()
  await find('/v1/posts/one?select=a')?.(GUEST)
  expect(asked).toEqual([{ params: { postId: 'one' }, query: { select: 'a' } }])
  for (const address of ['/v1/posts', '/v1/posts/one/likes', '/v1/posts/%6fne', '/x/v1/account'])
    expect(find(address)).toBeUndefined()
})
