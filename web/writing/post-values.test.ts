import { expect, test } from 'vitest'
import { isId } from '#contract/ids.ts'
import {
  findProblems,
  nextSlug,
  type PostValues,
  slugWhileTyping,
  summaryOf,
} from './post-values.ts'

const NOW_MS = 1763472000000
const values: PostValues = {
  title: 'Notes',
  slug: 'blog1763472000000l',
  content: '',
  status: 'active',
}

test('typing a title generates the slug from the time, and an empty title empties it', () => {
  expect(slugWhileTyping('N', NOW_MS)).toBe('blog1763472000000l')
  expect(slugWhileTyping(' ', NOW_MS)).toBe('blog1763472000000l')
  expect(slugWhileTyping('', NOW_MS)).toBe('')
  expect(isId(slugWhileTyping('N', NOW_MS))).toBe(true)
})

test('a slug that is taken is replaced by that of the next millisecond', () => {
  expect(nextSlug('blog1763472000000l', 1)).toBe('blog1763472000001l')
  expect(nextSlug('my-own', NOW_MS)).toBe('blog1763472000000l')
})

test('title, slug and image are required; content is not', () => {
  expect(findProblems(values, true)).toEqual({})
  expect(findProblems({ ...values, title: ' ', slug: '' }, false)).toEqual({
    title: 'Write a title first.',
    slug: 'A slug is needed. It fills itself in when you type a title.',
    image: 'Choose an image for the post.',
  })
})

test('an inactive post needs no image', () => {
  expect(findProblems({ ...values, status: 'inactive' }, false)).toEqual({})
})

test('a title can have 255 characters and not one more', () => {
  expect(findProblems({ ...values, title: 'x'.repeat(255) }, true)).toEqual({})
  expect(findProblems({ ...values, title: ` ${'x'.repeat(255)} ` }, true)).toEqual({})
  expect(findProblems({ ...values, title: '🕯'.repeat(255) }, true)).toEqual({})
  expect(findProblems({ ...values, title: '🕯'.repeat(256) }, true)).toHaveProperty('title')
  expect(findProblems({ ...values, title: 'x'.repeat(256) }, true)).toEqual({
    title: 'The title can have 255 characters at most.',
  })
})

test('content can have a million characters and not one more', () => {
  expect(findProblems({ ...values, content: 'x'.repeat(1_000_000) }, true)).toEqual({})
  expect(findProblems({ ...values, content: 'x'.repeat(1_000_001) }, true)).toEqual({
    content: 'The text is too long to be saved as one post.',
  })
})

test('the summary counts the problems in words', () => {
  expect(summaryOf({ title: 'a' })).toBe('One thing needs a look before this can be saved')
  expect(summaryOf({ title: 'a', slug: 'b', image: 'c' })).toBe(
    'Three things need a look before this can be saved',
  )
})
