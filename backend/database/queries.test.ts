// Both notations of list queries, the parsing facts and the table of errors in api.md §3.4.
import { Query } from 'appwrite'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { type QuerySchema, readQueries, readSelect } from './queries.ts'

const SCHEMA: QuerySchema = {
  $id: { type: 'string' },
  $createdAt: { type: 'datetime' },
  $permissions: { type: 'string', isSelectOnly: true },
  title: { type: 'string' },
  status: { type: 'string' },
  like: { type: 'integer' },
  likeId: { type: 'string', isArray: true },
  isPinned: { type: 'boolean' },
}

const read = (...texts: string[]) => readQueries(texts, SCHEMA, { role: 'user' })
const readAsKey = (...texts: string[]) => readQueries(texts, SCHEMA, { role: 'key' })

function refusalOf(work: () => unknown): { type: string; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return { type: error.type, message: error.message }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('valid queries', () => {
  test('without queries a call reads a first page of 25 in order of creation', () => {
    const bare = {
      filters: [],
      order: [],
      isRandom: false,
      limit: 25,
      offset: 0,
      cursor: undefined,
      select: undefined,
    }
    expect(readQueries(undefined, SCHEMA, { role: 'user' })).toEqual(bare)
    expect(read()).toEqual(bare)
  })

  const equal = (values: unknown[], attribute = 'title') => ({ method: 'equal', attribute, values })
  test.each([
    { text: 'equal("title", ["a"])', filter: equal(['a']) },
    { text: 'equal("title", "a")', filter: equal(['a']) },
    { text: "equal('title', ['a'])", filter: equal(['a']) },
    { text: '  equal ( "title" , [ "a" , "b" ] ) ', filter: equal(['a', 'b']) },
    { text: 'equal("title", ["(x) [y], z"])', filter: equal(['(x) [y], z']) },
    { text: String.raw`equal("title", ["a \"q\" b"])`, filter: equal(['a "q" b']) },
    { text: String.raw`equal("title", ["\'\,\[\]"])`, filter: equal(["',[]"]) },
    { text: String.raw`equal("title", ["a\nb\\"])`, filter: equal([String.raw`a\nb\\`]) },
    { text: 'equal("title", ["say "hi""])', filter: equal(['say "hi"']) },
    { text: `equal("title", ["it's"])`, filter: equal(["it's"]) },
    { text: 'equal("title", ["123", "true", "null"])', filter: equal(['123', 'true', 'null']) },
    { text: 'equal("title", ["  spaced  "])', filter: equal(['  spaced  ']) },
    { text: 'equal("title", [""])', filter: equal(['']) },
    { text: 'equal("isPinned", [true,false])', filter: equal([true, false], 'isPinned') },
    { text: 'equal("like", [1,-2])', filter: equal([1, -2], 'like') },
    {
      text: 'lessThan("like", [3])',
      filter: { method: 'lessThan', attribute: 'like', values: [3] },
    },
    {
      text: 'between("like", 1, 5)',
      filter: { method: 'between', attribute: 'like', values: [1, 5] },
    },
    {
      text: 'between("title", "a", "b")',
      filter: { method: 'between', attribute: 'title', values: ['a', 'b'] },
    },
    { text: 'isNull("title")', filter: { method: 'isNull', attribute: 'title' } },
    {
      text: 'contains("likeId", ["u1"])',
      filter: { method: 'contains', attribute: 'likeId', values: ['u1'] },
    },
    {
      text: '{"method":"equal","attribute":"status","values":["active"]}',
      filter: equal(['active'], 'status'),
    },
    {
      text: ' {"method":"isNotNull","attribute":"title"}',
      filter: { method: 'isNotNull', attribute: 'title' },
    },
    {
      text: '{"method":"or","values":[{"method":"equal","attribute":"like","values":[1]},{"method":"isNull","attribute":"title"}]}',
      filter: {
        method: 'or',
        filters: [equal([1], 'like'), { method: 'isNull', attribute: 'title' }],
      },
    },
  ])('$text', ({ text, filter }) => {
    expect(read(text).filters).toEqual([filter])
  })

  test.each([
    ['2023-11-20T13:37:00.123+00:00', '2023-11-20T13:37:00.123Z'],
    ['2023-11-20T13:37:00.123 00:00', '2023-11-20T13:37:00.123Z'],
    ['2023-11-20T13:37:00Z', '2023-11-20T13:37:00.000Z'],
    ['2023-11-20T15:37:00.5+02:00', '2023-11-20T13:37:00.500Z'],
    ['2023-11-20 13:37:00', '2023-11-20T13:37:00.000Z'],
    ['2023-11-20', '2023-11-20T00:00:00.000Z'],
  ])('the time %s becomes %s', (text, stored) => {
    expect(read(`greaterThan("$createdAt", ["${text}"])`).filters).toEqual([
      { method: 'greaterThan', attribute: '$createdAt', values: [stored] },
    ])
  })

  test('order, paging and select are read', () => {
    expect(
      read(
        'orderDesc("$createdAt")',
        'orderAsc("")',
        'limit(100)',
        'offset(5000)',
        'cursorAfter("p.1")',
        'select(["title","$id","title"])',
      ),
    ).toEqual({
      filters: [],
      isRandom: false,
      order: [
        { attribute: '$createdAt', direction: 'desc' },
        { attribute: undefined, direction: 'asc' },
      ],
      limit: 100,
      offset: 5000,
      cursor: { id: 'p.1', direction: 'after' },
      select: ['title', '$id'],
    })
  })

  test('the first of several limits, offsets and cursors counts', () => {
    const list = read(
      'limit(3)',
      'limit(4)',
      'offset(1)',
      'offset(2)',
      'cursorBefore("a")',
      'cursorAfter("b")',
    )
    expect(list).toMatchObject({ limit: 3, offset: 1, cursor: { id: 'a', direction: 'before' } })
  })

  test('a page has at most 5000 rows, whatever the limit is', () => {
    expect(read('limit(4999)').limit).toBe(4999)
    expect(read('limit(5001)').limit).toBe(5000)
    expect(readAsKey('limit(1000000)').limit).toBe(5000)
  })

  test('a star does not include an extra attribute, unless it is also named', () => {
    const schema: QuerySchema = {
      title: { type: 'string' },
      $id: { type: 'string' },
      shade: { type: 'string', isSelectOnly: true, isExtra: true },
    }
    for (const [texts, names] of [
      [['select(["*"])'], undefined],
      [[], undefined],
      [['select(["shade"])'], ['shade']],
      [['select(["*","shade"])'], ['*', 'shade']],
      [
        ['select(["shade","shade","title"])', 'select(["*"])'],
        ['*', 'shade'],
      ],
    ] as const) {
      expect(readSelect([...texts], schema)).toEqual(names)
      expect(readQueries([...texts], schema, { role: 'user' }).select).toEqual(names)
    }
    expect(() => readQueries(['equal("shade", ["x"])'], schema, { role: 'key' })).toThrow(
      'Invalid query: Attribute not found in schema: shade',
    )
    expect(() => readQueries(['orderAsc("shade")'], schema, { role: 'key' })).toThrow(
      'Invalid query: Attribute not found in schema: shade',
    )
  })

  test('a star selects everything', () => {
    expect(read('select(["*","title"])').select).toBe(undefined)
    expect(readSelect(['select(["*"])'], SCHEMA)).toBe(undefined)
    expect(readSelect(['select(["$permissions"])'], SCHEMA)).toEqual(['$permissions'])
  })

  test('queries of the pinned client are valid', () => {
    const texts = [
      Query.equal('status', 'active'),
      Query.between('like', 1, 5),
      Query.orderDesc('$createdAt'),
      Query.limit(25),
      Query.select(['title']),
    ]
    expect(read(...texts)).toMatchObject({
      filters: [
        equal(['active'], 'status'),
        { method: 'between', attribute: 'like', values: [1, 5] },
      ],
      order: [{ attribute: '$createdAt', direction: 'desc' }],
      limit: 25,
      select: ['title'],
    })
  })
})

describe('refused queries', () => {
  const unparsable = [
    'equal',
    'equal("title"',
    'status.equal("x")',
    'equal("title", ["a"b"])',
    'equal("title", [a])',
    'equal("title", ["a"],)',
  ]
  test.each([
    ...unparsable,
    'equal("title", [["a"]])',
    'equal("title", ["a"]) x',
    'equal("a" , ["b]',
    '("title")',
    '{',
    '{}',
    '{"method":1}',
    '{"method":"equal"} x',

    '{"method":"equal","attribute":1,"values":[]}',
    '{"method":"equal","attribute":"title","values":"a"}',
    'equal(["title"], ["a"])',
    'x\0()',
    ' ',
    '{"method":"or","values":[[]]}',
  ])('%s cannot be parsed', (text) => {
    expect(refusalOf(() => read(text))).toEqual({
      type: 'general_query_invalid',
      message: 'That query could not be understood.',
    })
  })

  const deep = (levels: number): string =>
    levels === 0
      ? '{"method":"isNull","attribute":"title"}'
      : `{"method":"and","values":[${deep(levels - 1)}]}`
  const many = (count: number) =>
    JSON.stringify({
      method: 'equal',
      attribute: 'like',
      values: Array.from({ length: count }, () => 1),
    })
  test.each([
    ['foo("title")', 'Invalid query method: foo'],
    ['{"method":"__proto__","attribute":"title"}', 'Invalid query method: __proto__'],
    ['{"method":"and","values":[{"method":"limit","values":[1]}]}', 'Invalid query method: limit'],
    ['equal("foo", ["x"])', 'Invalid query: Attribute not found in schema: foo'],
    ['equal("constructor", ["x"])', 'Invalid query: Attribute not found in schema: constructor'],
    ['equal("$permissions", ["x"])', 'Invalid query: Attribute not found in schema: $permissions'],
    ['orderAsc("passwordHash")', 'Invalid query: Attribute not found in schema: passwordHash'],
    ['select(["userId"])', 'Invalid query: Attribute not found in schema: userId'],
    ['equal("title", [1])', 'Invalid query: Query type does not match expected: string'],
    ['equal("title", [null])', 'Invalid query: Query type does not match expected: string'],
    ['equal("title", ["a\0"])', 'Invalid query: Query type does not match expected: string'],
    ['equal("like", ["1"])', 'Invalid query: Query type does not match expected: integer'],
    ['equal("like", [1.5])', 'Invalid query: Query type does not match expected: integer'],
    ['equal("isPinned", [1])', 'Invalid query: Query type does not match expected: boolean'],
    [
      'equal("$createdAt", ["yesterday"])',
      'Invalid query: Query type does not match expected: datetime',
    ],
    [
      'equal("$createdAt", ["2023-02-30"])',
      'Invalid query: Query type does not match expected: datetime',
    ],
    ['equal("title", [])', 'Invalid query: Equal queries require at least one value.'],
    [
      '{"method":"contains","attribute":"title"}',
      'Invalid query: Contains queries require at least one value.',
    ],
    ['notEqual("title", ["a","b"])', 'Invalid query: NotEqual queries require exactly one value.'],
    ['lessThan("like")', 'Invalid query: LessThan queries require exactly one value.'],
    ['between("like", 1)', 'Invalid query: Between queries require exactly two values.'],
    ['isNull("title", 1)', 'Invalid query: IsNull queries require no values.'],
    [many(101), 'Invalid query: Query on attribute has greater than 100 values: like'],
    [
      'limit(0)',
      'Invalid query: Invalid limit: Value must be a valid range between 1 and 9007199254740991',
    ],
    [
      'limit("25")',
      'Invalid query: Invalid limit: Value must be a valid range between 1 and 9007199254740991',
    ],
    [
      'limit(1.5)',
      'Invalid query: Invalid limit: Value must be a valid range between 1 and 9007199254740991',
    ],
    [
      'limit()',
      'Invalid query: Invalid limit: Value must be a valid range between 1 and 9007199254740991',
    ],
    ['offset(-1)', 'Invalid query: Invalid offset: Value must be a valid range between 0 and 5000'],
    [
      'offset(5001)',
      'Invalid query: Invalid offset: Value must be a valid range between 0 and 5000',
    ],
    [
      'search("like", [1])',
      'Invalid query: Cannot query search on attribute "like" because it is not a string.',
    ],
    [
      'search("likeId", ["a"])',
      'Invalid query: Cannot query search on attribute "likeId" because it is an array.',
    ],
    [
      'notStartsWith("like", [1])',
      'Invalid query: Cannot query notStartsWith on attribute "like" because it is not a string.',
    ],
    ['notBetween("like", 1)', 'Invalid query: NotBetween queries require exactly two values.'],
    ['{"method":"exists"}', 'Invalid query: And queries require at least one query.'],
    ['{"method":"exists","values":["none"]}', 'Invalid query: Attribute not found in schema: none'],
    ['containsAll("title", [])', 'Invalid query: Contains queries require at least one value.'],
    ['orderRandom("title", 1)', 'Invalid query: OrderRandom queries require no values.'],
    [
      '{"method":"not","values":[{"method":"isNull","attribute":"title"}]}',
      'Invalid query method: not',
    ],
    [
      'startsWith("like", [1])',
      'Invalid query: Cannot query startsWith on attribute "like" because it is not a string.',
    ],
    [
      'lessThan("likeId", ["a"])',
      'Invalid query: Cannot query lessThan on attribute "likeId" because it is an array.',
    ],
    [
      'orderAsc("likeId")',
      'Invalid query: Cannot order by attribute "likeId" because it is an array.',
    ],
    ['select([])', 'Invalid query: Select queries require at least one value.'],
    [deep(9), 'Invalid query: Queries are nested deeper than 8 levels.'],
  ])('%s', (text, message) => {
    expect(refusalOf(() => read(text))).toEqual({ type: 'general_argument_invalid', message })
  })

  test('a malformed cursor says so', () => {
    expect(refusalOf(() => read('cursorAfter("-a")')).message).toMatch(
      /^Invalid query: Invalid cursor: /,
    )
  })

  test.each([
    ['too many queries', Array.from({ length: 101 }, () => 'limit(1)')],
    ['an empty query', ['']],
    ['a query that is too long', [`equal("title", ["${'a'.repeat(4080)}"])`]],
  ])('%s', (_name, texts) => {
    expect(refusalOf(() => read(...texts))).toMatchObject({
      type: 'general_argument_invalid',
      message: expect.stringMatching(/^Invalid `queries` param: /),
    })
  })

  test('a call for one row takes select only', () => {
    expect(refusalOf(() => readSelect(['limit(1)'], SCHEMA))).toEqual({
      type: 'general_argument_invalid',
      message: 'Invalid query method: limit',
    })
  })

  test('values exactly at the limits are allowed', () => {
    expect(read(...Array.from({ length: 100 }, () => 'limit(1)')).limit).toBe(1)
    expect(read(many(100)).filters).toHaveLength(1)
    expect(read(deep(8)).filters).toHaveLength(1)
    expect(read(`equal("title", ["${'a'.repeat(4096 - 20)}"])`).filters).toHaveLength(1)
  })
})
