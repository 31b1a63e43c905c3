// What becomes of a loaded page of comments by answers and events.
import { expect, test } from 'vitest'
import type { CommentDocument, CommentThread } from '#contract/comments.ts'
import {
  findIn,
  withChanged,
  withNew,
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

/** Of two comments, the first with five replies, of which three are there. */
function makePage(values: Partial<ShownComments> = {}): ShownComments {
  const reply = (id: string) => make(id, { parentId: 'c1' })
  const comments: CommentThread[] = [
    { ...make('c1', { replies: 5 }), replyList: ['r1', 'r2', 'r3'].map(reply) },
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
  expect(idsOf(left)).toEqual(['c1 r1 r3', 'c2'])
  expect(left).toMatchObject({ total: 6, comments: [{ replies: 4 }, {}] })
  expect(idsOf(withoutComment(left, 'c2'))).toEqual(['c1 r1 r3'])
})

test('a new comment stands at the end of its page, or at the beginning where the newest are first', () => {
  const written = make('c3', { place: 3 })
  expect(withNew(makePage(), written)).toMatchObject({ total: 8, comments: [{}, {}, written] })
  expect(idsOf(withNew(makePage({ order: 'newest' }), written))[0]).toBe('c3')
  const elsewhere = makePage()
  expect(withNew(elsewhere, make('c51', { place: 51 }))).toBe(elsewhere)
})

test('a new reply stands below its comment and is counted, unless it waits', () => {
  const reply = make('r9', { parentId: 'c1' })
  const page = withNew(makePage(), reply)
  expect(idsOf(page)[0]).toBe('c1 r1 r2 r3 r9')
  expect(page).toMatchObject({ total: 8, comments: [{ replies: 6 }, {}] })
  const waiting = withNew(makePage(), { ...reply, status: 'waiting' })
  expect(waiting).toMatchObject({ total: 7, comments: [{ replies: 5 }, {}] })
})

test('replies that are unfolded stand once each, in their order, and stay when the page is read again', () => {
  const more = ['r5', 'r4', 'r3'].map((id) => make(id, { parentId: 'c1' }))
  const unfolded = withReplies(makePage(), 'c1', more)
  expect(idsOf(unfolded)[0]).toBe('c1 r1 r2 r3 r4 r5')
  expect(idsOf(withUnfolded(makePage(), unfolded))).toEqual(['c1 r1 r2 r3 r4 r5', 'c2'])
  expect(idsOf(withOnly(unfolded, (id) => id !== 'r4' && id !== 'c2'))).toEqual(['c1 r1 r2 r3 r5'])
})
