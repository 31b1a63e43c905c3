// Which answers all users get alike: a list of likes that is cut ends with one's own.
import { expect, test } from 'vitest'
import { openSqlite } from '#test/support/databases.ts'
import { makeTestPosts } from '#test/support/posts.ts'

test('an answer whose likes may be cut is shared only when it says how many there are', async () => {
  await using opened = await openSqlite()
  const posts = makeTestPosts(opened.db)
  const select = (...names: string[]) => [`select(${JSON.stringify(names)})`]
  const cases: [answer: object, queries: string[] | undefined, isShared: boolean][] = [
    [{ like: 1, likeId: ['a'] }, undefined, true],
    [{ like: 2, likeId: ['a'] }, undefined, false],
    [
      {
        documents: [
          { like: 0, likeId: [] },
          { like: 2, likeId: ['a'] },
        ],
      },
      undefined,
      false,
    ],
    [{ likeId: ['a'] }, select('likeId'), false],
    [{ like: 1, likeId: ['a'] }, select('like', 'likeId'), true],
    [{ title: 'A' }, select('title'), true],
  ]
  for (const [answer, queries, isShared] of cases)
    expect([answer, await posts.isShared(answer, queries)]).toEqual([answer, isShared])
})
