// Pages and lists of comments on both databases: what each viewer finds on them, and that they are
// ranges of an index, which cost the same with a million comments.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { COMMENTS_PAGE, type CommentDocument, type CommentPage } from '#contract/comments.ts'
import { makeTestComments } from '#test/support/comments.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { planOf } from '#test/support/plans.ts'
import { viewerOf } from '#test/support/posts.ts'
import type { Database } from '../database/schema.ts'
import { selectWaitingDiscussions } from '../database/waiting-discussions.ts'
import { GUEST } from '../http/viewer.ts'
import { undoApproval } from '../moderation/moderate-comments.ts'
import * as lists from './comment-list-store.ts'
import { readPersonalView } from './comment-page.ts'

const alice = viewerOf('alice')
const bob = viewerOf('bob')
const operator = { ...viewerOf('operator'), accountRole: 'operator' } as const
const contentsOf = (list: CommentDocument[]) => list.map(({ content }) => content)
const contents = ({ comments }: CommentPage) => contentsOf(comments)

/** Adds `count` comments by bob after the existing ones, with the ids `c1`, `c2`… */
async function fill(
  db: Database,
  count: number,
  { parentId = '', status = 'shown', from = 1 } = {},
) {
  const isCounted = Number(status === 'shown')
  await sql`with recursive number(at) as
      (select cast(${from} as integer) union all select at + 1 from number where at < cast(${from + count - 1} as integer))
    insert into comment (id, "discussionSeq", "parentId", place, "userId", status, "isCounted", "hasLinks",
      digest, "createdAt", "updatedAt", content)
    select ${parentId === '' ? 'c' : `${parentId}-r`} || at, (select seq from discussion where "postId" = 'p'),
      ${parentId}, at, 'bob', ${status}, cast(${isCounted} as integer), 1, '', '2023-11-20T13:37:00.000Z',
      '2023-11-20T13:37:00.000Z', 'words ' || at from number`.execute(db)
  const last = { lastPlace: from + count - 1 }
  const shownCount = isCounted ? count : 0
  if (parentId === '')
    await db
      .updateTable('discussion')
      .set((eb) => ({
        ...last,
        shown: eb('shown', '+', shownCount),
        threads: eb('threads', '+', shownCount),
      }))
      .execute()
  else {
    const parent = db.updateTable('comment').where('id', '=', parentId)
    await parent.set({ ...last, replies: shownCount }).execute()
    await db
      .updateTable('discussion')
      .set((eb) => ({ shown: eb('shown', '+', shownCount) }))
      .execute()
  }
  await countBlocks(db)
}

/** Counts the blocks of all levels, as triggers do for comments that are added one by one. */
async function countBlocks(db: Database) {
  await db.deleteFrom('commentBlock').execute()
  await sql`insert into "commentBlock" ("discussionSeq", "parentId", block, listed)
    select "discussionSeq", "parentId", place / 1000, count(*) from comment
    where "isCounted" = 1 or replies > 0 group by 1, 2, 3`.execute(db)
}

async function start(db: Database) {
  const comments = await makeTestComments(db)
  await comments.close(alice, 'p', false)
  return comments
}

