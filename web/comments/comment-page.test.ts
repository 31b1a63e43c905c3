// How answers and events change a loaded page of comments.
import { expect, test } from 'vitest'
import type { CommentDocument, CommentThread } from '#contract/comments.ts'
import {
  findIn,
  gapIndexOf,
  withAdded,
  withAllAdded,
  withChanged,
  withKnownHtml,
  withOnly,
  withoutComment,
  withReplies,
  withUnfolded,
} from './comment-page.ts'
import type { ShownComments } from './comments-api.ts'

function makeComment(id: string, values: Partial<CommentDocument> = {}): CommentDocument {
  const times = { $createdAt: `2026-01-01T00:00:0${id.slice(-1)}Z`, $updatedAt: '2026-01-01' }
  const document = { $id: id, $permissions: [], $databaseId: 'blogdb', $collectionId: 'comments' }
  const writer = { userId: 'alice', userName: 'Alice', userAvatar: '' }
  const state = { status: 'shown', hiddenBy: '', hiddenAt: '', editedAt: '' } as const
  const place = { postId: 'p', parentId: '', replies: 0, place: 1, hasLinks: true }
  return { ...document, ...times, ...writer, ...state, ...place, content: id, ...values }
}

/** Two comments. Of five replies to the first, the first two and the newest are loaded. */
function makePage(values: Partial<ShownComments> = {}): ShownComments {
  const reply = (id: string) => makeComment(id, { parentId: 'c1' })
  const comments: CommentThread[] = [
    { ...makeComment('c1', { replies: 5 }), replyList: ['r1', 'r2', 'r5'].map(reply) },
    { ...makeComment('c2', { place: 2 }), replyList: [] },
  ]
  const rights = { state: 'open', canWrite: true, canModerate: false } as const
  const place = { page: 1, pages: 1, order: 'oldest', thread: '' } as const
  return { total: 7, comments, ...place, ...rights, ...values }
}

const idsOf = ({ comments }: ShownComments) =>
  comments.map(({ $id, replyList }) => [$id, ...replyList.map((reply) => reply.$id)].join(' '))

test('a comment that is hidden is no longer counted, one that is shown again is, and an older version changes nothing', () => {
  const hidden = withChanged(
    makePage(),
    makeComment('r1', { status: 'hidden', $updatedAt: '2026-01-02' }),
  )
  expect(hidden.total).toBe(6)
  expect(findIn(hidden, 'r1')?.status).toBe('hidden')
  expect(withChanged(hidden, makeComment('r1'))).toBe(hidden)
  expect(withChanged(hidden, makeComment('r1', { $updatedAt: '2026-01-03' })).total).toBe(7)
  expect(withChanged(hidden, makeComment('c9'))).toBe(hidden)
})

test('a deleted comment is removed, and its thread counts one reply less', () => {
  const left = withoutComment(makePage(), 'r2')
  expect(idsOf(left)).toEqual(['c1 r1 r5', 'c2'])
  expect(left).toMatchObject({ total: 6, comments: [{ replies: 4 }, {}] })
  expect(idsOf(withoutComment(left, 'c2'))).toEqual(['c1 r1 r5'])
})

test('a new comment is added at the end of its page, or at the beginning when the newest come first', () => {
  const written = makeComment('c3', { place: 3 })
  expect(withAdded(makePage(), written)).toMatchObject({ total: 8, comments: [{}, {}, written] })
  expect(idsOf(withAdded(makePage({ order: 'newest' }), written))[0]).toBe('c3')
})

test('a new comment is not added to a page that is full, or that is not the last one', () => {
  const comments = Array.from({ length: 50 }, (_none, at) => {
    return { ...makeComment(`c${at}`, { status: at < 49 ? 'shown' : 'hidden' }), replyList: [] }
  })
  const written = makeComment('c99')
  expect(withAdded(makePage({ comments }), written).comments.length).toBe(51)
  const full = withAdded(makePage({ comments }), written)
  expect(withAdded(full, makeComment('c100'))).toBe(full)
  expect(withAdded(full, makeComment('c100', { status: 'waiting' })).comments.length).toBe(52)
  const earlierPage = makePage({ pages: 2 })
  expect(withAdded(earlierPage, written)).toBe(earlierPage)
})

