import { beforeEach, describe, expect, test } from 'vitest'
import type { PostDocument } from '#contract/posts.ts'
import { type Failure, fail, succeed } from '../api/client.ts'
import { snapshots } from '../api/history-snapshots.ts'
import type { PostSummary, SummaryPage } from '../posts/posts-api.ts'
import {
  addPage,
  cursorCandidates,
  emptyList,
  findListSnapshot,
  forgetFeed,
  isCursorGone,
  type ListState,
  listAfter,
  refreshInFeed,
  removeFromLists,
  saveListSnapshot,
  totalShown,
} from './post-lists.ts'

const FEED = { list: 'feed', viewerId: 'alice' } as const
const OWN = { list: 'own', viewerId: 'alice' } as const
const GONE: Failure = { message: 'Cursor not found', code: 400, type: 'general_cursor_not_found' }
const BROKEN: Failure = { message: 'Failed to fetch', code: 0, type: '' }

function makeSummary(id: string): PostSummary {
  const $createdAt = '2025-11-18T09:00:00.000+00:00'
  return {
    $id: id,
    $createdAt,
    title: id,
    featuredImage: 'f1',
    status: 'active',
    userid: 'alice',
    userName: 'Alice',
    like: 0,
  }
}

function makePage(ids: string, overrides: Partial<SummaryPage> = {}): SummaryPage {
  return {
    posts: ids.split(' ').filter(Boolean).map(makeSummary),
    total: 9,
    isLast: false,
    ...overrides,
  }
}

function makePost(overrides: Partial<PostDocument>): PostDocument {
  return {
    ...makeSummary('p1'),
    content: '',
    likeId: [],
    $updatedAt: '',
    publishedAt: null,
    $permissions: [],
    $databaseId: '',
    $collectionId: '',
    ...overrides,
  }
}

const ids = (state: ListState | undefined) => state?.posts.map((post) => post.$id)
const restored = () => findListSnapshot('k', FEED)

beforeEach(() => snapshots.clear())

test('pages are added until the last one, and no post is shown twice', () => {
  const onePage = addPage(emptyList(FEED), makePage('p3 p2'))
  expect([ids(onePage), onePage.isLast]).toEqual([['p3', 'p2'], false])
  const twoPages = addPage(onePage, makePage('p2 p1'))
  expect([ids(twoPages), twoPages.isLast]).toEqual([['p3', 'p2', 'p1'], false])
  const threePages = addPage(twoPages, makePage('p0', { isLast: true }))
  expect([ids(threePages), threePages.isLast]).toEqual([['p3', 'p2', 'p1', 'p0'], true])
})

test('a post deleted while it is on screen does not end the list early', () => {
  const state = addPage(
    addPage(emptyList(FEED), makePage('p4 p3', { total: 5 })),
    makePage('p2 p1', { total: 4 }),
  )
  expect([state.isLast, totalShown(state)]).toEqual([false, 5])
  const end = addPage(state, makePage('p0', { total: 4, isLast: true }))
  expect([ids(end), end.isLast, totalShown(end)]).toEqual([['p4', 'p3', 'p2', 'p1', 'p0'], true, 5])
})

test('an empty last page ends the list', () => {
  expect(addPage(emptyList(FEED), makePage('', { total: 0, isLast: true }))).toEqual({
    ...emptyList(FEED),
    isLast: true,
  })
})

