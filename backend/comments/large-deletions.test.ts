// Deleting an account, or a post for good, with many comments and likes: for everybody they are
// gone as soon as the call is answered, and their rows are deleted in batches, even after a
// restart. Deleting a post that can be restored, or restoring it, changes none of these rows.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fillComments, makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase, openSqlite } from '#test/support/databases.ts'
import { addLikes, addPeople, viewerOf } from '#test/support/posts.ts'
import { findUserRow } from '../accounts/users.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import type { OwnDataContext } from '../own-data/context.ts'
import { deleteAccountByOperator, deleteRetiredAccounts } from '../own-data/deletion.ts'
import { sweepDiscussions } from '../versions/orphaned-discussions.ts'
import { streamCommentsOf } from './own-comments.ts'

const KEY: Viewer = { role: 'key' }
const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }
const COMMENTS = 1000
const LIKES = 450
const ALWAYS = { unlessNewerThan: undefined }

const LIKERS = Array.from({ length: LIKES }, (_, at) => `liker-${at}`)
const PAGE = { userId: undefined, cursor: undefined, limit: 9 }

async function count(db: Database, table: 'comment' | 'postLike' | 'discussion' | 'deletedPost') {
  const { total } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

async function start(db: Database) {
  const all = await makeTestComments(db)
  await addPeople(db, LIKERS)
  return { ...all, like: (postId: string) => addLikes(db, postId, LIKERS) }
}

/** Starts with a post that has many comments and likes. */
async function startWithMany(db: Database) {
  const all = await start(db)
  await all.write(carol, 'first')
  await fillComments(db, 'bob', COMMENTS)
  await all.like('p')
  return all
}

/** `isStopped`: the process ends before its background work. */
function deletionContext(
  { context }: Awaited<ReturnType<typeof start>>,
  isStopped: boolean,
): OwnDataContext {
  return isStopped ? { ...context, background: { ...context.background, run: () => {} } } : context
}

describeEachDatabase('large deletions', (open) => {
  test.each([false, true])(
    'an account with many comments, posts and likes is gone once answered (killed then: %s)',
    async (isStopped) => {
      await using opened = await open()
      const { db } = opened
      const all = await start(db)
      const answeredComment = await all.write(bob, 'answered')
      await all.write(carol, 'an answer', { parentId: answeredComment.$id })
      await fillComments(db, 'bob', COMMENTS)
      for (let at = 0; at < 12; at++) await all.posts.write(bob, `of-bob-${at}`)
      await all.posts.write(bob, 'in-bin')
      for (const id of ['of-bob-3', 'in-bin']) await all.like(id)
      await all.posts.remove(bob, 'in-bin', ALWAYS)
      const context = deletionContext(all, isStopped)
      await deleteAccountByOperator(context, KEY, 'bob', CALLER)
      expect(await findUserRow(db, 'bob')).toBe(undefined)
      expect(await all.read(GUEST, `c5`)).toMatchObject({ content: '', userName: '' })
      await expect(deleteAccountByOperator(context, KEY, 'bob', CALLER)).rejects.toMatchObject({
        type: 'user_not_found',
      })
      await addPeople(db, ['bob-again'])
      const email = { email: 'bob@example.test' }
      await db.updateTable('user').set(email).where('id', '=', 'bob-again').execute()
      if (isStopped) expect(await count(db, 'comment')).toBeGreaterThan(COMMENTS / 2)
      if (isStopped) await deleteRetiredAccounts(deletionContext(all, false))
      await all.posts.background.drained()
      await sweepDiscussions(db)
      expect(await db.selectFrom('user').select('id').where('id', '=', 'bob').execute()).toEqual([])
      for (const table of ['postLike', 'deletedPost'] as const)
        expect([table, await count(db, table)]).toEqual([table, 0])
      const remaining = await db
        .selectFrom('comment')
        .select(['status', 'userId'])
        .orderBy('seq')
        .execute()
      expect(remaining).toEqual([
        { status: 'deleted', userId: null },
        { status: 'shown', userId: 'carol' },
      ])
      const { stored, counted } = await all.counts()
      expect(stored).toEqual(counted)
    },
  )

  test.each([false, true])(
    'a purged post with many comments and likes is gone once answered (killed then: %s)',
    async (isStopped) => {
      await using opened = await open()
      const { db } = opened
      const { posts } = await startWithMany(db)
      await posts.remove(alice, 'p', ALWAYS)
      const list = () => posts.listDeleted(alice, PAGE)
      const id = (await list()).deleted[0]?.$id ?? ''
      const run = posts.background.run
      if (isStopped) posts.background.run = () => {}
      await posts.purgeDeleted(alice, id)
      expect((await list()).deleted).toEqual([])
      await expect(posts.restoreDeleted(alice, id)).rejects.toMatchObject({
        type: 'document_not_found',
      })
      if (isStopped) expect(await count(db, 'comment')).toBe(COMMENTS + 1)
      posts.background.run = run
      if (isStopped) await sweepDiscussions(db)
      else await posts.background.drained()
      for (const table of ['comment', 'postLike', 'discussion', 'deletedPost'] as const)
        expect([table, await count(db, table)]).toEqual([table, 0])
    },
  )

  test('a post by a deleted account is gone once the call is answered, and its rows are deleted in batches', async () => {
    await using opened = await open()
    const { db } = opened
    const all = await startWithMany(db)
    const { posts } = all
    await db.deleteFrom('user').where('id', '=', 'alice').execute()
    const run = posts.background.run
    posts.background.run = () => {}
    await posts.remove(KEY, 'p', ALWAYS)
    expect([await count(db, 'deletedPost'), await count(db, 'discussion')]).toEqual([0, 1])
    expect(await count(db, 'comment')).toBe(COMMENTS + 1)
    expect(await count(db, 'postLike')).toBe(LIKES)
    await expect(all.read(GUEST, 'c5')).rejects.toMatchObject({ status: 404 })
    const archive = await Array.fromAsync(streamCommentsOf(all.context, carol))
    expect(archive).toEqual([])
    posts.background.run = run
    await sweepDiscussions(db)
    for (const table of ['comment', 'postLike', 'discussion'] as const)
      expect([table, await count(db, table)]).toEqual([table, 0])
  })

  test.each([false, true])(
    'a restored post has all its likes in their order (its id is taken: %s)',
    async (isTaken) => {
      await using opened = await open()
      const { db } = opened
      const { posts, like } = await start(db)
      await like('p')
      const rows = () => db.selectFrom('postLike').selectAll().orderBy('seq').execute()
      const before = await rows()
      await posts.remove(alice, 'p', ALWAYS)
      expect(await rows()).toEqual(before)
      if (isTaken) expect(await posts.write(alice, 'p')).toMatchObject({ like: 0, likeId: [] })
      if (isTaken) expect(await posts.setLike(carol, 'p', true)).toMatchObject({ like: 1 })
      await db.deleteFrom('user').where('id', '=', 'liker-300').execute()
      const [deleted] = (await posts.listDeleted(alice, PAGE)).deleted
      const restored = await posts.restoreDeleted(alice, deleted?.$id ?? '')
      const likers = LIKERS.filter((id) => id !== 'liker-300')
      expect(restored).toMatchObject({ like: LIKES - 1, likeId: likers })
      await posts.update(alice, restored.$id, {
        data: { status: 'active' },
        permissions: undefined,
        unlessNewerThan: undefined,
      })
      expect(await posts.setLike(carol, restored.$id, true)).toMatchObject({ like: LIKES })
      expect(await posts.setLike(carol, restored.$id, false)).toMatchObject({ like: LIKES - 1 })
      if (isTaken)
        expect(await posts.read(GUEST, 'p')).toMatchObject({ like: 1, likeId: ['carol'] })
    },
  )
})

test('on SQLite, deleting and restoring a post rewrites its row equally often, however many likes it has', async () => {
  await using opened = await openSqlite()
  const { db } = opened
  const { posts, like } = await start(db)
  await like('p')
  await sql`create table "written" (likes integer)`.execute(db)
  await sql`create trigger "noteWritten" after update of likes on post begin
    insert into "written" values (new.likes); end`.execute(db)
  await posts.remove(alice, 'p', ALWAYS)
  const [deleted] = (await posts.listDeleted(alice, PAGE)).deleted
  await posts.restoreDeleted(alice, deleted?.$id ?? '')
  const { rows } = await sql<{ likes: number }>`select likes from "written"`.execute(db)
  expect(rows.map(({ likes }) => likes)).toEqual([LIKES])
})
