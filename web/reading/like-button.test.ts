import { expect, test } from 'vitest'
import { type LikePress, likesOfOthers, mayPredatePress } from './like-button.tsx'

const likes = (...likeId: string[]) => ({ like: likeId.length, likeId })
const press = (changes: Partial<LikePress> = {}): LikePress => ({
  viewerId: 'me',
  isLiked: true,
  hasResponse: false,
  isInEvent: false,
  ...changes,
})

test("an own like does not count among others'", () => {
  expect(likesOfOthers(likes('a', 'me'), 'me')).toBe(1)
  expect(likesOfOthers(likes('a', 'me'), undefined)).toBe(2)
})

test('news without the own like are shown while it is on its way, and held back once it is answered', () => {
  expect(mayPredatePress(likes('a'), undefined)).toBe(false)
  expect(mayPredatePress(likes('a'), press())).toBe(false)
  expect(mayPredatePress(likes('a'), press({ hasResponse: true }))).toBe(true)
  expect(mayPredatePress(likes('a', 'me'), press({ hasResponse: true, isLiked: false }))).toBe(true)
})

test('news with the own like in them are newer than its answer, as all that follow', () => {
  const own = press()
  expect(mayPredatePress(likes('a', 'me'), own)).toBe(false)
  expect(own.isInEvent).toBe(true)
  // Taken back in another tab.
  expect(mayPredatePress(likes('a'), { ...own, hasResponse: true })).toBe(false)
})
