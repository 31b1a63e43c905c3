// Comments over real HTTP: with published client packages, from the cache, in realtime and with
// limits.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readBuiltPages } from '#backend/pages/built-pages.ts'
import { RATE } from '#contract/limits.ts'
import { makeTestBlog, type Person, SAME_SECRETS, type TestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { readAtom, textsOf } from '#test/support/feeds.ts'
import { HOSTILE_HTML, HOSTILE_MARKDOWN } from '#test/support/hostile-texts.ts'
import { openSocket } from '#test/support/realtime.ts'
import { sampled } from '#test/support/sampled.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const COMMENTS = '/databases/blogdb/collections/comments/documents'
const DAY_MS = 86_400_000

const EVERYONE = { BLOG_READING: 'everyone' }
const share = shareBlog(() => makeTestBlog(EVERYONE))

/**
 * Users with accounts that are not new, and a post by alice; by default on the shared blog.
 */
async function start(ownBlog?: TestBlog) {
  const blog = ownBlog ?? (await share())
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
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
  return { blog, alice, bob, postId, write, approve, page }
}

function clientsOf(blog: TestBlog, person: Person) {
  const old = new web13.Client().setEndpoint(`${blog.url}/v1`).setProject('blog')
  const next = new webNewest.Client().setEndpoint(`${blog.url}/v1`).setProject('blog')
  for (const { headers } of [old, next]) Object.assign(headers, { cookie: person.cookie })
  return { old: new web13.Databases(old), next: new webNewest.TablesDB(next) }
}

/** All comments of one user on this blog, as `caller` gets them. */
function listCommentsOf(blog: TestBlog, writer: Person, caller?: Person) {
  const ofWriter = { method: 'equal', attribute: 'userId', values: [writer.id] }
  const query = encodeURIComponent(JSON.stringify(ofWriter))
  return blog.call('GET', `${COMMENTS}?queries[]=${query}`, caller ?? {})
}

describe('comments', () => {
  test('members list all comments that they have written', async () => {
    const { blog, alice, bob, write } = await start()
    await write(bob, 'One')
    await write(alice, 'Not his')
    await write(bob, 'Two')
    expect((await listCommentsOf(blog, bob, bob)).body).toMatchObject({
      total: 2,
      documents: [{ content: 'One' }, { content: 'Two' }],
    })
  })

  test('nobody can list all comments by another user', async () => {
    const { blog, alice, bob, write } = await start()
    await write(bob, 'One')
    for (const caller of [alice, undefined]) {
      const answer = await listCommentsOf(blog, bob, caller)
      expect(answer).toMatchObject({ status: 401 })
      expect(answer.bytes.toString()).not.toContain('One')
    }
  })

  test('a deleted comment is no longer in the list of its writer', async () => {
    const { blog, bob, write } = await start()
    await write(bob, 'One')
    const second = await write(bob, 'Two')
    const answer = await blog.call('DELETE', `${COMMENTS}/${second.body.$id}`, {
      cookie: bob.cookie,
    })
    expect(answer.status).toBe(204)
    const { body } = await listCommentsOf(blog, bob, bob)
    expect(body).toMatchObject({ total: 1, documents: [{ content: 'One' }] })
  })

  test('members cannot list their comments on a post that they may no longer read', async () => {
    const { blog, alice, bob, postId, write } = await start()
    await write(bob, 'One')
    const data = { status: 'inactive' }
    await blog.call('PATCH', `${DOCUMENTS}/${postId}`, { cookie: alice.cookie, body: { data } })
    expect((await listCommentsOf(blog, bob, bob)).body).toEqual({ total: 0, documents: [] })
  })

  test('the oldest and the newest package write comments as documents and as rows', async () => {
    const { blog, alice, postId } = await start()
    const { old, next } = clientsOf(blog, alice)
    const data = { postId, content: 'By a package' }
    const comment = await old.createDocument('blogdb', 'comments', web13.ID.unique(), data)
    expect(comment).toMatchObject({ $collectionId: 'comments', ...data })
    const reply = { postId, parentId: comment.$id, content: 'A reply' }
    const row = await next.createRow({
      databaseId: 'blogdb',
      tableId: 'comments',
      rowId: web13.ID.unique(),
      data: reply,
    })
    expect(row).toMatchObject({ $tableId: 'comments', ...reply })
  })

  test('a package lists comments page by page', async () => {
    const { blog, alice, postId, write } = await start()
    const { old } = clientsOf(blog, alice)
    const first = (await write(alice, 'The first')).body
    const second = (await write(alice, 'The second')).body
    const { Query } = web13
    const queries = [Query.equal('postId', postId), Query.orderDesc('$createdAt'), Query.limit(1)]
    const page = await old.listDocuments('blogdb', 'comments', queries)
    expect(page).toMatchObject({ total: 2, documents: [{ $id: second.$id }] })
    const next = await old.listDocuments('blogdb', 'comments', [
      ...queries,
      Query.cursorAfter(second.$id),
    ])
    expect(next.documents.map(({ $id }) => $id)).toEqual([first.$id])
  })

  test('a package changes a comment, which then shows when it was edited', async () => {
    const { blog, alice, write } = await start()
    const { old } = clientsOf(blog, alice)
    const { $id } = (await write(alice, 'As written')).body
    const edited = await old.updateDocument('blogdb', 'comments', $id, { content: 'Edited' })
    expect(edited).toMatchObject({ content: 'Edited', editedAt: expect.stringMatching(/^2\d{3}-/) })
    expect(await old.getDocument('blogdb', 'comments', $id)).toEqual(edited)
  })

  test('a comment that a package has deleted is not found', async () => {
    const { blog, alice, write } = await start()
    const { old } = clientsOf(blog, alice)
    const { $id } = (await write(alice, 'With a reply')).body
    const reply = (await write(alice, 'The reply', { parentId: $id })).body
    for (const id of [reply.$id, $id]) await old.deleteDocument('blogdb', 'comments', id)
    await expect(old.getDocument('blogdb', 'comments', $id)).rejects.toMatchObject({
      code: 404,
      type: 'document_not_found',
    })
  })

  test('a program may name only its own user as the writer, and the name is that of the account', async () => {
    const started = await start()
    const { alice, bob, write } = started
    const data = { userId: alice.id, userName: 'Somebody else', parentId: null }
    expect(await write(alice, 'Mine', data)).toMatchObject({
      status: 201,
      body: { userId: alice.id, userName: alice.name, parentId: '' },
    })
    expect(await write(bob, 'Not mine', data)).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized' },
    })
  })

  for (const [tags, count] of sampled([3, 50], 2))
    test(`a page contains the text of each comment once: ${count} comments of the greatest length`, {
      tags,
    }, async () => {
      await using blog = await makeTestBlog(EVERYONE, { pages: await readBuiltPages() })
      const { alice, bob, postId, write, page } = await start(blog)
      const longest = ['語'.repeat(4980), '&'.repeat(2380), '>a\nb\n'.repeat(60)]
      for (let index = 0; index < count; index++) {
        const content = `${longest[index % 3]} the end ${index}.`
        expect((await write(alice, content)).status).toBe(201)
      }
      for (const person of [alice, bob, undefined]) {
        const headers = person ? { cookie: person.cookie } : {}
        const html = await (await fetch(`${blog.url}/post/${postId}`, { headers })).text()
        expect(html.match(/the end \d+\./g)?.length).toBe(count)
        expect(Buffer.byteLength(html)).toBeLessThan(800_000)
        expect((await page('', person)).bytes.length).toBeLessThan(500_000)
      }
    })

  test('other collections and databases are still unknown', async () => {
    const started = await start()
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

  test('the first comment by a user waits: only the post’s author and the writer see it', async () => {
    const { alice, bob, write, page } = await start()
    const answer = await write(bob, 'First words')
    expect(answer).toMatchObject({ status: 201, body: { status: 'waiting', hasLinks: false } })
    for (const person of [undefined, alice, bob]) {
      const { body } = await page('', person)
      expect([body.total, body.comments.length]).toEqual([0, person ? 1 : 0])
    }
  })

  test('guests can read an approved comment with its links, also from the cache', async () => {
    const { bob, write, approve, page } = await start()
    const { $id } = (await write(bob, 'First words')).body
    await approve($id)
    for (let round = 0; round < 3; round++)
      expect((await page()).body).toMatchObject({
        total: 1,
        comments: [{ content: 'First words', hasLinks: true }],
      })
  })

  test('only the writer sees the text of a hidden comment and its writer’s name', async () => {
    const { alice, bob, write, approve, page } = await start()
    const { $id } = (await write(bob, 'First words')).body
    await approve($id)
    await approve($id, alice, 'hidden')
    const hidden = (await page()).body.comments[0]
    expect(hidden).toMatchObject({ content: '', userName: '', userId: '', hiddenBy: 'author' })
    expect((await page('', bob)).body.comments[0]).toMatchObject({ content: 'First words' })
  })

  test('a further comment by a user whose only comment was hidden still waits', async () => {
    const { alice, bob, write, approve } = await start()
    const { $id } = (await write(bob, 'First words')).body
    await approve($id)
    await approve($id, alice, 'hidden')
    expect((await write(bob, 'Second words')).body.status).toBe('waiting')
  })
})

describe('the realtime events of comments', () => {
  const channels = ['databases.blogdb.collections.comments.documents']

  /** Open sockets of a guest, of the post's author and of the comment's writer. */
  async function startWithSockets() {
    const started = await start()
    const { blog, alice, bob } = started
    const guest = openSocket(blog, { channels })
    const author = openSocket(blog, { channels, cookie: alice.cookie })
    const writer = openSocket(blog, { channels, cookie: bob.cookie })
    const sockets = [guest, author, writer]
    onTestFinished(() => {
      for (const socket of sockets) socket[Symbol.dispose]()
    })
    for (const socket of sockets) await socket.next()
    return { ...started, guest, author, writer, sockets }
  }

  test('a waiting comment is sent to the post’s author and its writer, and not to guests', async () => {
    const { alice, bob, write, guest, author, writer } = await startWithSockets()
    const { $id } = (await write(bob, 'Secret words')).body
    for (const socket of [author, writer])
      expect((await socket.next()).data).toMatchObject({
        events: expect.arrayContaining([`${channels[0]}.${$id}.create`]),
        payload: { $id, content: 'Secret words', status: 'waiting' },
      })
    await write(alice, 'The last one')
    expect((await guest.next()).data.payload).toMatchObject({ content: 'The last one' })
    expect(guest.messages.length).toBe(2)
  })

  test('an approved comment is sent to everybody', async () => {
    const { bob, write, approve, author, writer, sockets } = await startWithSockets()
    const { $id } = (await write(bob, 'Secret words')).body
    for (const socket of [author, writer]) await socket.next()
    await approve($id)
    for (const socket of sockets)
      expect((await socket.next()).data.payload).toMatchObject({ $id, status: 'shown' })
  })

  test('a hidden comment is sent without its text to all, then with it to the post’s author and its writer', async () => {
    const { alice, bob, write, approve, ...started } = await startWithSockets()
    const { guest, author, writer, sockets } = started
    const { $id } = (await write(bob, 'Secret words')).body
    for (const socket of [author, writer]) await socket.next()
    await approve($id)
    for (const socket of sockets) await socket.next()
    await approve($id, alice, 'hidden')
    for (const socket of sockets)
      expect((await socket.next()).data.payload).toMatchObject({
        $id,
        status: 'hidden',
        content: '',
      })
    for (const socket of [author, writer])
      expect((await socket.next()).data.payload).toMatchObject({ content: 'Secret words' })
    await write(alice, 'The last one')
    expect((await guest.next()).data.payload).toMatchObject({ content: 'The last one' })
    expect(guest.messages.length).toBe(4)
  })
})

describe('the text of comments', () => {
  for (const [tags, oneOf] of sampled([4, 1], 2))
    test(`hostile texts, one in ${oneOf}, and names are plain text in answers and in the feed`, {
      tags,
    }, async () => {
      const started = await start()
      const { blog, alice, postId, write, approve } = started
      const texts = [
        ...[...HOSTILE_HTML, ...HOSTILE_MARKDOWN].filter((_, at) => at % oneOf === 0),

        ']]></content><entry>&#0;&#1;\ufffe',
        '&amp;<!-- <?xml --> \u202egnp.exe',
        '\ud800 half',
      ]
      const name = ']]><script>alert(1)</script>&lt;'
      await blog.call('PATCH', '/account/name', { cookie: alice.cookie, body: { name } })
      for (const text of texts) {
        const { body } = await write(alice, text)
        expect(body.content).toBe(text.replace(/\r\n?/g, '\n').toWellFormed().trim())
      }
      expect(texts.length).toBeGreaterThan(25 / oneOf)
      const response = await fetch(`${blog.url}/post/${postId}/comments.xml`)
      expect(response.headers.get('content-security-policy')).toContain('sandbox')
      const feed = await response.text()
      expect(readAtom(feed).items).toHaveLength(texts.length)
      const printable = (text: string) => text.toWellFormed().trim().replaceAll('\ufffe', '')
      expect(textsOf(feed, '//atom:entry/atom:content').toSorted()).toEqual(
        texts.map(printable).toSorted(),
      )
      expect(new Set(textsOf(feed, '//atom:entry/atom:author/atom:name'))).toEqual(new Set([name]))
      await approve((await write(alice, 'The last')).body.$id, alice, 'hidden')
      const after = await (await fetch(`${blog.url}/post/${postId}/comments.xml`)).text()
      expect(after).not.toContain('The last')
    })

  test('a user can write only so many comments a minute', async () => {
    await using blog = await makeTestBlog({ ...EVERYONE, BLOG_RATE_LIMITS: 'on' })
    const { alice, write, page } = await start(blog)
    const [max] = RATE.commentPerUser
    for (let index = 0; index < max; index++)
      expect((await write(alice, `nr ${index}`)).status).toBe(201)
    const refused = await write(alice, 'one too many')
    expect(refused).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await page()).body.total).toBe(max)
  })
})

