// What becomes of a loaded page of comments by answers and events.
import { expect, test } from 'vitest'
import type { CommentDocument, CommentThread } from '#contract/comments.ts'
import {
  findIn,
  gapOf,
  withChanged,
  withKnownHtml,
  withNew,
  withNews,
  withOnly,
  withoutComment,
  withReplies,
  withUnfolded,
} from './comment-page.ts'
import type { ShownComments } from './comments-api.ts'

function make(id: string, values: Partial<CommentDocument> = {}): CommentDocument {
  const times = { $createdAt: `2026-01-01T00:00:0${id.slice(-1)}Z`, $updatedAt: '2026-01-01' }
  const document = { $id: id, $permissions: [], $databaseId: 'blogdb', $collectionId: 'comments' }
  const writer = { userId: 'alice', userName: 'Alice', userAvatar: '' }
  const state = { status: 'shown', hiddenBy: '', hiddenAt: '', editedAt: '' } as const
  const place = { postId: 'p', parentId: '', replies: 0, place: 1, hasLinks: true }
  return { ...document, ...times, ...writer, ...state, ...place, content: id, ...values }
}

/** Of two comments, the first with five replies: the first two and the newest are there. */
function makePage(values: Partial<ShownComments> = {}): ShownComments {
  const reply = (id: string) => make(id, { parentId: 'c1' })
  const comments: CommentThread[] = [
    { ...make('c1', { replies: 5 }), replyList: ['r1', 'r2', 'r5'].map(reply) },
    { ...make('c2', { place: 2 }), replyList: [] },
  ]
  const rights = { state: 'open', canWrite: true, canModerate: false } as const
  const place = { page: 1, pages: 1, order: 'oldest', thread: '' } as const
  return { total: 7, comments, ...place, ...rights, ...values }
}

const idsOf = ({ comments }: ShownComments) =>
  comments.map(({ $id, replyList }) => [$id, ...replyList.map((reply) => reply.$id)].join(' '))

test('a hidden comment counts no more, a shown one does again, and what is older changes nothing', () => {
  const hidden = withChanged(makePage(), make('r1', { status: 'hidden', $updatedAt: '2026-01-02' }))
  expect(hidden.total).toBe(6)
  expect(findIn(hidden, 'r1')?.status).toBe('hidden')
  expect(withChanged(hidden, make('r1'))).toBe(hidden)
  expect(withChanged(hidden, make('r1', { $updatedAt: '2026-01-03' })).total).toBe(7)
  expect(withChanged(hidden, make('c9'))).toBe(hidden)
})

test('a deleted comment goes, and its thread counts one reply less', () => {
  const left = withoutComment(makePage(), 'r2')
  expect(idsOf(left)).toEqual(['c1 r1 r5', 'c2'])
  expect(left).toMatchObject({ total: 6, comments: [{ replies: 4 }, {}] })
  expect(idsOf(withoutComment(left, 'c2'))).toEqual(['c1 r1 r5'])
})

test('a new comment stands at the end of its page, or at the beginning where the newest are first', () => {
  const written = make('c3', { place: 3 })
  expect(withNew(makePage(), written)).toMatchObject({ total: 8, comments: [{}, {}, written] })
  expect(idsOf(withNew(makePage({ order: 'newest' }), written))[0]).toBe('c3')
})

test('a new comment is not on a page that is full, or is not the last one', () => {
  const comments = Array.from({ length: 50 }, (_none, at) => {
    return { ...make(`c${at}`, { status: at < 49 ? 'shown' : 'hidden' }), replyList: [] }
  })
  const written = make('c99')
  expect(withNew(makePage({ comments }), written).comments.length).toBe(51)
  const full = withNew(makePage({ comments }), written)
  expect(withNew(full, make('c100'))).toBe(full)
  expect(withNew(full, make('c100', { status: 'waiting' })).comments.length).toBe(52)
  const elsewhere = makePage({ pages: 2 })
  expect(withNew(elsewhere, written)).toBe(elsewhere)
})

