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

test("the viewer's own like is not counted among the likes of others", () => {
  expect(likesOfOthers(likes('a', 'me'), 'me')).toBe(1)
  expect(likesOfOthers(likes('a', 'me'), undefined)).toBe(2)
})

test("an event without the viewer's like is shown while the like is being saved, and delayed after the response", () => {
  expect(mayPredatePress(likes('a'), undefined)).toBe(false)
  expect(mayPredatePress(likes('a'), press())).toBe(false)
  expect(mayPredatePress(likes('a'), press({ hasResponse: true }))).toBe(true)
  expect(mayPredatePress(likes('a', 'me'), press({ hasResponse: true, isLiked: false }))).toBe(true)
})

test("an event with the viewer's like is newer than the press, and so are all later events", () => {
  const lastPress = press()
  expect(mayPredatePress(likes('a', 'me'), lastPress)).toBe(false)
  expect(lastPress.isInEvent).toBe(true)
  // The like was removed in another tab.
  expect(mayPredatePress(likes('a'), { ...lastPress, hasResponse: true })).toBe(false)
})
