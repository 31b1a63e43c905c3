// Values that a post holds stay valid when the setting under which they were written is over.
import { expect, test } from 'vitest'
import { readChanges } from './structure.ts'

const RULES = {
  attributes: { hasExtras: false, declared: new Map() },
  sanitise: (html: string) => html,
}
const BEFORE = { featuredImage: `https://x.test/${'a'.repeat(100)}`, status: 'archived' }

test('a status and an image that the post holds already may be sent again', () => {
  expect(readChanges({ title: 'T', ...BEFORE }, RULES, BEFORE)).toEqual({
    ...{ title: 'T', ...BEFORE, own: new Map() },
  })
})

test.each([{ status: 'draft' }, { featuredImage: `${BEFORE.featuredImage}b` }, { slug: 'x' }])(
  'another one is refused: %j',
  (changes) => {
    expect(() => readChanges({ ...BEFORE, ...changes }, RULES, BEFORE)).toThrow(
      'Invalid document structure',
    )
  },
)
