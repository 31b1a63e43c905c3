// Values that a post holds stay valid when the setting under which they were written is over.
import { expect, test } from 'vitest'
import { makeAttributes } from '#backend/compat/attributes.ts'
import { PLAIN_RULES } from '#test/support/posts.ts'
import { readChanges } from './structure.ts'

const RULES = {
  attributes: makeAttributes(PLAIN_RULES),
  sanitise: (html: string) => html,
}
const SENT = { featuredImage: `https://x.test/${'a'.repeat(100)}`, status: 'archived', title: '' }
const BEFORE = { ...SENT, attributes: '' }

test('a title, a status and an image that the post holds already may be sent again', () => {
  expect(readChanges(SENT, RULES, BEFORE)).toEqual({
    ...SENT,
    own: new Map([['status', undefined]]),
  })
})

test('a status that is sent again is kept with its word, whatever is saved meanwhile', () => {
  const before = { ...BEFORE, status: 'active', attributes: '{"status":"published"}' }
  expect(readChanges({ status: 'published' }, RULES, before)).toEqual({
    status: 'active',
    own: new Map([['status', 'published']]),
  })
})

test.each([{ status: 'draft' }, { featuredImage: `${BEFORE.featuredImage}b` }, { slug: 'x' }])(
  'another one is refused: %j',
  (changes) => {
    expect(() => readChanges({ ...SENT, ...changes }, RULES, BEFORE)).toThrow(
      'Invalid document structure',
    )
  },
)

test('a title of which nothing is seen is refused as an empty one is', () => {
  for (const title of [' ', '\u200b', '\u3164', '\u2060\u2060', '\u00ad', '\u2800', '\u202e'])
    expect(() => readChanges({ title }, RULES, BEFORE), title).toThrow(
      'Attribute "title" has invalid format',
    )
})

test('a title loses the signs that turn the text behind it', () => {
  expect(readChanges({ title: 'Photo \u202egnp.exe' }, RULES, BEFORE).title).toBe('Photo gnp.exe')
})
