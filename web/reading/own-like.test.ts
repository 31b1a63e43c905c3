import { expect, test } from 'vitest'
import { isOlder, likesOfOthers, type OwnLike } from './like-button.tsx'

const likes = (...likeId: string[]) => ({ like: likeId.length, likeId })
const press = (changes: Partial<OwnLike> = {}): OwnLike => ({
  viewerId: 'me',
  isLiked: true,
  isAnswered: false,
  isSeen: false,
  ...changes,
})

test("an own like does not count among others'", () => {
  expect(likesOfOthers(likes('a', 'me'), 'me')).toBe(1)
  expect(likesOfOthers(likes('a', 'me'), undefined)).toBe(2)
})

test('news without the own like are shown while it is on its way, and held back once it is answered', () => {
  expect(isOlder(likes('a'), undefined)).toBe(false)
  expect(isOlder(likes('a'), press())).toBe(false)
  expect(isOlder(likes('a'), press({ isAnswered: true }))).toBe(true)
  expect(isOlder(likes('a', 'me'), press({ isAnswered: true, isLiked: false }))).toBe(true)
})

test('news with the own like in them are newer than its answer, as all that follow', () => {
  const own = press()
  expect(isOlder(likes('a', 'me'), own)).toBe(false)
  expect(own.isSeen).toBe(true)
  // Taken back in another tab.
  expect(isOlder(likes('a'), { ...own, isAnswered: true })).toBe(false)
})