describe('another process', () => {
  const shareTwo = shareBlog(async () => {
    const blog = await makeTestBlog({ ...EVERYONE, ...SAME_SECRETS })
    const other = await makeTestBlog({
      ...EVERYONE,
      BLOG_DATA_DIR: blog.dataDir,
      ...SAME_SECRETS,
    })
    return {
      ...blog,
      other,
      passTime(ms: number) {
        blog.passTime(ms)
        other.passTime(ms)
      },
      async [Symbol.asyncDispose]() {
        await other[Symbol.asyncDispose]()
        await blog[Symbol.asyncDispose]()
      },
    }
  })

  async function startTwo() {
    const blog = await shareTwo()
    const started = await start(blog)
    const { postId } = started
    /** State and total of the post's comments, and the texts of the list, in the other process. */
    const readOther = async () => {
      const { body } = await blog.other.call('GET', `${DOCUMENTS}/${postId}/comments`)
      const query = `equal("postId",["${postId}"])`
      const list = await blog.other.call('GET', `${COMMENTS}?queries[]=${query}`)
      const contents = list.body.documents.map(({ content }: { content: string }) => content)
      return [body.state, body.total, contents]
    }
    expect(await readOther()).toEqual(['open', 0, []])
    return { ...started, readOther }
  }

  test('does not show guests a waiting comment', async () => {
    const { bob, write, readOther } = await startTwo()
    expect((await write(bob, 'Words')).status).toBe(201)
    expect(await readOther()).toEqual(['open', 0, []])
  })

  test('shows a comment as soon as it is approved', async () => {
    const { bob, write, approve, readOther } = await startTwo()
    const { $id } = (await write(bob, 'Words')).body
    expect(await readOther()).toEqual(['open', 0, []])
    await approve($id)
    expect(await readOther()).toEqual(['open', 1, ['Words']])
  })

  test('shows no text of a comment as soon as it is hidden', async () => {
    const { alice, bob, write, approve, readOther } = await startTwo()
    const { $id } = (await write(bob, 'Words')).body
    await approve($id)
    expect(await readOther()).toEqual(['open', 1, ['Words']])
    await approve($id, alice, 'hidden')
    expect(await readOther()).toEqual(['open', 0, ['']])
  })

  test('shows that comments are closed as soon as they are', async () => {
    const { blog, alice, postId, readOther } = await startTwo()
    await blog.call('PATCH', `${DOCUMENTS}/${postId}/comments`, {
      body: { closed: true },
      cookie: alice.cookie,
    })
    expect(await readOther()).toEqual(['closed', 0, []])
  })

  test('no longer shows a comment as soon as it is deleted', async () => {
    const { blog, bob, write, approve, readOther } = await startTwo()
    const { $id } = (await write(bob, 'Words')).body
    await approve($id)
    expect(await readOther()).toEqual(['open', 1, ['Words']])
    await blog.call('DELETE', `${COMMENTS}/${$id}`, { cookie: bob.cookie, body: {} })
    expect(await readOther()).toEqual(['open', 0, []])
  })
})

