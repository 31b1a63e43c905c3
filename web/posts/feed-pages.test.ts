import { beforeEach, expect, test } from 'vitest'
import type { PostDocument } from '#contract/posts.ts'
import { addPage, dropFromFeed, type FeedState, forgetFeed, keepFeed, recallFeed, refreshInFeed } from './feed-pages.ts'
import type { PostSummary } from './posts-api.ts'

const EMPTY: FeedState = { viewerId: 'alice', posts: [], total: 0, isEnd: false }

function makeSummary(id: string): PostSummary {
  const $createdAt = '2025-11-18T09:00:00.000+00:00'
  return { $id: id, $createdAt, title: id, featuredImage: 'f1', status: 'active', userid: 'alice', userName: 'Alice', like: 0 }
}

function makePost(overrides: Partial<PostDocument>): PostDocument {
  return { ...makeSummary('p1'), content: '', likeId: [], $updatedAt: '', $permissions: [], $databaseId: '', $collectionId: '', ...overrides }
}

const ids = (state: FeedState | undefined) => state?.posts.map((post) => post.$id)

beforeEach(forgetFeed)

test('pages follow one another until a short one, and no post is shown twice', () => {
  const one = addPage(EMPTY, { posts: [makeSummary('p3'), makeSummary('p2')], total: 4 }, 2)
  expect([ids(one), one.isEnd]).toEqual([['p3', 'p2'], false])
  const two = addPage(one, { posts: [makeSummary('p2'), makeSummary('p1')], total: 4 }, 2)
  expect([ids(two), two.total, two.isEnd]).toEqual([['p3', 'p2', 'p1'], 4, false])
  const three = addPage(two, { posts: [makeSummary('p0')], total: 4 }, 2)
  expect([ids(three), three.isEnd]).toEqual([['p3', 'p2', 'p1', 'p0'], true])
})

test('a full page that is all there is ends the feed, and so does an empty one', () => {
  expect(addPage(EMPTY, { posts: [makeSummary('p2'), makeSummary('p1')], total: 2 }, 2).isEnd).toBe(true)
  expect(addPage(EMPTY, { posts: [], total: 0 }, 2)).toEqual({ ...EMPTY, isEnd: true })
})

test('only the viewer who left the feed finds it again', () => {
  keepFeed(addPage(EMPTY, { posts: [makeSummary('p1')], total: 1 }, 12))
  expect(ids(recallFeed('alice'))).toEqual(['p1'])
  expect(recallFeed('bob')).toBe(undefined)
  forgetFeed()
  expect(recallFeed('alice')).toBe(undefined)
})

test('a card keeps the colour of its image until the image is another one', () => {
  keepFeed(addPage(EMPTY, { posts: [{ ...makeSummary('p1'), imageColor: '#0a14e6' }], total: 1 }, 2))
  refreshInFeed(makePost({ like: 7 }))
  expect(recallFeed('alice')?.posts[0]).toMatchObject({ like: 7, imageColor: '#0a14e6' })
  refreshInFeed(makePost({ featuredImage: 'f2' }))
  expect(recallFeed('alice')?.posts[0]).toMatchObject({ featuredImage: 'f2', imageColor: '' })
})

test('a like shows on its card, and a post made inactive or deleted leaves the feed', () => {
  keepFeed(addPage(EMPTY, { posts: [makeSummary('p2'), makeSummary('p1')], total: 9 }, 2))
  refreshInFeed(makePost({ like: 7 }))
  expect(recallFeed('alice')?.posts.map((post) => post.like)).toEqual([0, 7])
  expect(recallFeed('alice')?.posts[1]).not.toHaveProperty('content')
  refreshInFeed(makePost({ status: 'inactive' }))
  expect([ids(recallFeed('alice')), recallFeed('alice')?.total]).toEqual([['p2'], 8])
  dropFromFeed('p2')
  dropFromFeed('unknown')
  expect([ids(recallFeed('alice')), recallFeed('alice')?.total]).toEqual([[], 7])
})
