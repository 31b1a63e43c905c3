// The migrations of likes, on both databases.
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { GUEST } from '../http/viewer.ts'
import { up as countLikes } from './migrations/0019-likes.ts'
import { up as moveLikes } from './migrations/0055-likes-of-discussions.ts'
import type { Database } from './schema.ts'

const BEFORE = '0054-backup-runs'
const alice = viewerOf('alice')
const PEOPLE = ['p3', 'p1', 'p4', 'p2']
const TIME = '2023-11-20T13:37:00.000Z'
const asBefore = (db: Database) => db as unknown as Kysely<unknown>

async function start(db: Database) {
  await addPeople(db, ['alice', ...PEOPLE])
  const posts = makeTestPosts(db)
  for (const id of ['liked', 'none', 'deleted']) await posts.write(alice, id)
  for (const userId of PEOPLE)
    await sql`insert into "postLike" ("postId", "userId", "createdAt")
      values ('liked', ${userId}, ${TIME})`.execute(db)
  await posts.remove(alice, 'deleted', { unlessNewerThan: undefined })
  for (const [place, userId] of PEOPLE.entries())
    await sql`insert into "deletedLike" ("deletedId", "userId", "createdAt", place)
      select id, ${userId}, ${TIME}, ${place} from "deletedPost"`.execute(db)
  return posts
}

describeEachDatabase('likes of before', (open) => {
  test('are counted by the migration, which can be cut off and done again', async () => {
    await using opened = await open({ upTo: BEFORE })
    const { db } = opened
    await start(db)
    await sql`update post set likes = 7`.execute(db)
    const steps: [number, number][] = []
    for (let run = 0; run < 2; run++) {
      await countLikes(asBefore(db), (done, all) => void steps.push([done, all]))
      const rows = await db.selectFrom('post').select(['id', 'likes']).orderBy('id').execute()
      expect(rows.map(({ id, likes }) => [id, Number(likes)])).toEqual([
        ['liked', PEOPLE.length],
        ['none', 0],
      ])
    }
    expect(steps).toEqual([
      [2, 2],
      [2, 2],
    ])
  })

  test('stay with their posts in their order, also those in the bin, and are counted from then on', async () => {
    await using opened = await open({ upTo: BEFORE })
    const { db } = opened
    const posts = await start(db)
    for (let run = 0; run < 2; run++) await moveLikes(asBefore(db))
    expect(await posts.read(GUEST, 'liked')).toMatchObject({ like: 4, likeId: PEOPLE })
    expect(await posts.read(GUEST, 'none')).toMatchObject({ like: 0, likeId: [] })
    await posts.setLike(viewerOf('p1'), 'liked', false)
    await posts.setLike(viewerOf('p1'), 'none', true)
    expect(await posts.read(GUEST, 'liked')).toMatchObject({ like: 3, likeId: ['p3', 'p4', 'p2'] })
    expect(await posts.read(GUEST, 'none')).toMatchObject({ like: 1, likeId: ['p1'] })
    await db.deleteFrom('user').where('id', '=', 'p4').execute()
    const page = { userId: undefined, cursor: undefined, limit: 9 }
    const [deleted] = (await posts.listDeleted(alice, page)).deleted
    const restored = await posts.restoreDeleted(alice, deleted?.$id ?? '')
    expect(restored).toMatchObject({ like: 3, likeId: ['p3', 'p1', 'p2'] })
  })

  test('are all there where the migration was cut off, and it is done again', async () => {
    await using opened = await open({ upTo: BEFORE })
    const { db } = opened
    await start(db)
    await sql`create table "likeOfDiscussion" (seq integer)`.execute(db)
    await expect(moveLikes(asBefore(db))).rejects.toThrow('already exists')
    const { rows } = await sql<{ userId: string }>`select "userId" from "postLike"
      where "postId" = 'liked' union all select "userId" from "deletedLike"`.execute(db)
    expect(rows).toHaveLength(2 * PEOPLE.length)
    await sql`drop table "likeOfDiscussion"`.execute(db)
    await moveLikes(asBefore(db))
    expect((await db.selectFrom('postLike').selectAll().execute()).length).toBe(2 * PEOPLE.length)
  })
})