describe('the comments by a deleted user', () => {
  test('are deleted, and nothing on the page shows whose they were', async () => {
    const { blog, alice, bob, write, approve, page } = await start()
    const { $id } = (await write(bob, 'Alone')).body
    await approve($id)
    await blog.call('DELETE', `/users/${bob.id}`, { headers: { 'x-appwrite-key': blog.apiKey } })
    const pages = [(await page()).body, (await page('', alice)).body]
    expect(pages).toMatchObject([
      { total: 0, comments: [] },
      { total: 0, comments: [] },
    ])
    for (const deletedText of ['Alone', bob.id, $id])
      expect(JSON.stringify(pages)).not.toContain(deletedText)
  })

  test('remain without text and name when somebody has replied', async () => {
    const { blog, alice, bob, write, approve, page } = await start()
    const { $id } = (await write(bob, 'With a reply')).body
    await approve($id)
    await write(alice, 'The reply', { parentId: $id })
    await blog.call('DELETE', `/users/${bob.id}`, { headers: { 'x-appwrite-key': blog.apiKey } })
    const { body } = await page()
    expect(body).toMatchObject({
      total: 1,
      comments: [{ $id, userName: 'deleted person', content: '', status: 'deleted' }],
    })
    expect(body.comments[0].replyList).toMatchObject([{ content: 'The reply' }])
    const pages = JSON.stringify([body, (await page('', alice)).body])
    for (const deletedText of ['With a reply', bob.id]) expect(pages).not.toContain(deletedText)
  })
})