test('the gap for replies that are not loaded is just before the newest ones, or after the loaded ones', () => {
  const gapAt = (page: ShownComments) => {
    const [thread] = page.comments
    return thread && gapIndexOf(thread)
  }
  expect(gapAt(makePage())).toBe(2)
  expect(gapAt(withAdded(makePage(), makeComment('r9', { parentId: 'c1' })))).toBe(2)
  const reply = (at: number) => makeComment(`s${String(at).padStart(2, '0')}`, { parentId: 'c1' })
  const replyList = Array.from({ length: 51 }, (_none, at) => reply(at))
  expect(gapIndexOf({ ...makeComment('c1', { replies: 99 }), replyList })).toBe(50)
  expect(gapIndexOf({ ...makeComment('c1', { replies: 99 }), replyList: [] })).toBe(0)
})

test('a changed comment does not reuse the HTML of its previous text', () => {
  const served = makeComment('c1', { content: '', html: '<p>old</p>' })
  const page = makePage({ comments: [{ ...served, replyList: [] }] })
  const edited = makeComment('c1', {
    content: 'new',
    editedAt: '2026-01-02',
    $updatedAt: '2026-01-02',
  })
  expect(findIn(withChanged(page, edited), 'c1')).toMatchObject({ content: 'new', html: undefined })
  const linked = makeComment('c1', { content: 'old', hasLinks: false })
  expect(findIn(withChanged(page, linked), 'c1')?.html).toBe(undefined)
  const hidden = makeComment('c1', { content: '', status: 'hidden' })
  expect(findIn(withChanged(page, hidden), 'c1')?.html).toBe(undefined)
})

test('a served comment that did not change keeps its HTML when it is loaded again', () => {
  const served = makeComment('c1', { content: '', html: '<p>old</p>' })
  const page = makePage({ comments: [{ ...served, replyList: [] }] })
  const reloaded = makePage({
    comments: [{ ...makeComment('c1', { content: 'old' }), replyList: [] }],
  })
  const known = { content: 'old', html: '<p>old</p>' }
  expect(findIn(withKnownHtml(reloaded, page), 'c1')).toMatchObject(known)
  expect(findIn(withChanged(page, makeComment('c1', { content: 'old' })), 'c1')).toMatchObject(
    known,
  )
})

test('a new reply is added below its comment, and is counted unless it waits for approval', () => {
  const reply = makeComment('r9', { parentId: 'c1' })
  const page = withAdded(makePage(), reply)
  expect(idsOf(page)[0]).toBe('c1 r1 r2 r5 r9')
  expect(page).toMatchObject({ total: 8, comments: [{ replies: 6 }, {}] })
  const waiting = withAdded(makePage(), { ...reply, status: 'waiting' })
  expect(waiting).toMatchObject({ total: 7, comments: [{ replies: 5 }, {}] })
})

test('unfolded replies appear once each, in their order, and stay when the page is loaded again', () => {
  const more = ['r4', 'r3', 'r2'].map((id) => makeComment(id, { parentId: 'c1' }))
  const unfolded = withReplies(makePage(), 'c1', more)
  expect(idsOf(unfolded)[0]).toBe('c1 r1 r2 r3 r4 r5')
  expect(idsOf(withUnfolded(makePage(), unfolded))).toEqual(['c1 r1 r2 r3 r4 r5', 'c2'])
  expect(idsOf(withOnly(unfolded, (id) => id !== 'r4' && id !== 'c2'))).toEqual(['c1 r1 r2 r3 r5'])
})

test('comments by others are added to the page in their order; its total already counts them', () => {
  const newComments = [makeComment('c3', { place: 3 }), makeComment('r9', { parentId: 'c3' })]
  const page = withAllAdded(makePage(), newComments)
  expect(page && idsOf(page)).toEqual(['c1 r1 r2 r5', 'c2', 'c3 r9'])
  expect(page?.total).toBe(7)
})

test('comments by others that belong on another page are not added', () => {
  const reply = makeComment('r9', { parentId: 'c8' })
  expect(withAllAdded(makePage(), [reply])).toBe(undefined)
  expect(withAllAdded(makePage({ pages: 2 }), [makeComment('c3')])).toBe(undefined)
  const thread = makePage({ thread: 'c1', pages: 2 })
  expect(withAllAdded(thread, [makeComment('r9', { parentId: 'c1' })])).toBe(undefined)
})
