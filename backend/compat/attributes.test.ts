// What the texts of queries mean, for each role and for what is declared.
import { expect, test } from 'vitest'
import { QUERY_CONDITIONS_MAX } from '#backend/database/queries.ts'
import { PLAIN_RULES } from '#test/support/posts.ts'
import { makeAttributes } from './attributes.ts'
import type { Declared } from './declared.ts'

const NOTHING: Declared = new Map()

test('conditions that the key may ask are refused to people and guests, whoever asks first', () => {
  const many = (count: number) => Array<string>(count).fill('equal("title", ["Lamp"])')
  const { guest, user, key } = QUERY_CONDITIONS_MAX
  for (const [texts, roles] of [
    [many(guest), ['key', 'user', 'guest']],
    [many(user), ['key', 'user']],
    [many(key), ['key']],
  ] as const)
    for (const role of ['key', 'user', 'guest', 'key'] as const) {
      const ask = () => makeAttributes(PLAIN_RULES).readList([...texts], role)
      if (roles.some((one) => one === role)) expect(ask().names).toBeUndefined()
      else expect(ask).toThrow(/Queries have greater than/)
    }
})

test('a value is read as what its attribute is declared as when somebody asks', () => {
  const at = { key: 'at', type: 'datetime', required: false, array: false, default: null } as const
  const ask = (declared: Declared) => {
    const queries = ['equal("at", ["2026-01-01"])']
    const attributes = makeAttributes({ ...PLAIN_RULES, hasExtras: true, declared })
    return attributes.readList(queries, 'guest').query.filters
  }
  const asText = [{ method: 'equal', attribute: 'own:at', values: ['2026-01-01'] }]
  expect(ask(NOTHING)).toMatchObject(asText)
  expect(ask(new Map([['at', at]]))).toMatchObject([{ values: ['2026-01-01T00:00:00.000+00:00'] }])
  expect(ask(NOTHING)).toMatchObject(asText)
})
