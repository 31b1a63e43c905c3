// The operator's list of users: order, pages and search are the same on both databases.

import { expect, test } from 'vitest'
import { makeTestContext } from '#test/support/context.ts'
import { describeEachDatabase } from '#test/support/databases.ts'
import { insertUser, makeUserRow } from '../accounts/users.ts'
import type { Database } from '../database/schema.ts'
import { listUsers } from './users.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

async function makeList(
  db: Database,
): Promise<(queries: string[], search?: string) => Promise<string[]>> {
  // "b" and "B" were created in the same millisecond: their ids decide, by code point.
  const people = [
    ['zoe', 'Zoë', 0, 1],
    ['b', 'bob', 1, 0],
    ['B', 'Bob', 1, 0],
    ['a', '100% Ann', 2, 0],
  ] as const
  for (const [id, name, minute, isBlocked] of people) {
    const user = makeUserRow(
      {
        id,
        name,
        email: `${minute}.${id.toLowerCase()}${id === 'B' ? '2' : ''}@example.test`,
        passwordHash: null,
      },
      NOW,
    )
    const createdAt = new Date(NOW.getTime() + minute * 60_000).toISOString()
    await insertUser(db, { ...user, isBlocked, createdAt })
  }
  return async (queries, search = undefined) =>
    (
      await listUsers(makeTestContext(db), { role: 'key' }, { queries, search, hasTotal: true })
    ).users.map(({ $id }) => $id)
}

describeEachDatabase('the list of users', (open) => {
  test('is in order of creation, then of id, page after page', async () => {
    await using opened = await open()
    const list = await makeList(opened.db)
    expect(await list([])).toEqual(['zoe', 'B', 'b', 'a'])
    expect(await list(['limit(2)', 'offset(1)'])).toEqual(['B', 'b'])
    expect(await list(['cursorAfter("B")', 'limit(1)'])).toEqual(['b'])
    expect(await list(['cursorBefore("a")', 'limit(2)'])).toEqual(['B', 'b'])
    expect(await list(['orderDesc("registration")'])).toEqual(['a', 'B', 'b', 'zoe'])
    expect(await list(['orderAsc("name")'])).toEqual(['a', 'B', 'zoe', 'b'])
    await expect(list(['cursorAfter("nobody")'])).rejects.toMatchObject({
      type: 'general_cursor_not_found',
    })
  })

  test('filters by every kind of query', async () => {
    await using opened = await open()
    const list = await makeList(opened.db)
    const cases: [query: string, ids: string[]][] = [
      ['equal("status", [false])', ['zoe']],
      ['notEqual("status", [false])', ['B', 'b', 'a']],
      ['equal("phoneVerification", [true])', []],
      ['equal("phone", ["", "1"])', ['zoe', 'B', 'b', 'a']],
      ['lessThan("phone", ["a"])', ['zoe', 'B', 'b', 'a']],
      ['isNull("passwordUpdate")', []],
      ['greaterThan("registration", ["2026-03-01T12:01:00.000+00:00"])', ['a']],
      ['between("name", ["B", "Zz"])', ['zoe', 'B']],
      ['contains("email", ["b2@"])', ['B']],
      ['endsWith("name", ["ob"])', ['B', 'b']],
    ]
    for (const [query, ids] of cases) expect([query, await list([query])]).toEqual([query, ids])
  })

  test('is searched by parts of id, name and email', async () => {
    await using opened = await open()
    const list = await makeList(opened.db)
    expect(await list([], 'BOB')).toEqual(['B', 'b'])
    expect(await list([], '0%')).toEqual(['a'])
    expect(await list([], '_')).toEqual([])
    expect(await list([], 'Zoë')).toEqual(['zoe'])
    expect(await list(['limit(1)'], 'example.test')).toEqual(['zoe'])
  })
})