describe('the page after a post that was deleted', () => {
  async function listWithFailures(cursors: string[], failures: Record<string, Failure>) {
    const triedCursors: (string | undefined)[] = []
    const page = await listAfter(async (after = '') => {
      triedCursors.push(after)
      const failure = failures[after]
      return failure ? fail(failure) : succeed(makePage('p0'))
    }, cursors)
    return { triedCursors, ids: page.ok ? page.value.posts.map(({ $id }) => $id) : undefined }
  }

  test('is the page after an earlier post', async () => {
    expect(await listWithFailures(['p1', 'p2', 'p4'], { p1: GONE, p2: GONE })).toEqual({
      triedCursors: ['p1', 'p2', 'p4'],
      ids: ['p0'],
    })
  })
  test('is not searched for when there was no answer', async () => {
    expect(await listWithFailures(['p1', 'p2'], { p1: BROKEN })).toEqual({
      triedCursors: ['p1'],
      ids: undefined,
    })
  })
  test('is not shown when none of the earlier posts exists', async () => {
    expect(await listWithFailures(['p1', 'p2'], { p1: GONE, p2: GONE })).toEqual({
      triedCursors: ['p1', 'p2'],
      ids: undefined,
    })
  })
  test('begins less than a page before the end of the list', () => {
    const { posts } = makePage('a b c d e f g h i j')
    expect(cursorCandidates(posts, 12)).toEqual(['j', 'i', 'g', 'c'])
    expect(cursorCandidates(posts, 4)).toEqual(['j', 'i'])
    expect(cursorCandidates(posts.slice(0, 1), 12)).toEqual(['a'])
  })
})

test.each([
  [GONE, true],
  [{ message: 'x', code: 400, type: 'general_query_invalid' }, true],
  [BROKEN, false],
  [{ message: 'x', code: 500, type: 'general_unknown' }, false],
])('%j means that the post of the cursor is gone: %j', (failure, isGone) => {
  expect(isCursorGone(failure)).toBe(isGone)
})

test('only the viewer who left a list finds it again, only in its history entry, and only until it is forgotten', () => {
  saveListSnapshot('k', addPage(emptyList(FEED), makePage('p1')))
  expect(ids(restored())).toEqual(['p1'])
  expect(findListSnapshot('other', FEED)).toBe(undefined)
  expect(findListSnapshot('k', { ...FEED, viewerId: 'bob' })).toBe(undefined)
  expect(findListSnapshot('k', { ...FEED, after: 'p9' })).toBe(undefined)
  expect(findListSnapshot('k', OWN)).toBe(undefined)
  forgetFeed()
  expect(restored()).toBe(undefined)
})

test.each([
  {},
  { list: 'feed' },
  { ...emptyList(FEED), posts: [{ $id: 'p1' }] },
  { ...emptyList(FEED), total: '9' },
])('a snapshot from another version of the app (%j) is not shown', (value) => {
  snapshots.save('k', value)
  expect(restored()).toBe(undefined)
})

test('a card keeps the colour of its image until the image changes', () => {
  saveListSnapshot(
    'k',
    addPage(emptyList(FEED), {
      ...makePage(''),
      posts: [{ ...makeSummary('p1'), imageColor: '#0a14e6' }],
    }),
  )
  refreshInFeed(makePost({ like: 7 }))
  expect(restored()?.posts[0]).toMatchObject({ like: 7, imageColor: '#0a14e6' })
  refreshInFeed(makePost({ featuredImage: 'f2' }))
  expect(restored()?.posts[0]).toMatchObject({ featuredImage: 'f2', imageColor: '' })
})

test('a card shows a new like, and a post that becomes inactive or is deleted leaves the feed', () => {
  saveListSnapshot('k', addPage(emptyList(FEED), makePage('p2 p1')))
  refreshInFeed(makePost({ like: 7 }))
  expect(restored()?.posts.map((post) => post.like)).toEqual([0, 7])
  expect(restored()?.posts[1]).not.toHaveProperty('content')
  refreshInFeed(makePost({ status: 'inactive' }))
  expect([ids(restored()), restored()?.total]).toEqual([['p2'], 8])
  removeFromLists('p2')
  removeFromLists('unknown')
  expect([ids(restored()), restored()?.total]).toEqual([[], 7])
})

test('a post that becomes inactive or is deleted leaves the author’s list of active posts', () => {
  saveListSnapshot('k', addPage(emptyList(OWN), makePage('p2 p1')))
  refreshInFeed(makePost({ status: 'inactive' }))
  expect(findListSnapshot('k', OWN)).toMatchObject({ posts: [{ $id: 'p2' }], total: 8 })
  removeFromLists('p2')
  expect(findListSnapshot('k', OWN)).toMatchObject({ posts: [], total: 7 })
})
