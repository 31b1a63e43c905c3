// What is kept in memory is asked again when, and only when, a topic of it has changed since.
import { expect, test } from 'vitest'
import { setHearing, tellAtOnce, tellMissed } from './change-ears.ts'
import type { Change } from './changes.ts'
import type { Database } from './schema.ts'
import { gatherTopics, makeChangedTopics, noteTopics, type Topic } from './topics.ts'

function make() {
  const db = {} as Database
  return { db, changed: makeChangedTopics(db) }
}

function postChange(id: string): Change {
  const access = { userId: 'alice', status: 'active', readers: 'any', isHidden: 0 } as const
  return {
    ...{ kind: 'post', action: 'update', id, payload: undefined },
    access: { ...access, isAuthorBlocked: 0 },
  }
}

test('a change of one post or person concerns only what shows them', () => {
  const { changed, db } = make()
  const [one, other] = [new Set<Topic>(['post:one']), new Set<Topic>(['post:two', 'person:bob'])]
  const before = changed.mark()
  tellAtOnce(db, postChange('one'))
  expect([one, other].map((topics) => changed.hasChanged(before, topics))).toEqual([true, false])
  expect(changed.hasChanged(changed.mark(), one)).toBe(false)
  tellAtOnce(db, { kind: 'public', userIds: ['bob'], isAnyoneGone: false })
  expect(changed.hasChanged(before, other)).toBe(true)
  expect(changed.hasChanged(before, new Set(['posts']))).toBe(true)
})

test('after somebody has gone, or changes were not heard, everything is asked again', () => {
  const { changed, db } = make()
  const topics = new Set<Topic>(['post:one'])
  const before = changed.mark()
  tellAtOnce(db, { kind: 'public', userIds: ['bob'], isAnyoneGone: true })
  expect(changed.hasChanged(before, topics)).toBe(true)
  const later = changed.mark()
  setHearing(db, false)
  tellMissed(db)
  expect([changed.isHearing(), changed.hasChanged(later, topics)]).toEqual([false, true])
  setHearing(db, true)
  expect(changed.isHearing()).toBe(true)
})

test('more changes than are remembered are taken for a change of everything', () => {
  const { changed, db } = make()
  const before = changed.mark()
  for (let at = 0; at < 10_001; at++) tellAtOnce(db, postChange(String(at)))
  expect(changed.hasChanged(before, new Set(['post:none']))).toBe(true)
  expect(changed.hasChanged(changed.mark(), new Set(['post:none']))).toBe(false)
})

test('what notes nothing may be made of anything; what is read at the same time is kept apart', async () => {
  const [silent, telling] = [new Set<Topic>(), new Set<Topic>()]
  await Promise.all([
    gatherTopics(silent, async () => await Promise.resolve()),
    gatherTopics(telling, async () => {
      await Promise.resolve()
      noteTopics('post:one')
    }),
  ])
  expect([[...silent], [...telling]]).toEqual([
    ['anything', 'posts'],
    ['post:one', 'posts'],
  ])
})
