// What the command line tool of the hosted API sends when it pushes and pulls a project with one
// collection (versions 6 to 12, as seen on the wire), and how it compares the answers with its own
// file: a second push finds nothing to do.
import { expect, test } from 'vitest'
import type { TestBlog } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/own-blog.ts'

type Column = Record<string, unknown> & { key: string; type: string; format?: string }

/** As its file has them: what the hosted API does not have of a kind is absent. */
const common = { required: false, array: false, default: null }
const COLUMNS: Column[] = [
  { ...common, key: 'title', type: 'string', required: true, size: 255 },
  { ...common, key: 'content', type: 'string', required: true, size: 65_535 },
  { ...common, key: 'featuredImage', type: 'string', size: 255 },
  { ...common, key: 'status', type: 'string', required: true, size: 20 },
  { ...common, key: 'userId', type: 'string', required: true, size: 36 },
  { ...common, key: 'slug', type: 'string', size: 255 },
  { ...common, key: 'views', type: 'integer', min: 0, max: 1_000_000, default: 0 },
  { ...common, key: 'rating', type: 'double', min: 0, max: 5 },
  { ...common, key: 'featured', type: 'boolean', default: false },
  { ...common, key: 'publishedAt', type: 'datetime', format: '' },
  { ...common, key: 'mood', type: 'string', format: 'enum', elements: ['a', 'b'], default: 'a' },
  { ...common, key: 'link', type: 'string', format: 'url' },
  { ...common, key: 'mail', type: 'string', format: 'email' },
  { ...common, key: 'tags', type: 'string', size: 50, array: true },
]
const INDEX = { key: 'by_status', type: 'key', orders: ['ASC'] }
/** What it compares before it makes a column anew, and those that it changes in place. */
const COMPARED = ['key', 'type', 'array', 'size', 'format', 'encrypt']
const CHANGED = ['required', 'default', 'min', 'max', 'elements']

const SPELLINGS = {
  collections: { root: '/databases', table: 'collections', columns: 'attributes' },
  tables: { root: '/tablesdb', table: 'tables', columns: 'columns' },
} as const
type Spelling = (typeof SPELLINGS)[keyof typeof SPELLINGS]

const RUNS = (['collections', 'tables'] as const).flatMap((name) =>
  [{}, { BLOG_EXTRA_ATTRIBUTES: 'on' }].map((env) => ({ name, env })),
)

test.each(RUNS)(
  'a push of $name ends well with $env, a second one changes nothing',
  async ({ name, env }) => {
    await using blog = await openBlogOn('SQLite', env)
    const tool = makeTool(blog, SPELLINGS[name])
    await tool.push()
    expect(await tool.differences()).toEqual([])
    expect(await tool.push()).toEqual([])
    await tool.pull()

    const data = { title: 'Pushed', content: 'x', status: 'active', slug: 'pushed', tags: ['a'] }
    const made = await blog.create(blog.alice, { ...data, userId: blog.alice.id })
    expect(made).toMatchObject({ status: 201, body: { ...data, views: 0, mood: 'a', link: null } })
    expect(await blog.create(blog.alice, { ...data, views: -1 })).toMatchObject({ status: 400 })
  },
)

function makeTool(blog: TestBlog, { root, table, columns }: Spelling) {
  const path = `${root}/blogdb/${table}/posts`
  const paged = `?${['limit', 'offset']
    .map((method, at) => {
      const query = JSON.stringify({ method, values: [method === 'limit' ? 100 : 0] })
      return `queries%5B${at}%5D=${encodeURIComponent(query)}`
    })
    .join('&')}`
  /** Any error answer ends the tool. */
  const call = async (method: string, to: string, body?: unknown) => {
    const headers = { 'x-appwrite-key': blog.apiKey }
    const answer = await blog.call(method, to, { headers, ...(body ? { body } : {}) })
    expect([to, answer.status < 300]).toEqual([to, true])
    return answer.body
  }
  const remote = async (): Promise<Column[]> => (await call('GET', path))[columns]
  const differs = (one: Column, names: string[]) => {
    const local = COLUMNS.find(({ key }) => key === one.key)
    return names.some((name) => {
      const [there, here] = [one[name], local?.[name]]
      const isNothing = (value: unknown) => value === undefined || value === null || value === ''
      return isNothing(there) && isNothing(here)
        ? false
        : name in one && JSON.stringify(there) !== JSON.stringify(here)
    })
  }
  const declare = ({ type, format, key, ...rest }: Column) => {
    const kind = format || (type === 'double' ? 'float' : type)
    return call('POST', `${path}/${columns}/${kind}`, { key, ...rest })
  }
  return {
    async differences() {
      return (await remote()).filter((one) => differs(one, [...COMPARED, ...CHANGED]))
    },
    /** @returns the names of what it made or removed */
    async push(): Promise<string[]> {
      await call('GET', `${root}${paged}`)
      await call('GET', `${root}/blogdb`)
      await call('PUT', `${root}/blogdb`, { name: 'Blog', enabled: true })
      const security = table === 'tables' ? 'rowSecurity' : 'documentSecurity'
      const permissions = ['create("users")', 'read("any")']
      await call('PUT', path, { name: 'Posts', permissions, [security]: true })
      const before = await remote()
      const unlike = before.filter(
        (one) => !COLUMNS.some(({ key }) => key === one.key) || differs(one, COMPARED),
      )
      for (const { key } of unlike) await call('DELETE', `${path}/${columns}/${key}`, {})
      const kept = before.filter((one) => !unlike.includes(one)).map(({ key }) => key)
      const absent = COLUMNS.filter(({ key }) => !kept.includes(key))
      for (const column of absent) await declare(column)
      // It waits until all of them are there.
      const listed = await call('GET', `${path}/${columns}${paged}`)
      for (const one of listed[columns]) expect(one.status).toBe('available')
      for (const one of (await remote()).filter((column) => differs(column, CHANGED)))
        await change(COLUMNS.find(({ key }) => key === one.key) as Column)
      const { indexes } = await call('GET', `${path}/indexes${paged}`)
      if (indexes.length === 0)
        await call('POST', `${path}/indexes`, { ...INDEX, [columns]: ['status'] })
      return [...unlike, ...absent].map(({ key }) => key)
    },
    async pull() {
      await call('GET', `${root}${paged}`)
      const found = await call('GET', `${root}/blogdb/${table}${paged}`)
      expect(found[table][0][columns]).toHaveLength(COLUMNS.length)
      expect(found[table][0].indexes).toMatchObject([{ ...INDEX, [columns]: ['status'] }])
      expect((await call('GET', `/storage/buckets${paged}`)).total).toBe(2)
    },
  }

  function change({ type, format, key, ...rest }: Column) {
    const kind = format || (type === 'double' ? 'float' : type)
    return call('PATCH', `${path}/${columns}/${kind}/${key}`, rest)
  }
}
