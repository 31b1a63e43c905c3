// Who likes a post with very many likes: the oldest of all, and the viewer's own like.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase, type OpenDatabase } from '#test/support/databases.ts'
import { addLikes, addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'

const FANS = 1100
const fans = Array.from({ length: FANS }, (_, at) => `fan${at}`)

async function start(open: OpenDatabase) {
  const opened = await open()
  const { db } = opened
  await addPeople(db, ['alice', 'bob', ...fans])
  const posts = makeTestPosts(db)
  await posts.write(viewerOf('alice'), 'loved')
  await posts.write(viewerOf('alice'), 'liked')
  await addLikes(db, 'loved', fans)
  await addLikes(db, 'liked', fans.slice(0, 300))
  return { ...posts, db, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() }
}

async function listExpectedLikers(db: Database, id: string, idsMax: number, viewer: Viewer) {
  const { rows } = await sql<{ userId: string }>`
    select "userId" from "postLike" join discussion on discussion.seq = "discussionSeq"
    where "postId" = ${id} order by "postLike".seq`.execute(db)
  const all = rows.map(({ userId }) => userId)
  const oldest = all.slice(0, idsMax)
  const viewerLike =
    viewer.role === 'user' && !oldest.includes(viewer.userId) ? viewer.userId : undefined
  return {
    like: all.length,
    likeId: all.includes(viewerLike ?? '') ? [...oldest, viewerLike] : oldest,
  }
}

describeEachDatabase('long lists of likes', (open) => {
  test('agree with the database after each like, for every viewer and in lists of any length', async () => {
    await using posts = await start(open)
    const alice = viewerOf('alice')
    const bob = viewerOf('bob')
    const compare = async () => {
      for (const id of ['loved', 'liked'])
        for (const viewer of [alice, bob, GUEST, viewerOf('fan1050')]) {
          const expected = await listExpectedLikers(posts.db, id, 1000, viewer)
          expect(await posts.read(viewer, id)).toMatchObject(expected)
          expect(await posts.read(viewer, id)).toMatchObject(expected)
        }
      const shortList = await posts.list(bob, ['limit(2)'], { hasTotal: false })
      for (const { $id, like, likeId } of shortList.documents)
        expect({ like, likeId }).toEqual(await listExpectedLikers(posts.db, String($id), 1000, bob))
    }
    await compare()
    const steps: [person: string, id: string, isLiked: boolean][] = [
      ['bob', 'loved', true],
      ['alice', 'liked', true],
      ['fan3', 'loved', false],
      ['fan3', 'liked', false],
      ['fan3', 'loved', true],
      ['bob', 'loved', false],
      ['fan1001', 'loved', false],
      ['fan0', 'liked', false],
    ]
    for (const [person, id, isLiked] of steps) {
      const answer = await posts.setLike(viewerOf(person), id, isLiked)
      expect(answer).toMatchObject(await listExpectedLikers(posts.db, id, 1000, viewerOf(person)))
      await compare()
    }
    const people = fans.slice(0, 20)
    await Promise.all(people.map((one) => posts.setLike(viewerOf(one), 'loved', false)))
    await compare()
  }, 60_000)

  test('are truncated in long lists of posts', async () => {
    await using posts = await start(open)
    for (let at = 0; at < 28; at++) await posts.write(viewerOf('alice'), `more-${at}`)
    await posts.setLike(viewerOf('bob'), 'loved', true)
    for (const limit of [30, 1, 25, 30, 100])
      for (const name of ['bob', 'alice']) {
        const queries = ['orderAsc("$createdAt")', `limit(${limit})`]
        const { documents } = await posts.list(viewerOf(name), queries, { hasTotal: false })
        const idsMax = Math.min(1000, Math.floor(20_000 / documents.length))
        const loved = documents.find(({ $id }) => $id === 'loved')
        const expected = await listExpectedLikers(posts.db, 'loved', idsMax, viewerOf(name))
        expect({ like: loved?.like, likeId: loved?.likeId }).toEqual(expected)
      }
  }, 60_000)
})
