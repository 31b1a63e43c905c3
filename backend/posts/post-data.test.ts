// What the data of a changed post may hold.
import { expect, test } from 'vitest'
import { readChanges } from './post-data.ts'

const RULES = { hasExtraAttributes: false, sanitise: (html: string) => html }
const BEFORE = { featuredImage: `https://x.test/${'a'.repeat(100)}` }

test('an image that the post has may be sent again, whatever it is', () => {
  expect(readChanges({ ...BEFORE, title: 'A' }, RULES, BEFORE)).toEqual({
    ...BEFORE,
    title: 'A',
    extras: new Map(),
  })
})

test.each([{ status: 'draft' }, { featuredImage: `${BEFORE.featuredImage}b` }, { slug: 'x' }])(
  'data that no post may have is refused: %j',
  (changes) => {
    expect(() => readChanges(changes, RULES, BEFORE)).toThrow('Invalid document structure')
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
