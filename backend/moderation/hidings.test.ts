// Hiding all comments by a user who has many: readers see the effect as soon as the call is
// answered, small transactions then update the comments, and meanwhile it can be undone.
import { expect, test } from 'vitest'
import { fillComments, makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase, openSqlite } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { inTransaction } from '../database/transaction.ts'
import { GUEST } from '../http/viewer.ts'
import { applyAllHidings, hideCommentsInBlog } from './hidings.ts'
import { selectLastHidden } from './hidings-store.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const carol = viewerOf('carol')
const operator = { ...viewerOf('operator'), accountRole: 'operator' } as const
const COMMENTS = 1000

/** Writes many comments by bob, which triggers count one by one. */
async function start(db: Database) {
  const comments = await makeTestComments(db)
  await comments.write(carol, 'of carol')
  await fillComments(db, 'bob', COMMENTS)
  comments.posts.passSeconds(60)
  const countWithStatus = async (status: string) => {
    const ofBob = db.selectFrom('comment').where('userId', '=', 'bob').where('status', '=', status)
    const { total } = await ofBob
      .select((eb) => eb.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }
  const expectExactCounts = async () => {
    const { stored, counted } = await comments.counts()
    expect(stored).toEqual(counted)
  }
  const listHidings = () => db.selectFrom('commentHiding').selectAll().orderBy('seq').execute()
  const readLast = () => comments.read(GUEST, `c${COMMENTS - 1}`)
  return {
    ...comments,
    countWithStatus,
    expectExactCounts,
    listHidings,
    readLast,
    background: comments.posts.background,
  }
}

describeEachDatabase('hiding all comments by a user', (open) => {
  test('is visible to readers as soon as it is answered, and updates the comments later', async () => {
    await using opened = await open()
    const {
      hideAll,
      applyAllHidings,
      countWithStatus,
      expectExactCounts,
      listHidings,
      readLast,
      page,
      write,
    } = await start(opened.db)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: true })).toBe(COMMENTS)
    expect(await countWithStatus('shown')).toBe(COMMENTS - 100 - 45)
    expect(await readLast()).toMatchObject({ status: 'hidden', content: '', userId: '' })
    const shownComments = (await page(GUEST, { page: 16 })).comments
    expect(
      shownComments.every(({ status, content }) => status === 'hidden' && content === ''),
    ).toBe(true)
    await expect(write(carol, 'to it', { parentId: `c${COMMENTS - 1}` })).rejects.toMatchObject({
      type: 'document_not_found',
    })
    const later = await write(bob, 'after it')
    await applyAllHidings()
    expect(await listHidings()).toEqual([])
    expect([
      await countWithStatus('hidden'),
      await countWithStatus('rejected'),
      await countWithStatus('shown'),
    ]).toEqual([900, 100, 1])
    expect(later.status).toBe('shown')
    await expectExactCounts()
  })

  test('changes nothing when it is undone while it runs; comments hidden before stay hidden', async () => {
    await using opened = await open()
    const {
      hideAll,
      applyAllHidings,
      countWithStatus,
      expectExactCounts,
      update,
      readLast,
      posts,
    } = await start(opened.db)
    await update(alice, 'c998', { status: 'hidden' })
    posts.passSeconds(60)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: true })).toBe(COMMENTS - 1)
    posts.passSeconds(1)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(COMMENTS - 1)
    expect(await readLast()).toMatchObject({ status: 'shown', content: 'words 999' })
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(0)
    await applyAllHidings()
    expect([await countWithStatus('hidden'), await countWithStatus('rejected')]).toEqual([1, 0])
    expect([await countWithStatus('shown'), await countWithStatus('waiting')]).toEqual([899, 100])
    await expectExactCounts()
  })

  test('a comment that is not updated yet cannot be changed; comments by others can', async () => {
    await using opened = await open()
    const { hideAll, update, remove, applyAllHidings, db } = await start(opened.db)
    await hideAll(alice, 'p', { userId: 'bob', isHidden: true })
    const refused = expect.objectContaining({ type: 'general_service_disabled' })
    await expect(update(alice, 'c999', { status: 'shown' })).rejects.toEqual(refused)
    await expect(remove(bob, 'c999')).rejects.toEqual(refused)
    const other = await db
      .selectFrom('comment')
      .select('id')
      .where('userId', '=', 'carol')
      .executeTakeFirstOrThrow()
    expect(await update(alice, other.id, { status: 'hidden' })).toMatchObject({ status: 'hidden' })
    await applyAllHidings()
    expect(await update(alice, 'c999', { status: 'shown' })).toMatchObject({ status: 'shown' })
  })

  test('several processes apply a decision only once, even after a restart', async () => {
    await using opened = await open()
    const { hideAll, context, countWithStatus, expectExactCounts, db } = await start(opened.db)
    await hideAll(operator, 'p', { userId: 'bob', isHidden: true })
    // These contexts stand for other processes.
    const others = Array.from({ length: 3 }, () => ({ ...context, db: db.withoutPlugins() }))
    await Promise.all(others.map((other) => applyAllHidings(other)))
    expect([await countWithStatus('hidden'), await countWithStatus('rejected')]).toEqual([900, 100])
    const entries = db.selectFrom('activity').where('action', '=', 'hidden')
    const { total } = await entries
      .select((eb) => eb.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBe(COMMENTS)
    await expectExactCounts()
  })

  test('a decision about the whole blog is applied and undone, and a block keeps the counts exact', async () => {
    await using opened = await open()
    const {
      context,
      countWithStatus,
      applyAllHidings,
      block,
      expectExactCounts,
      readLast,
      db,
      background,
    } = await start(opened.db)
    const decidedAt = context.now().toISOString()
    const hide = (isHidden: boolean) =>
      inTransaction(db, background, (tx) =>
        hideCommentsInBlog(context, tx, operator, { userId: 'bob', decidedAt, isHidden }),
      )
    await hide(true)
    expect(await countWithStatus('hidden')).toBe(45)
    await db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'bob').execute()
    await db.updateTable('user').set({ isBlocked: 0 }).where('id', '=', 'bob').execute()
    expect(await readLast()).toMatchObject({ status: 'hidden', hiddenBy: 'operator' })
    await hide(false)
    expect(await readLast()).toMatchObject({ status: 'shown' })
    await applyAllHidings()
    expect([await countWithStatus('shown'), await countWithStatus('waiting')]).toEqual([900, 100])
    await expectExactCounts()
    await block('bob', true)
    await expectExactCounts()
    await block('bob', false)
    await expectExactCounts()
  })
})

test('the last hidden comments are found by an index, without a scan', async () => {
  await using opened = await openSqlite()
  const { db } = opened
  for (const isByAuthor of [true, false]) {
    const query = selectLastHidden(db, { userId: 'bob', discussionSeq: 1, isByAuthor })
    const plan = await planOf(db, query.compile(), 'SQLite')
    expect(plan.join()).toContain('commentHiddenAt (userId=? AND discussionSeq=? AND hiddenBy=?)')
  }
})
