// Aliases of the API's post attributes (api.md §3.6): translated in bodies and queries,
// returned next to the specified names, and never stored.
import { expect, test } from 'vitest'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const share = shareBlog(() => openBlogOn('SQLite'))
const ROWS = '/tablesdb/blogdb/tables/posts/rows'

test('a post that is sent with userId is returned with every alias, by every call', async () => {
  const blog = await share()
  const { alice } = blog
  const names = { userid: alice.id, userId: alice.id, user_id: alice.id, authorId: alice.id }
  const data = { title: 'a', userId: alice.id }
  const created = await blog.create(alice, data, { documentId: 'named' })
  expect(created).toMatchObject({ status: 201, body: { ...names, username: alice.name } })
  expect((await blog.get(undefined, 'named')).body).toMatchObject(names)
  expect((await blog.patch(alice, 'named', { title: 'b' })).body).toMatchObject(names)
  const listed = await blog.list(undefined, 'equal("$id", ["named"])')
  expect(listed.body.documents).toMatchObject([names])
  const row = await blog.call('GET', `${ROWS}/named`)
  expect(row.body).toMatchObject(names)
})

test.each([
  (id: string) => `equal("userId", ["${id}"])`,
  (id: string) => JSON.stringify({ method: 'equal', attribute: 'authorId', values: [id] }),
  (id: string) =>
    JSON.stringify({
      method: 'or',
      values: [{ method: 'equal', attribute: 'user_id', values: [id] }],
    }),
])(
  'aliases are accepted in queries of both notations, and in nested queries: case %#',
  async (query) => {
    const blog = await share()
    const { alice, bob } = blog
    const id = await blog.post(alice)
    const answer = await blog.list(undefined, query(alice.id))
    expect(answer.body.documents.map(({ $id }: { $id: string }) => $id)).toContain(id)
    expect((await blog.list(undefined, query(bob.id))).body.documents).toEqual([])
  },
)

test('a value that looks like an alias remains a value', async () => {
  const blog = await share()
  const id = await blog.post(blog.alice, { title: 'userId' })
  const answer = await blog.list(undefined, 'equal("title", ["userId"])')
  expect(answer.body.documents).toMatchObject([{ $id: id }])
})

test('a select returns only the aliases that it names', async () => {
  const blog = await share()
  const id = await blog.post(blog.alice)
  const { body } = await blog.get(undefined, id, 'select(["userId", "title"])')
  expect(body).toMatchObject({ userId: blog.alice.id })
  expect(body.authorId).toBe(undefined)
})

test('sending a whole post back with another title changes only the title', async () => {
  const blog = await share()
  const id = await blog.post(blog.alice)
  const before = (await blog.get(blog.alice, id)).body
  const changed = await blog.patch(blog.alice, id, { ...before, title: 'Another' })
  expect(changed).toMatchObject({ status: 200, body: { title: 'Another', userid: blog.alice.id } })
})

test('two aliases of one attribute with different values are refused', async () => {
  const blog = await share()
  const { alice, bob } = blog
  const data = { title: 'a', userid: alice.id, userId: bob.id }
  expect((await blog.create(alice, data)).body).toMatchObject({
    code: 400,
    message:
      'Invalid document structure: Attributes "userid" and "userId" are the same and have different values',
  })
})

test('nobody can write a post as another user, whatever alias they use', async () => {
  const blog = await share()
  const { alice, bob } = blog
  for (const name of ['userid', 'userId', 'user_id', 'authorId', 'author_id'])
    expect(await blog.create(alice, { title: 'a', [name]: bob.id })).toMatchObject({ status: 401 })
})
