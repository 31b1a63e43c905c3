// Hiding all comments of a person, of many comments: readers see it with the answer, comments
// follow in small transactions, and it can be taken back meanwhile.
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

/** With many comments of bob, which triggers count one by one. */
async function start(db: Database) {
  const all = await makeTestComments(db)
  await all.write(carol, 'of carol')
  await fillComments(db, 'bob', COMMENTS)
  all.posts.passSeconds(60)
  const isOf = async (status: string) => {
    const found = db.selectFrom('comment').where('userId', '=', 'bob').where('status', '=', status)
    const { total } = await found
      .select((eb) => eb.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }
  const exact = async () => {
    const { stored, counted } = await all.counts()
    expect(stored).toEqual(counted)
  }
  const waiting = () => db.selectFrom('commentHiding').selectAll().orderBy('seq').execute()
  const readLast = () => all.read(GUEST, `c${COMMENTS - 1}`)
  return { ...all, isOf, exact, waiting, readLast, background: all.posts.background }
}

describeEachDatabase('hiding all of a person', (open) => {
  test('readers see it with the answer, and the rest follows', async () => {
    await using opened = await open()
    const { hideAll, applyAllHidings, isOf, exact, waiting, readLast, page, write } = await start(
      opened.db,
    )
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: true })).toBe(COMMENTS)
    expect(await isOf('shown')).toBe(COMMENTS - 100 - 45)
    expect(await readLast()).toMatchObject({ status: 'hidden', content: '', userId: '' })
    const shown = (await page(GUEST, { page: 16 })).comments
    expect(shown.every(({ status, content }) => status === 'hidden' && content === '')).toBe(true)
    await expect(write(carol, 'to it', { parentId: `c${COMMENTS - 1}` })).rejects.toMatchObject({
      type: 'document_not_found',
    })
    const later = await write(bob, 'after it')
    await applyAllHidings()
    expect(await waiting()).toEqual([])
    expect([await isOf('hidden'), await isOf('rejected'), await isOf('shown')]).toEqual([
      900, 100, 1,
    ])
    expect(later.status).toBe('shown')
    await exact()
  })

  test('taken back while it runs, all is as it was before; what was hidden before stays hidden', async () => {
    await using opened = await open()
    const { hideAll, applyAllHidings, isOf, exact, update, readLast, posts } = await start(
      opened.db,
    )
    await update(alice, 'c998', { status: 'hidden' })
    posts.passSeconds(60)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: true })).toBe(COMMENTS - 1)
    posts.passSeconds(1)
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(COMMENTS - 1)
    expect(await readLast()).toMatchObject({ status: 'shown', content: 'words 999' })
    expect(await hideAll(alice, 'p', { userId: 'bob', isHidden: false })).toBe(0)
    await applyAllHidings()
    expect([await isOf('hidden'), await isOf('rejected')]).toEqual([1, 0])
    expect([await isOf('shown'), await isOf('waiting')]).toEqual([899, 100])
    await exact()
  })

  test('a comment that has yet to follow is not changed by hand; one of others is', async () => {
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

  test('what several processes do at once, and what waited for a restart, is done once', async () => {
    await using opened = await open()
    const { hideAll, context, isOf, exact, db } = await start(opened.db)
    await hideAll(operator, 'p', { userId: 'bob', isHidden: true })
    // As other processes would do it.
    const others = Array.from({ length: 3 }, () => ({ ...context, db: db.withoutPlugins() }))
    await Promise.all(others.map((other) => applyAllHidings(other)))
    expect([await isOf('hidden'), await isOf('rejected')]).toEqual([900, 100])
    const noted = db.selectFrom('activity').where('action', '=', 'hidden')
    const { total } = await noted
      .select((eb) => eb.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
    expect(Number(total)).toBe(COMMENTS)
    await exact()
  })

  test('all that a blocked person wrote in the blog follows, and stays hidden when they return', async () => {
    await using opened = await open()
    const { context, isOf, applyAllHidings, block, exact, readLast, db, background } = await start(
      opened.db,
    )
    const decidedAt = context.now().toISOString()
    const hide = (isHidden: boolean) =>
      inTransaction(db, background, (tx) =>
        hideCommentsInBlog(context, tx, operator, { userId: 'bob', decidedAt, isHidden }),
      )
    await hide(true)
    expect(await isOf('hidden')).toBe(45)
    await db.updateTable('user').set({ isBlocked: 1 }).where('id', '=', 'bob').execute()
    await db.updateTable('user').set({ isBlocked: 0 }).where('id', '=', 'bob').execute()
    expect(await readLast()).toMatchObject({ status: 'hidden', hiddenBy: 'operator' })
    await hide(false)
    expect(await readLast()).toMatchObject({ status: 'shown' })
    await applyAllHidings()
    expect([await isOf('shown'), await isOf('waiting')]).toEqual([900, 100])
    await exact()
    await block('bob', true)
    await exact()
    await block('bob', false)
    await exact()
  })
})

test('what was hidden last is found by an index of hidden comments, not by going through all', async () => {
  await using opened = await openSqlite()
  const { db } = opened
  for (const isByAuthor of [true, false]) {
    const query = selectLastHidden(db, { userId: 'bob', discussionSeq: 1, isByAuthor })
    const plan = await planOf(db, query.compile(), 'SQLite')
    expect(plan.join()).toContain('commentHiddenAt (userId=? AND discussionSeq=? AND hiddenBy=?)')
  }
})
