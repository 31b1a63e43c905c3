// The TablesDB form of the document calls, used by the newest client and by raw requests: it has
// the same routes, rules and counts as the older form.
import { Client, Query, TablesDB } from 'appwrite-newest'
import { expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'

const ROWS = '/tablesdb/blogdb/tables/posts/rows'
const TABLE = { databaseId: 'blogdb', tableId: 'posts' }

async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog(env)
  const alice = await blog.makePerson('alice')
  return {
    ...blog,
    ...makeDocuments(blog),
    alice,
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

function tablesOf({ url }: TestBlog, { cookie }: Person): TablesDB {
  const session = decodeURIComponent(/a_session_blog_\d+=([^;]+)/.exec(cookie)?.[1] ?? '')
  return new TablesDB(new Client().setEndpoint(`${url}/v1`).setProject('blog').setSession(session))
}

test('the newest client writes, lists, reads, changes and deletes rows', async () => {
  await using blog = await start()
  const rows = tablesOf(blog, blog.alice)
  const row = await rows.createRow({ ...TABLE, rowId: 'one', data: { title: 'Hello' } })
  expect(row).toMatchObject({
    $id: 'one',
    title: 'Hello',
    $tableId: 'posts',
    $databaseId: 'blogdb',
  })
  expect(row).not.toHaveProperty('$collectionId')
  const asDocument = (await blog.get(undefined, 'one')).body
  expect(asDocument).toMatchObject({ $id: 'one', $collectionId: 'posts' })

  const list = await rows.listRows({ ...TABLE, queries: [Query.equal('title', 'Hello')] })
  expect(list.total).toBe(1)
  expect(list.rows).toEqual([row])
  expect(list).not.toHaveProperty('documents')
  expect(await rows.getRow({ ...TABLE, rowId: 'one' })).toEqual(row)
  const data = { ...row, title: 'Changed' }
  expect(await rows.updateRow({ ...TABLE, rowId: 'one', data })).toMatchObject({
    title: 'Changed',
    $tableId: 'posts',
  })
  await rows.deleteRow({ ...TABLE, rowId: 'one' })
  expect((await blog.get(blog.alice, 'one')).status).toBe(404)
})

test('refusals name rows and tables', async () => {
  await using blog = await start()
  const { alice } = blog
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await blog.call(method, path, { cookie: alice.cookie, body })
    return { status: answer.status, type: answer.body.type, message: answer.body.message }
  }
  await blog.create(alice, { title: 'One' }, { documentId: 'one' })
  const data = { title: 'One' }
  for (const [method, path, body, status, type] of [
    ['GET', `${ROWS}/none`, undefined, 404, 'row_not_found'],
    ['POST', ROWS, { rowId: 'one', data }, 409, 'row_already_exists'],
    ['POST', ROWS, { rowId: 'two', data: {} }, 400, 'row_missing_data'],
    ['POST', ROWS, { rowId: 'two', data: { title: 1 } }, 400, 'row_invalid_structure'],
    ['PATCH', `${ROWS}/one`, {}, 400, 'row_missing_payload'],
    ['GET', '/tablesdb/blogdb/tables/none/rows', undefined, 404, 'table_not_found'],
    ['GET', '/tablesdb/none/tables/posts/rows', undefined, 404, 'database_not_found'],
  ] as const)
    expect(await call(method, path, body)).toMatchObject({ status, type })
  expect(await call('POST', ROWS, { rowId: '-', data })).toMatchObject({
    status: 400,
    type: 'general_argument_invalid',
    message: expect.stringMatching(/^Invalid `rowId` param: /),
  })
  expect(await call('POST', ROWS, { data })).toMatchObject({
    status: 400,
    message: 'Param "rowId" is not optional.',
  })
})

test('the two forms of calls cannot be mixed', async () => {
  await using blog = await start()
  const { alice } = blog
  const body = { documentId: 'one', data: { title: 'One' } }
  for (const [method, path] of [
    ['POST', ROWS],
    ['POST', '/tablesdb/blogdb/tables/posts/documents'],
    ['POST', '/tablesdb/blogdb/collections/posts/rows'],
    ['POST', '/databases/blogdb/tables/posts/rows'],
    ['GET', '/tablesdb/blogdb/tables/posts/documents'],
    ['GET', '/TablesDB/blogdb/tables/posts/rows'],
  ] as const) {
    const options = method === 'GET' ? {} : { body }
    const { status } = await blog.call(method, path, { cookie: alice.cookie, ...options })
    expect([400, 404]).toContain(status)
  }
  expect((await blog.list('key')).body.total).toBe(0)
  // An ID that is also a word of the path is still an ID.
  const created = await blog.call('POST', ROWS, {
    cookie: alice.cookie,
    body: { rowId: 'rows', data: { title: 'One', $tableId: 'posts' } },
  })
  expect(created).toMatchObject({ status: 201, body: { $id: 'rows' } })
  expect((await blog.call('GET', `${ROWS}/rows`)).body).toEqual(created.body)
})

test('a write counts once against the rate limit, whichever form it has', async () => {
  await using blog = await start({ BLOG_RATE_LIMITS: 'on' })
  const { alice } = blog
  const remaining = async (path: string, name: string) => {
    const answer = await blog.call('POST', path, {
      cookie: alice.cookie,
      body: { [name]: 'unique()', data: { title: 'One' } },
    })
    return Number(answer.headers.get('x-ratelimit-remaining'))
  }
  const first = await remaining(DOCUMENTS, 'documentId')
  expect(await remaining(ROWS, 'rowId')).toBe(first - 1)
  expect(await remaining(DOCUMENTS, 'documentId')).toBe(first - 2)
})

test('calls that exist only on this blog have a TablesDB form, too', async () => {
  await using blog = await start()
  const { alice } = blog
  await blog.create(alice, { title: 'One' }, { documentId: 'one' })
  const neighbours = await blog.call('GET', `${ROWS}/one/around`)
  expect(neighbours).toMatchObject({ status: 200, body: { previous: null, next: null } })
  const hidden = await blog.call('PATCH', `${ROWS}/one/hidden`, {
    headers: { 'x-appwrite-key': blog.apiKey },
    body: { hidden: true },
  })
  expect(hidden).toMatchObject({ status: 200, body: { $id: 'one', $tableId: 'posts' } })
})
