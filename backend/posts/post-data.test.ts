// The check of the data of a changed post.
import { expect, test } from 'vitest'
import { readChanges } from './post-data.ts'

const RULES = { hasExtraAttributes: false, sanitise: (html: string) => html }
const BEFORE = { featuredImage: `https://x.test/${'a'.repeat(100)}` }

test('the featured image of a post may be sent again, even if it is invalid', () => {
  expect(readChanges({ ...BEFORE, title: 'A' }, RULES, BEFORE)).toEqual({
    ...BEFORE,
    title: 'A',
    details: {},
    extras: new Map(),
  })
})

test.each([{ status: 'draft' }, { featuredImage: `${BEFORE.featuredImage}b` }, { slug: 'x' }])(
  'data that no post may have is refused: %j',
  (changes) => {
    expect(() => readChanges(changes, RULES, BEFORE)).toThrow('Invalid document structure')
  },
)

test('a title without visible characters is refused like an empty one', () => {
  for (const title of [' ', '\u200b', '\u3164', '\u2060\u2060', '\u00ad', '\u2800', '\u202e'])
    expect(() => readChanges({ title }, RULES, BEFORE), title).toThrow(
      'Attribute "title" has invalid format',
    )
})

test('characters that reverse the text after them are removed from a title', () => {
  expect(readChanges({ title: 'Photo \u202egnp.exe' }, RULES, BEFORE).title).toBe('Photo gnp.exe')
})
