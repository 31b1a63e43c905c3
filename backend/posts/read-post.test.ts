// Which answers are the same for all users: a truncated list of likes ends with the viewer's like.
import { expect, test } from 'vitest'
import { isSameForAll } from './read-post.ts'

test.each([
  { documents: [{ like: 1, likeId: ['a'] }], shared: true },
  { documents: [{ like: 2, likeId: ['a'] }], shared: false },
  {
    documents: [
      { like: 0, likeId: [] },
      { like: 2, likeId: ['a'] },
    ],
    shared: false,
  },
  { documents: [{ likeId: ['a'] }], shared: false },
  { documents: [{ title: 'A' }], shared: true },
])(
  'posts are the same for all users if no list of likes can be truncated: $documents',
  ({ documents, shared }) => {
    expect(isSameForAll(documents)).toBe(shared)
  },
)
