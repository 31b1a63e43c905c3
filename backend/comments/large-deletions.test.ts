// Deleting an account, and a deleted post for good, with many comments and likes: gone for
// everybody with the answer, the rows little by little, also after a restart.
import { describe, expect, test } from 'vitest'
import { fillComments, makeTestComments } from '#test/support/comments.ts'
import { DATABASES } from '#test/support/databases.ts'
import { addPeople, viewerOf } from '#test/support/posts.ts'
import { findUserRow } from '../accounts/users.ts'
import type { Database } from '../database/schema.ts'
import { GUEST, type Viewer } from '../http/viewer.ts'
import { deleteAccountOf, endRetired, type OwnDataNeeds } from '../own-data/deletion.ts'
import { lockPostsOf, removeAllOf, removeManyOf } from '../posts/deleted-posts.ts'
import { makeLog } from '../process/log.ts'
import { removeCommentsOf, removeManyCommentsOf } from './own-comments.ts'

const KEY: Viewer = { role: 'key' }
const [alice, bob, carol] = [viewerOf('alice'), viewerOf('bob'), viewerOf('carol')]
const CALLER = { requestId: 'r1', address: '127.0.0.1', userAgent: 'test', browserMark: undefined }
const COMMENTS = 1000
const LIKES = 450
const ALWAYS = { unlessNewerThan: undefined }

async function count(db: Database, table: 'comment' | 'postLike' | 'deletedLike' | 'deletedPost') {
  const { total } = await db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  return Number(total)
}

async function start(db: Database) {
  const all = await makeTestComments(db)
  const likers = Array.from({ length: LIKES }, (_none, at) => `liker-${at}`)
  await addPeople(db, likers)
  const createdAt = all.posts.now().toISOString()
  const like = (postId: string) =>
    db
      .insertInto('postLike')
      .values(likers.map((userId) => ({ postId, userId, createdAt })))
      .execute()
  return { ...all, like }
}

/** As `backend/app.ts` composes it; `isStopped`: the process ends before anything follows. */
function deletionNeeds({ needs, posts }: Awaited<ReturnType<typeof start>>, isStopped: boolean) {
  const { background } = posts
  return {
    ...needs,
    background: isStopped ? { ...background, run: () => {} } : background,
    log: makeLog('silent'),
    lockPostsOf,
    deleteMuchContentOf: async (tx: Database, userId: string) =>
      (await removeManyCommentsOf(tx, userId)) && (await removeManyOf(tx, userId)),
    async deleteAllContentOf(tx: Database, _after: unknown, userId: string) {
      await removeCommentsOf(tx, userId)
      await removeAllOf(tx, userId)
    },
  } as unknown as OwnDataNeeds
}

describe.each(DATABASES)('large deletions on %s', (_name, open) => {
  test.each([false, true])(
    'an account with many comments, posts and likes is gone with the answer (killed then: %s)',
    async (isStopped) => {
      await using opened = await open()
      const { db } = opened
      const all = await start(db)
      const answered = await all.write(bob, 'answered')
      await all.write(carol, 'an answer', { parentId: answered.$id })
      await fillComments(db, 'bob', COMMENTS)
      for (let at = 0; at < 12; at++) await all.posts.write(bob, `of-bob-${at}`)
      await all.posts.write(bob, 'in-bin')
      for (const id of ['of-bob-3', 'in-bin']) await all.like(id)
      await all.posts.remove(bob, 'in-bin', ALWAYS)
      const needs = deletionNeeds(all, isStopped)
      await deleteAccountOf(needs, KEY, 'bob', CALLER)
      expect(await findUserRow(db, 'bob')).toBe(undefined)
      expect(await all.read(GUEST, `c5`)).toMatchObject({ content: '', userName: '' })
      await expect(deleteAccountOf(needs, KEY, 'bob', CALLER)).rejects.toMatchObject({
        type: 'user_not_found',
      })
      await addPeople(db, ['bob-again'])
      const email = { email: 'bob@example.test' }
      await db.updateTable('user').set(email).where('id', '=', 'bob-again').execute()
      if (isStopped) expect(await count(db, 'comment')).toBeGreaterThan(COMMENTS / 2)
      if (isStopped) await endRetired(deletionNeeds(all, false))
      else await all.posts.background.drained()
      expect(await db.selectFrom('user').select('id').where('id', '=', 'bob').execute()).toEqual([])
      for (const table of ['postLike', 'deletedLike', 'deletedPost'] as const)
        expect([table, await count(db, table)]).toEqual([table, 0])
      const left = await db
        .selectFrom('comment')
        .select(['status', 'userId'])
        .orderBy('seq')
        .execute()
      expect(left).toEqual([
        { status: 'deleted', userId: null },
        { status: 'shown', userId: 'carol' },
      ])
      const { stored, counted } = await all.counts()
      expect(stored).toEqual(counted)
    },
  )

  test.each([false, true])(
    'a deleted post with many comments and likes ends with the answer (killed then: %s)',
    async (isStopped) => {
      await using opened = await open()
      const { db } = opened
      const all = await start(db)
      const { posts } = all
      await all.write(carol, 'first')
      await fillComments(db, 'bob', COMMENTS)
      await all.like('p')
      await posts.remove(alice, 'p', ALWAYS)
      const list = () =>
        posts.listDeleted(alice, { userId: undefined, cursor: undefined, limit: 9 })
      const id = (await list()).deleted[0]?.$id ?? ''
      const run = posts.background.run
      if (isStopped) posts.background.run = () => {}
      await posts.endDeleted(alice, id)
      expect((await list()).deleted).toEqual([])
      await expect(posts.restoreDeleted(alice, id)).rejects.toMatchObject({
        type: 'document_not_found',
      })
      if (isStopped) expect(await count(db, 'comment')).toBe(COMMENTS + 1 - 200)
      posts.background.run = run
      if (isStopped) await posts.sweepDeleted()
      else await posts.background.drained()
      for (const table of ['comment', 'deletedLike', 'deletedPost'] as const)
        expect([table, await count(db, table)]).toEqual([table, 0])
    },
  )
})
