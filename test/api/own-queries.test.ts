// Every condition on attributes that are no role, with the same answers on both databases: types
// are told apart, and what is absent is neither a condition nor its opposite.
import { expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { openBlogOn } from '#test/support/own-blog.ts'

const POSTS: Record<string, Record<string, unknown>> = {
  a: { n: 9, s: 'Lamp post', on: true, list: ['x', 'long text'], mixed: 5 },
  b: { n: 10.5, s: 'lamp', on: false, list: [], mixed: '5' },
  c: { n: -1, s: '', list: ['y'], mixed: true, 'a.b-c_d': 'odd' },
  d: { n: 1e21, s: 'it\'s 50% \\ "off" 😀 Ä', list: ['x', 'y'], mixed: ['5'] },
  e: { s: 'Zebra', mixed: '15' },
  f: {},
}
const q = (method: string, attribute: string, ...values: unknown[]) =>
  JSON.stringify({ method, attribute, values })
const named = (method: string, ...values: string[]) => JSON.stringify({ method, values })

/** The posts that each query finds, in the order of their creation unless it orders. */
const FOUND: [query: string, ids: string][] = [
  [q('equal', 'mixed', 5), 'a'],
  [q('equal', 'mixed', '5'), 'bd'],
  [q('equal', 'mixed', true), 'c'],
  [q('equal', 'mixed', 5, '15'), 'ae'],
  [q('equal', 's', ''), 'c'],
  [q('equal', 'n', 1e21), 'd'],
  [q('notEqual', 's', 'lamp'), 'acde'],
  [q('notEqual', 'mixed', 5), ''],
  [q('notEqual', 'mixed', '5'), 'e'],
  [q('lessThan', 'n', 9), 'c'],
  [q('lessThanEqual', 'n', 9), 'ac'],
  [q('greaterThan', 's', 'a'), 'bd'],
  [q('greaterThanEqual', 's', 'Zebra'), 'bde'],
  [q('between', 'n', -1, 10.5), 'abc'],
  [q('notBetween', 'n', 0, 10), 'bcd'],
  [q('between', 's', 'L', 'M'), 'a'],
  [q('notBetween', 's', 'L', 'z'), 'c'],
  [q('contains', 's', 'amp'), 'ab'],
  [q('contains', 's', '%', '\\'), 'd'],
  [q('contains', 'list', 'x'), 'ad'],
  [q('contains', 'list', 'long'), ''],
  [q('contains', 'mixed', 5), 'a'],
  [q('contains', 'mixed', '5'), 'bde'],
  [q('notContains', 's', 'amp'), 'cde'],
  [q('notContains', 'list', 'x'), 'bc'],
  [q('containsAny', 'list', 'x', 'y'), 'acd'],
  [q('containsAll', 'list', 'x', 'y'), 'd'],
  [q('containsAll', 's', 'Lamp', 'post'), 'a'],
  [q('search', 's', 'LAMP'), 'ab'],
  [q('search', 's', 'zebra post'), 'ae'],
  [q('notSearch', 's', 'lamp'), 'cde'],
  [q('startsWith', 's', 'Lamp'), 'a'],
  [q('notStartsWith', 's', 'Lamp'), 'bcde'],
  [q('endsWith', 's', '😀 Ä'), 'd'],
  [q('notEndsWith', 's', 'p'), 'acde'],
  [q('isNull', 'list'), 'ef'],
  [q('isNotNull', 'on'), 'ab'],
  [named('exists', 'n', 's'), 'abcd'],
  [named('notExists', 'n', 'on'), 'ef'],
  [q('equal', 'a.b-c_d', 'odd'), 'c'],
  [q('orderAsc', 'mixed'), 'dfcaeb'],
  [q('orderDesc', 'n'), 'dbacef'],
  [q('orderAsc', 's'), 'fcaedb'],
  [
    JSON.stringify({
      method: 'or',
      values: [
        { method: 'notStartsWith', attribute: 's', values: ['l'] },
        { method: 'isNull', attribute: 's' },
      ],
    }),
    'acdef',
  ],
]

for (const [kind, tags] of DATABASES)
  test(`conditions on attributes that are no role, on ${kind}`, { tags }, async () => {
    await using blog = await openBlogOn(kind, { BLOG_EXTRA_ATTRIBUTES: 'on' })
    for (const [documentId, data] of Object.entries(POSTS))
      expect((await blog.create(blog.alice, { title: 'T', ...data }, { documentId })).status).toBe(
        201,
      )
    const ids = async (...queries: string[]) => {
      const { status, body } = await blog.list(undefined, ...queries)
      if (status !== 200) return body.message
      return body.documents.map(({ $id }: { $id: string }) => $id).join('')
    }
    const found = await Promise.all(FOUND.map(async ([query]) => [query, await ids(query)]))
    expect(found).toEqual(FOUND)
    for (const [query, all] of FOUND.filter(([query]) => query.includes('order'))) {
      const [, second = '', third = ''] = all
      expect(await ids(query, 'limit(2)', `cursorAfter("${second}")`)).toBe(all.slice(2, 4))
      expect(await ids(query, 'limit(2)', `cursorBefore("${third}")`)).toBe(all.slice(0, 2))
      expect(await ids(query, 'offset(4)')).toBe(all.slice(4))
    }
    const refused = [
      q('between', 'n', 1),
      q('equal', 'n', null),
      q('startsWith', 's', 5),
      q('isNull', 's', 'x'),
    ]
    for (const query of [...refused, q('search', 's', 'a', 'b'), q('equal', 's', { a: 1 })])
      expect([query, (await blog.list(undefined, query)).status]).toEqual([query, 400])
  })