test('replies are left out before the newest ones, behind all that were put in', () => {
  const gapAt = (page: ShownComments) => {
    const [thread] = page.comments
    return thread && gapOf(thread)
  }
  expect(gapAt(makePage())).toBe(2)
  expect(gapAt(withNew(makePage(), make('r9', { parentId: 'c1' })))).toBe(2)
  const reply = (at: number) => make(`s${String(at).padStart(2, '0')}`, { parentId: 'c1' })
  const replyList = Array.from({ length: 51 }, (_none, at) => reply(at))
  expect(gapOf({ ...make('c1', { replies: 99 }), replyList })).toBe(50)
  expect(gapOf({ ...make('c1', { replies: 99 }), replyList: [] })).toBe(0)
})

test('a changed comment is not shown by the HTML of its words before', () => {
  const served = make('c1', { content: '', html: '<p>old</p>' })
  const page = makePage({ comments: [{ ...served, replyList: [] }] })
  const edited = make('c1', { content: 'new', editedAt: '2026-01-02', $updatedAt: '2026-01-02' })
  expect(findIn(withChanged(page, edited), 'c1')).toMatchObject({ content: 'new', html: undefined })
  const linked = make('c1', { content: 'old', hasLinks: false })
  expect(findIn(withChanged(page, linked), 'c1')?.html).toBe(undefined)
  const hidden = make('c1', { content: '', status: 'hidden' })
  expect(findIn(withChanged(page, hidden), 'c1')?.html).toBe(undefined)
})

test('a served comment that did not change keeps its HTML when it is asked for again', () => {
  const served = make('c1', { content: '', html: '<p>old</p>' })
  const page = makePage({ comments: [{ ...served, replyList: [] }] })
  const again = makePage({ comments: [{ ...make('c1', { content: 'old' }), replyList: [] }] })
  const known = { content: 'old', html: '<p>old</p>' }
  expect(findIn(withKnownHtml(again, page), 'c1')).toMatchObject(known)
  expect(findIn(withChanged(page, make('c1', { content: 'old' })), 'c1')).toMatchObject(known)
})

test('a new reply stands below its comment and is counted, unless it waits', () => {
  const reply = make('r9', { parentId: 'c1' })
  const page = withNew(makePage(), reply)
  expect(idsOf(page)[0]).toBe('c1 r1 r2 r5 r9')
  expect(page).toMatchObject({ total: 8, comments: [{ replies: 6 }, {}] })
  const waiting = withNew(makePage(), { ...reply, status: 'waiting' })
  expect(waiting).toMatchObject({ total: 7, comments: [{ replies: 5 }, {}] })
})

test('replies that are unfolded stand once each, in their order, and stay when the page is read again', () => {
  const more = ['r4', 'r3', 'r2'].map((id) => make(id, { parentId: 'c1' }))
  const unfolded = withReplies(makePage(), 'c1', more)
  expect(idsOf(unfolded)[0]).toBe('c1 r1 r2 r3 r4 r5')
  expect(idsOf(withUnfolded(makePage(), unfolded))).toEqual(['c1 r1 r2 r3 r4 r5', 'c2'])
  expect(idsOf(withOnly(unfolded, (id) => id !== 'r4' && id !== 'c2'))).toEqual(['c1 r1 r2 r3 r5'])
})

test('comments of others are put into the page in their places, and counted once', () => {
  const news = [make('c3', { place: 3 }), make('r9', { parentId: 'c3' })]
  const page = withNews(makePage(), news)
  expect(page && idsOf(page)).toEqual(['c1 r1 r2 r5', 'c2', 'c3 r9'])
  expect(page?.total).toBe(7)
})

test('comments of others that belong on another page are not put in', () => {
  const reply = make('r9', { parentId: 'c8' })
  expect(withNews(makePage(), [reply])).toBe(undefined)
  expect(withNews(makePage({ pages: 2 }), [make('c3')])).toBe(undefined)
  const thread = makePage({ thread: 'c1', pages: 2 })
  expect(withNews(thread, [make('r9', { parentId: 'c1' })])).toBe(undefined)
})
