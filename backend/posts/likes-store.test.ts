// The count of likes in the row of a post is exact, whatever writes or deletes likes.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { findLikedBy, findOldestLikers, lockPostsOf } from './store.ts'

const KEY: Viewer = { role: 'key' }
const PEOPLE = ['p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7']

/** Pseudo-random numbers, the same in each run. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

async function listMiscounted(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select coalesce("postId", "deletedId") as id from discussion left join post on id = "postId"
    where discussion.likes <> coalesce(post.likes, discussion.likes) or discussion.likes
      <> (select count(*) from "postLike" where "discussionSeq" = discussion.seq)`.execute(db)
  return rows.map(({ id }) => id)
}

describeEachDatabase('counted likes', (open) => {
  async function start() {
    const opened = await open()
    const { db } = opened
    await addPeople(db, PEOPLE)
    const posts = makeTestPosts(db)
    /** Deletes an account as own-data/deletion.ts does. */
    const deleteAccount = (userId: string) =>
      inTransaction(db, posts.background, async (tx) => {
        await lockPostsOf(tx, userId)
        await tx.deleteFrom('user').where('id', '=', userId).execute()
        await posts.removePostsOf(tx, userId)
      })
    const dispose = () => opened[Symbol.asyncDispose]()
    return { ...posts, db, deleteAccount, [Symbol.asyncDispose]: dispose }
  }

  test('stay exact through likes, deletions, restored posts, bulk calls, raw SQL and deleted accounts', async () => {
    await using posts = await start()
    const random = makeRandom(7)
    const people = new Set(PEOPLE)
    const randomUser = () => viewerOf([...people][random(people.size)] ?? '')
    const ids = async () =>
      (await posts.db.selectFrom('post').select('id').execute()).map(({ id }) => id)
    const someId = async () => {
      const all = await ids()
      return all[random(all.length)] ?? 'none'
    }
    let createdCount = 0
    const steps: (() => Promise<unknown>)[] = [
      () => posts.write(randomUser(), `post-${createdCount++}`),
      async () => posts.setLike(randomUser(), await someId(), true),
      async () => posts.setLike(randomUser(), await someId(), true),
      async () => posts.setLike(randomUser(), await someId(), false),
      async () => posts.remove(KEY, await someId(), { unlessNewerThan: undefined }),
      async () => {
        const author = randomUser()
        const { deleted } = await posts.listDeleted(author, { ...PAGE, userId: undefined })
        if (deleted[0]) await posts.restoreDeleted(author, deleted[0].$id)
      },
      async () => {
        const userId = randomUser().userId
        await sql`insert into "postLike" ("discussionSeq", "userId", "createdAt")
          select seq, ${userId}, '2023' from discussion where 1 = 1 on conflict do nothing`.execute(
          posts.db,
        )
      },
      async () =>
        posts.db.deleteFrom('postLike').where('userId', '=', randomUser().userId).execute(),
      async () => {
        if (people.size <= 4) return
        const { userId } = randomUser()
        people.delete(userId)
        await posts.deleteAccount(userId)
      },
    ]
    let most = 0
    for (let at = 0; at < 150; at++) {
      // A step may be refused, such as a like of an inactive post; any other error is a fault.
      await steps[random(steps.length)]?.().catch((error: unknown) => {
        if (!(error instanceof Error && 'type' in error)) throw error
      })
      const { rows } = await sql<{ most: number }>`select max(likes) as most from post`.execute(
        posts.db,
      )
      most = Math.max(most, Number(rows[0]?.most ?? 0))
      expect(await listMiscounted(posts.db)).toEqual([])
    }
    expect(most).toBeGreaterThan(2)
  }, 60_000)

  test('stay exact when accounts that like each other’s posts are deleted at once, while others like them', async () => {
    await using posts = await start()
    for (const id of PEOPLE) await posts.write(viewerOf(id), `of-${id}`)
    for (const id of PEOPLE)
      for (const other of PEOPLE) await posts.setLike(viewerOf(id), `of-${other}`, true)
    const [remaining, ...others] = PEOPLE as [string, ...string[]]
    await Promise.all([
      ...others.slice(2).map((id) => posts.deleteAccount(id)),
      ...others.slice(0, 2).map((id) => posts.setLike(viewerOf(id), `of-${remaining}`, false)),
    ])
    expect(await listMiscounted(posts.db)).toEqual([])
    expect(await posts.read(GUEST, `of-${remaining}`)).toMatchObject({
      like: 1,
      likeId: [remaining],
    })
  })

  test('are listed oldest first, and truncated', async () => {
    await using posts = await start()
    await posts.write(viewerOf('p0'), 'one')
    await posts.write(viewerOf('p0'), 'none')
    for (const person of PEOPLE.toReversed()) await posts.setLike(viewerOf(person), 'one', true)
    const list = (idsMax: number) => findOldestLikers(posts.db, ['one', 'none'], idsMax)
    expect(await list(3)).toEqual(new Map([['one', ['p7', 'p6', 'p5']]]))
    expect(await list(100)).toEqual(new Map([['one', PEOPLE.toReversed()]]))
    expect(await findLikedBy(posts.db, 'p1', ['none', 'one'])).toEqual(new Set(['one']))
    expect(await findLikedBy(posts.db, 'nobody', ['none', 'one'])).toEqual(new Set())
    await posts.setLike(viewerOf('p6'), 'one', false)
    expect(await list(3)).toEqual(new Map([['one', ['p7', 'p5', 'p4']]]))
  })
})

const PAGE = { cursor: undefined, limit: 10 }
