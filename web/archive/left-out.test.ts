import { expect, test } from 'vitest'
import { ISSUE_REASONS } from '#contract/archive-limits.ts'
import { texts } from '../locales/texts.ts'

const THINGS = [
  'post',
  'page',
  'picture',
  'comment',
  'person',
  'tag',
  'address',
  'part',
  'file',
] as const
const { leftOut } = texts

test('each reason is a sentence about each kind of thing, for one and for many', () => {
  for (const reason of ISSUE_REASONS)
    for (const what of THINGS) {
      expect(leftOut.text({ what, reason, count: 1 })).toMatch(/^1 [a-z]+ [a-z, ]+$|^Members/)
      expect(leftOut.text({ what, reason, count: 1200 })).toMatch(
        /^1,200 [a-z]+ [a-z, ]+$|^Members/,
      )
      expect(leftOut.hint({ what, reason, count: 2 })).toMatch(/^[A-Z].*\.$/)
    }
})

test('one thing has a verb in the singular', () => {
  expect(leftOut.text({ what: 'post', reason: 'present', count: 1 })).toBe('1 post is here already')
  expect(leftOut.text({ what: 'person', reason: 'unreadable', count: 2 })).toBe(
    '2 people cannot be read',
  )
})
