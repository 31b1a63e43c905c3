// Comments over real HTTP: by published client packages, from the cache, live, and limited.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { openLine } from '#test/support/realtime.ts'

const COMMENTS = '/databases/blogdb/collections/comments/documents'
const DAY_MS = 86_400_000

/** People whose accounts are not new, and a post of alice. */
async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog({ BLOG_READING: 'everyone', ...env })
  const [alice, bob] = [await blog.makePerson('alice'), await blog.makePerson('bob')]
  blog.passTime(2 * DAY_MS)
  const postId = await makeDocuments(blog).post(alice)
  const write = (person: Person, content: string, more: object = {}) =>
    blog.call('POST', COMMENTS, {
      body: { documentId: 'unique()', data: { postId, content, ...more } },
      cookie: person.cookie,
    })
  const approve = (id: string, person = alice, status = 'shown') =>
    blog.call('PATCH', `${COMMENTS}/${id}`, { body: { data: { status } }, cookie: person.cookie })
  const page = (query = '', person?: Person) =>
    blog.call('GET', `${DOCUMENTS}/${postId}/comments${query}`, person ?? {})
  return {
    ...{ blog, alice, bob, postId, write, approve, page },
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

function clientsOf(blog: TestBlog, person: Person) {
  const old = new web13.Client().setEndpoint(`${blog.url}/v1`).setProject('blog')
  const next = new webNewest.Client().setEndpoint(`${blog.url}/v1`).setProject('blog')
  for (const { headers } of [old, next] as unknown as { headers: Record<string, string> }[])
    headers.cookie = person.cookie
  return { old: new web13.Databases(old), next: new webNewest.TablesDB(next) }
}

describe('comments', () => {
  test('published packages write, list, change and delete them, as documents and as rows', async () => {
    await using started = await start()
    const { blog, alice, postId } = started
    const { old, next } = clientsOf(blog, alice)
    const { Query, ID } = web13
    const data = { postId, content: 'By a package' }
    const made = await old.createDocument('blogdb', 'comments', ID.unique(), data)
    const row = await next.createRow({
      ...{ databaseId: 'blogdb', tableId: 'comments', rowId: ID.unique() },
      data: { postId, parentId: made.$id, content: 'A reply' },
    })
    expect(row).toMatchObject({ $tableId: 'comments', parentId: made.$id, content: 'A reply' })
    const asked = [Query.equal('postId', postId), Query.orderDesc('$createdAt'), Query.limit(1)]
    const listed = await old.listDocuments('blogdb', 'comments', asked)
    expect(listed).toMatchObject({ total: 2, documents: [{ $id: row.$id }] })
    const rest = await old.listDocuments('blogdb', 'comments', [
      ...[...asked, Query.cursorAfter(row.$id)],
    ])
    expect(rest.documents.map(({ $id }) => $id)).toEqual([made.$id])
    const edited = await old.updateDocument('blogdb', 'comments', made.$id, { content: 'Edited' })
    expect(edited).toMatchObject({ content: 'Edited', editedAt: expect.stringMatching(/^2\d{3}-/) })
    expect(await old.getDocument('blogdb', 'comments', made.$id)).toEqual(edited)
    await old.deleteDocument('blogdb', 'comments', row.$id)
    await old.deleteDocument('blogdb', 'comments', made.$id)
    await expect(old.getDocument('blogdb', 'comments', made.$id)).rejects.toMatchObject({
      code: 404,
      type: 'document_not_found',
    })
  })

  test('other collections and databases are still unknown', async () => {
    await using started = await start()
    const { blog, alice } = started
    const body = { documentId: 'unique()', data: { postId: 'p', content: 'x' } }
    for (const [path, type] of [
      ['/databases/blogdb/collections/others/documents', 'collection_not_found'],
      ['/databases/other/collections/comments/documents', 'database_not_found'],
    ] as const)
      for (const method of ['GET', 'POST'])
        expect(
          (await blog.call(method, path, method === 'GET' ? {} : { body, cookie: alice.cookie }))
            .body.type,
        ).toBe(type)
  })

  test('a first comment waits, is seen by few, and is approved; guests read it from the cache', async () => {
    await using started = await start()
    const { alice, bob, write, approve, page } = started
    const made = await write(bob, 'First words')
    expect(made).toMatchObject({ status: 201, body: { status: 'waiting', hasLinks: false } })
    for (const person of [undefined, alice, bob]) {
      const { body } = await page('', person)
      expect([body.total, body.comments.length]).toEqual([0, person ? 1 : 0])
    }
    await approve(made.body.$id)
    for (let round = 0; round < 3; round++)
      expect((await page()).body).toMatchObject({
        ...{ total: 1, comments: [{ content: 'First words', hasLinks: true }] },
      })
    await approve(made.body.$id, alice, 'hidden')
    const hidden = (await page()).body.comments[0]
    expect(hidden).toMatchObject({ content: '', userName: '', userId: '', hiddenBy: 'author' })
    expect((await page('', bob)).body.comments[0]).toMatchObject({ content: 'First words' })
    expect((await write(bob, 'Second words')).body.status).toBe('waiting')
  })

  test('readers hear of comments, of waiting and hidden words only those whom they concern', async () => {
    await using started = await start()
    const { blog, alice, bob, write, approve } = started
    const channels = ['databases.blogdb.collections.comments.documents']
    using guest = openLine(blog, { channels })
    using author = openLine(blog, { channels, cookie: alice.cookie })
    using writer = openLine(blog, { channels, cookie: bob.cookie })
    for (const line of [guest, author, writer]) await line.next()
    const { $id } = (await write(bob, 'Secret words')).body
    for (const line of [author, writer])
      expect((await line.next()).data).toMatchObject({
        events: expect.arrayContaining([`${channels[0]}.${$id}.create`]),
        payload: { $id, content: 'Secret words', status: 'waiting' },
      })
    await approve($id)
    for (const line of [guest, author, writer])
      expect((await line.next()).data.payload).toMatchObject({ $id, status: 'shown' })
    await approve($id, alice, 'hidden')
    for (const line of [guest, author, writer])
      expect((await line.next()).data.payload).toMatchObject({ $id, status: 'hidden', content: '' })
    for (const line of [author, writer])
      expect((await line.next()).data.payload).toMatchObject({ content: 'Secret words' })
    await write(alice, 'The last one')
    expect((await guest.next()).data.payload).toMatchObject({ content: 'The last one' })
    expect(guest.messages.length).toBe(4)
  })
})
