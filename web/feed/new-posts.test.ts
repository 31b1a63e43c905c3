import { expect, test } from 'vitest'
import type { ListState } from '../lists/post-lists.ts'
import type { PostSummary } from '../posts/posts-api.ts'
import { isNewIn, mergeFirstPage } from './new-posts.tsx'

/** Posts, each named after the day on which it was created: `9` is newer than `8`. */
function makePosts(days: string, changes: Partial<PostSummary> = {}): PostSummary[] {
  return days
    .split(' ')
    .filter(Boolean)
    .map((day) => ({
      $id: day,
      $createdAt: `2025-11-0${day}T09:00:00.000+00:00`,
      title: day,
      like: 0,
      featuredImage: '',
      status: 'active',
      userid: 'bob',
      userName: 'Bob',
      ...changes,
    }))
}

function makeList(days: string, changes: Partial<ListState> = {}): ListState {
  const posts = makePosts(days)
  return { list: 'feed', viewerId: 'alice', posts, total: 9, isLast: false, ...changes }
}

test.each<[string, Partial<PostSummary>, boolean]>([
  ['9', {}, true],
  ['9', { userid: 'alice' }, false],
  ['9', { status: 'inactive' }, false],
  ['8', {}, false],
  ['6', {}, true],
  ['4', {}, false],
])('in a list with 8, 7 and 5, the post %s %j is new: %j', (day, changes, isNew) => {
  const [post] = makePosts(day, changes)
  expect(post && isNewIn(makeList('8 7 5'), post)).toBe(isNew)
})

test('in a list that shows all posts, an older one is new, too', () => {
  const [older] = makePosts('4')
  expect(older && isNewIn(makeList('8 7', { isLast: true }), older)).toBe(true)
  expect(older && isNewIn(makeList('', { isLast: true }), older)).toBe(true)
})

const days = ({ posts }: ListState) => posts.map(({ $id }) => $id).join(' ')

test('new posts are added at the top, deleted ones are removed, and the posts below stay', () => {
  const page = { posts: makePosts('9 8 6'), total: 8, isLast: false }
  const merged = mergeFirstPage(makeList('8 7 6 5 4', { excerpt: 'of 8', isLast: true }), page)
  expect([days(merged), merged.total, merged.isLast]).toEqual(['9 8 6 5 4', 8, true])
  expect(merged.excerpt).toBe(undefined)
})

test('older posts are removed when posts between them and the new ones are missing', () => {
  const page = { posts: makePosts('9 8 7'), total: 8, isLast: false }
  expect(mergeFirstPage(makeList('4 3'), page)).toMatchObject({ isLast: false })
  expect(days(mergeFirstPage(makeList('4 3'), page))).toBe('9 8 7')
})

test('posts created at the same moment stay on both sides of a page boundary', () => {
  const sameMoment = { $createdAt: '2025-11-08T09:00:00.000+00:00' }
  const page = { posts: makePosts('9 8 7', sameMoment), total: 9, isLast: false }
  const list = { ...makeList(''), posts: makePosts('8 7 6 5', sameMoment) }
  expect(days(mergeFirstPage(list, page))).toBe('9 8 7 6 5')
})

test('a first page that is also the last one is the whole list', () => {
  const page = { posts: makePosts('9 8'), total: 2, isLast: true }
  const merged = mergeFirstPage(makeList('8 7'), page)
  expect([days(merged), merged.isLast]).toEqual(['9 8', true])
})