describeEachDatabase('pages of comments', (open, name) => {
  test('a page has 50 comments; a page that does not exist is the first', async () => {
    await using opened = await open()
    const { page } = await start(opened.db)
    await fill(opened.db, 2 * COMMENTS_PAGE + 20)
    const first = await page(GUEST)
    expect([first.page, first.pages, first.total, first.comments.length]).toEqual([1, 3, 120, 50])
    expect((await page(GUEST, { page: 4 })).page).toBe(1)
  })

  test('the comments after a deleted one move up by a position', async () => {
    await using opened = await open()
    const { page, remove } = await start(opened.db)
    await fill(opened.db, 2 * COMMENTS_PAGE)
    await remove(operator, 'c7')
    expect(contents(await page(GUEST)).slice(5, 7)).toEqual(['words 6', 'words 8'])
    expect(contents(await page(GUEST, { page: 2 }))[0]).toBe('words 52')
  })

  test('in the order newest first, the last page is shown first', async () => {
    await using opened = await open()
    const { page } = await start(opened.db)
    await fill(opened.db, 2 * COMMENTS_PAGE + 20)
    const newest = await page(GUEST, { order: 'newest' })
    expect([newest.page, contents(newest)[0], contents(newest).at(-1)]).toEqual([
      3,
      'words 120',
      'words 101',
    ])
    expect(contents(await page(GUEST, { order: 'newest', page: 1 }))[0]).toBe('words 50')
  })

  test('a comment id selects its page; an unknown or deleted one selects the first', async () => {
    await using opened = await open()
    const { page, remove } = await start(opened.db)
    await fill(opened.db, 2 * COMMENTS_PAGE)
    await remove(operator, 'c77')
    expect((await page(GUEST, { comment: 'c78' })).page).toBe(2)
    for (const comment of ['c77', 'none', '', '\0', '€'])
      expect((await page(GUEST, { comment })).page).toBe(1)
  })

  test.each(['deleted', 'waiting', 'rejected', 'hidden'])(
    'comments that are %s leave no page empty, and can still be found by id unless deleted',
    async (status) => {
      await using opened = await open()
      const { db } = opened
      const { page, write, remove } = await start(db)
      await fill(db, 120, { status: status === 'deleted' ? 'shown' : status })
      if (status === 'deleted') for (let at = 1; at <= 120; at++) await remove(operator, `c${at}`)
      for (const content of ['one', 'two', 'three']) await write(alice, content)
      const guestPage = await page(GUEST)
      expect([guestPage.total, guestPage.page, guestPage.pages]).toEqual([3, 1, 1])
      expect(contents(guestPage).filter(Boolean)).toEqual(['one', 'two', 'three'])
      const isKnown = status === 'waiting' || status === 'rejected'
      const unlisted = { guests: status === 'hidden' ? 20 : 0, writer: isKnown ? 20 : 0 }
      expect(guestPage.comments.length).toBe(3 + unlisted.guests)
      const ownComments = (await page(bob)).comments.filter(({ userId }) => userId === 'bob')
      expect(ownComments.length).toBe(status === 'hidden' ? 20 : unlisted.writer)
      if (status !== 'deleted') {
        const pageOfComment = await page(alice, { comment: 'c77' })
        expect(pageOfComment.comments.map(({ $id }) => $id)).toContain('c77')
      }
    },
  )

  test('replies stay readable when their comment is deleted, hidden or waits again', async () => {
    await using opened = await open()
    const { page, write, remove, update, context } = await start(opened.db)
    const count = COMMENTS_PAGE + 10
    for (let at = 0; at < count; at++) {
      const { $id } = await write(bob, `words ${at}`)
      await write(alice, `reply ${at}`, { parentId: $id })
      if (at % 3 === 0) await remove(bob, $id)
      else if (at % 3 === 1) await update(alice, $id, { status: 'hidden' })
      else await undoApproval(context, operator, $id)
    }
    const pages = []
    for (const number of [1, 2]) pages.push(await page(GUEST, { page: number }))
    expect(pages.map(({ pages: all, total }) => [all, total])).toEqual(Array(2).fill([2, count]))
    const replies = pages.flatMap(({ comments }) => comments.flatMap(({ replyList }) => replyList))
    expect(replies.map(({ content }) => content)).toEqual(
      Array.from({ length: count }, (_, at) => `reply ${at}`),
    )
  })

  test('a deleted comment is removed with its last reply', async () => {
    await using opened = await open()
    const { db, page, write, remove, update, context } = await start(opened.db)
    const ids = []
    for (let at = 0; at < 3; at++) {
      const { $id } = await write(bob, `words ${at}`)
      await write(alice, `reply ${at}`, { parentId: $id })
      ids.push($id)
    }
    const [deleted = '', hidden = '', waiting = ''] = ids
    await remove(bob, deleted)
    await update(alice, hidden, { status: 'hidden' })
    await undoApproval(context, operator, waiting)
    expect((await page(GUEST)).total).toBe(3)
    await db.deleteFrom('comment').where('parentId', '!=', '').execute()
    expect((await page(GUEST)).total).toBe(0)
  })

  /** 60 comments, 70 replies to `c55` and two to `c56`. */
  async function startWithReplies(db: Database) {
    const comments = await start(db)
    await fill(db, 60)
    await fill(db, 70, { parentId: 'c55' })
    await fill(db, 2, { parentId: 'c56' })
    return comments
  }

  test('below a comment are its first two replies and its last one', async () => {
    await using opened = await open()
    const { page } = await startWithReplies(opened.db)
    const second = await page(GUEST, { comment: 'c55-r2' })
    const answered = second.comments.filter(({ replyList }) => replyList.length > 0)
    expect([second.page, second.thread, second.total]).toEqual([2, '', 132])
    expect(
      answered.map(({ $id, replies, replyList }) => [$id, replies, contentsOf(replyList)]),
    ).toEqual([
      ['c55', 70, ['words 1', 'words 2', 'words 70']],
      ['c56', 2, ['words 1', 'words 2']],
    ])
    expect((await page(GUEST, { comment: 'c55-r70' })).thread).toBe('')
  })

  test('the replies to a comment have pages of their own', async () => {
    await using opened = await open()
    const { page } = await startWithReplies(opened.db)
    const thread = await page(GUEST, { thread: 'c55' })
    expect([thread.thread, thread.page, thread.pages]).toEqual(['c55', 1, 2])
    expect(thread.comments).toMatchObject([{ $id: 'c55', replies: 70 }])
    expect(thread.comments[0]?.replyList.length).toBe(COMMENTS_PAGE)
    for (const other of ['c55-r2', 'none'])
      expect((await page(GUEST, { thread: other })).thread).toBe('')
  })

  test('a reply that is not below its comment is found on its page of replies', async () => {
    await using opened = await open()
    const { page } = await startWithReplies(opened.db)
    const inside = await page(GUEST, { comment: 'c55-r66' })
    expect([inside.thread, inside.page]).toEqual(['c55', 2])
    expect(inside.comments[0]?.replyList.map(({ $id }) => $id)).toContain('c55-r66')
  })

  type Query = [method: string, attribute: string | undefined, value?: unknown]
  const OF_POST: Query = ['equal', 'postId', 'p']
  const OF_LEVEL: Query = ['equal', 'parentId', 'c2']
  const NEWEST: Query = ['orderDesc', '$createdAt']

  /** Five comments, of which `c2` has four replies. */
  async function startWithList(db: Database) {
    const comments = await start(db)
    await fill(db, 5)
    await fill(db, 4, { parentId: 'c2' })
    const listIds = async (...queries: Query[]) => {
      const texts = queries.map(([method, attribute, value]) =>
        JSON.stringify({
          method,
          ...(attribute && { attribute }),
          values: value === undefined ? [] : [value],
        }),
      )
      const { total, documents } = await comments.list(GUEST, texts)
      return [total, documents.map(({ $id }) => $id).join(' ')]
    }
    return { ...comments, listIds }
  }

  test('a list is paged by cursors both ways', async () => {
    await using opened = await open()
    const { listIds } = await startWithList(opened.db)
    expect(await listIds(OF_POST, ['limit', undefined, 2])).toEqual([9, 'c1 c2'])
    const after = await listIds(OF_POST, ['cursorAfter', undefined, 'c4'])
    expect(after).toEqual([9, 'c5 c2-r1 c2-r2 c2-r3 c2-r4'])
    const before: Query[] = [
      ['limit', undefined, 2],
      ['cursorBefore', undefined, 'c1'],
    ]
    expect(await listIds(OF_POST, NEWEST, ...before)).toEqual([9, 'c3 c2'])
  })

  test('a list has the comments of one level: those of the post, or the replies to a comment', async () => {
    await using opened = await open()
    const { listIds } = await startWithList(opened.db)
    expect(await listIds(OF_POST, ['equal', 'parentId', ''])).toEqual([5, 'c1 c2 c3 c4 c5'])
    expect(await listIds(OF_POST, OF_LEVEL, NEWEST)).toEqual([4, 'c2-r4 c2-r3 c2-r2 c2-r1'])
    const after = await listIds(OF_POST, OF_LEVEL, ['cursorAfter', undefined, 'c2-r3'])
    expect(after).toEqual([4, 'c2-r4'])
  })

  test('a cursor from another post, or from none, is not found', async () => {
    await using opened = await open()
    const { listIds, posts, close, write } = await startWithList(opened.db)
    await posts.write(alice, 'q')
    await close(alice, 'q', false)
    const other = await write(bob, 'other', { postId: 'q' })
    for (const cursor of [other.$id, 'none'])
      await expect(listIds(OF_POST, ['cursorAfter', undefined, cursor])).rejects.toMatchObject({
        type: 'general_cursor_not_found',
      })
  })

  test('a list refuses other conditions, orders and offsets', async () => {
    await using opened = await open()
    const { listIds } = await startWithList(opened.db)
    const bad: Query[][] = [
      [OF_LEVEL],
      [OF_POST, ['offset', undefined, 1]],
      [OF_POST, ['equal', 'content', 'x']],
      [OF_POST, ['orderAsc', 'postId']],
      [OF_POST, ['notEqual', 'parentId', 'x']],
    ]
    for (const queries of bad)
      await expect(listIds(...queries)).rejects.toMatchObject({ type: 'general_argument_invalid' })
  })

  const WAITING = [JSON.stringify({ method: 'equal', attribute: 'status', values: ['waiting'] })]

  test('operators can list comments that wait, oldest first; nobody else can', async () => {
    await using opened = await open()
    const { list } = await start(opened.db)
    await fill(opened.db, 3, { status: 'waiting' })
    const { total, documents } = await list(operator, WAITING)
    expect([total, documents.map(({ $id }) => $id)]).toEqual([3, ['c1', 'c2', 'c3']])
    for (const viewer of [GUEST, bob, alice])
      await expect(list(viewer, WAITING)).rejects.toMatchObject({
        type: 'general_unauthorized_scope',
      })
  })

  test('comments of a deleted post are not listed as waiting', async () => {
    await using opened = await open()
    const { list, posts } = await start(opened.db)
    await fill(opened.db, 3, { status: 'waiting' })
    await posts.remove(alice, 'p', { unlessNewerThan: undefined })
    expect((await list(operator, WAITING)).documents).toEqual([])
  })

  /** Which of alice, the operator, bob and another member have a page of their own. */
  async function listNamesWithOwnPage(db: Database) {
    const names: string[] = []
    for (const viewer of [alice, operator, bob, viewerOf('other')])
      if ((await readPersonalView(db, viewer, 'p')).seesUnlisted) names.push(viewer.userId)
    return names
  }

  test('while all comments are shown, nobody has a page of their own', async () => {
    await using opened = await open()
    await start(opened.db)
    await fill(opened.db, 2)
    expect(await listNamesWithOwnPage(opened.db)).toEqual([])
  })

  test('while a writer is blocked, author and operators have a page of their own', async () => {
    await using opened = await open()
    const { block } = await start(opened.db)
    await fill(opened.db, 2)
    await block('bob', true)
    expect(await listNamesWithOwnPage(opened.db)).toEqual(
      expect.arrayContaining(['alice', 'operator']),
    )
    expect(await listNamesWithOwnPage(opened.db)).not.toContain('other')
    await block('bob', false)
    expect(await listNamesWithOwnPage(opened.db)).toEqual([])
  })

  test('while a comment waits, author, operators and its writer have a page of their own', async () => {
    await using opened = await open()
    await start(opened.db)
    await fill(opened.db, 1, { status: 'waiting' })
    expect(await listNamesWithOwnPage(opened.db)).toEqual(['alice', 'operator', 'bob'])
  })

  test('no query scans or sorts all comments', async () => {
    await using opened = await open()
    const { db } = opened
    await start(db)
    await fill(db, 3000)
    await fill(db, 3000, { parentId: 'c9' })
    await fill(db, 2000, { status: 'waiting', from: 3001 })
    if (name === 'PostgreSQL') await sql`analyze`.execute(db)
    const scopes = [{ ownId: undefined }, { ownId: 'bob' }, 'all'] as const
    const discussionSeq = Number(
      (await db.selectFrom('discussion').select('seq').executeTakeFirstOrThrow()).seq,
    )
    const cursor = { at: 100, side: 'after' } as const
    const page = { direction: 'desc', limit: 50, cursor } as const
    const level = { discussionSeq, parentId: '', limit: 50 }
    const blocks = await lists.listBlocks(db, discussionSeq, '')
    const compiled = [
      lists.selectListed(db, { ...level, blocks, skip: 2400 }).compile(),
      lists.selectNewest(db, level).compile(),
      lists.selectWaiting(db, 'avatars', page).compile(),
      lists.selectPersonalView(db, { postId: 'p', userId: 'bob' }, true).compile(),
      lists.selectPersonalView(db, { postId: 'p', userId: 'bob' }, false).compile(),
      selectWaitingDiscussions(db, lists.WAITING_COMMENTS).compile(db),
      ...scopes.flatMap((scope) => [
        lists.selectUnlisted(db, { ...level, from: 951, to: 4000, scope }).compile(),
        lists.selectList(db, { ...page, discussionSeq, parentId: undefined, scope }).compile(),
        lists.selectList(db, { ...page, discussionSeq, parentId: 'c9', scope }).compile(),
        lists
          .selectFirstReplies(db, { discussionSeq, parentIds: ['c9', 'c8'], limit: 3, scope })
          .compile(db),
      ]),
    ]
    for (const query of compiled) {
      const plan = await planOf(db, query, name)
      const faults = plan.filter((step) =>
        /SCAN comment\b(?! USING INDEX commentWaiting)|Seq Scan on comment|TEMP B-TREE|Bitmap/.test(
          step,
        ),
      )
      expect({ sql: query.sql, faults, plan: faults.length > 0 ? plan : [] }).toEqual({
        sql: query.sql,
        faults: [],
        plan: [],
      })
    }
  })
})
