// Comments over real HTTP: by published client packages, from the cache, live, and limited.
import * as web13 from 'appwrite'
import * as webNewest from 'appwrite-newest'
import { describe, expect, test } from 'vitest'
import { readBuiltPages } from '#backend/pages/built.ts'
import { RATE } from '#contract/limits.ts'
import { makeTestBlog, type Person, SAME_SECRETS, type TestBlog } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { readAtom, textsOf } from '#test/support/feeds.ts'
import { HOSTILE_HTML, HOSTILE_MARKDOWN } from '#test/support/hostile-texts.ts'
import { openLine } from '#test/support/realtime.ts'
import { sampled } from '#test/support/sampled.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const COMMENTS = '/databases/blogdb/collections/comments/documents'
const DAY_MS = 86_400_000

const EVERYONE = { BLOG_READING: 'everyone' }
const share = shareBlog(() => makeTestBlog(EVERYONE))

/** People whose accounts are not new, and a post of alice; on the blog that most tests share. */
async function start(own?: TestBlog) {
  const blog = own ?? (await share())
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

describe('comments', () => {
  test('members list their own of the whole blog, as long as they may read the post', async () => {
    const started = await start()
    const { blog, alice, bob, postId, write } = started
    const list = (userId: string, person?: Person, more = '') =>
      blog.call(
        'GET',
        `${COMMENTS}?queries[]=${encodeURIComponent(JSON.stringify({ method: 'equal', attribute: 'userId', values: [userId] }))}${more}`,
        person ?? {},
      )
    await write(bob, 'One')
    await write(alice, 'Not his')
    const two = await write(bob, 'Two')
    const own = await list(bob.id, bob)
    expect(own.body).toMatchObject({
      total: 2,
      documents: [{ content: 'One' }, { content: 'Two' }],
    })
    for (const person of [alice, undefined])
      expect(await list(bob.id, person)).toMatchObject({ status: 401 })
    const gone = await blog.call('DELETE', `${COMMENTS}/${two.body.$id}`, { cookie: bob.cookie })
    expect(gone.status).toBe(204)
    expect((await list(bob.id, bob)).body.total).toBe(1)
    const data = { status: 'inactive' }
    await blog.call('PATCH', `${DOCUMENTS}/${postId}`, { cookie: alice.cookie, body: { data } })
    expect((await list(bob.id, bob)).body).toEqual({ total: 0, documents: [] })
  })

  test('published packages write, list, change and delete them, as documents and as rows', async () => {
    const started = await start()
    const { blog, alice, postId } = started
    const { old, next } = clientsOf(blog, alice)
    const { Query, ID } = web13
    const data = { postId, content: 'By a package' }
    const made = await old.createDocument('blogdb', 'comments', ID.unique(), data)
    const row = await next.createRow({
      databaseId: 'blogdb',
      tableId: 'comments',
      rowId: ID.unique(),
      data: { postId, parentId: made.$id, content: 'A reply' },
    })
    expect(row).toMatchObject({ $tableId: 'comments', parentId: made.$id, content: 'A reply' })
    const asked = [Query.equal('postId', postId), Query.orderDesc('$createdAt'), Query.limit(1)]
    const listed = await old.listDocuments('blogdb', 'comments', asked)
    expect(listed).toMatchObject({ total: 2, documents: [{ $id: row.$id }] })
    const rest = await old.listDocuments('blogdb', 'comments', [
      ...asked,
      Query.cursorAfter(row.$id),
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

  test('programs may name the writer: only themselves, and by the name of the account', async () => {
    const started = await start()
    const { alice, bob, write } = started
    const own = { userId: alice.id, userName: 'Somebody else', parentId: null }
    expect(await write(alice, 'Mine', own)).toMatchObject({
      status: 201,
      body: { userId: alice.id, userName: alice.name, parentId: '' },
    })
    expect(await write(bob, 'Not mine', own)).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized' },
    })
  })

  for (const [tags, count] of sampled([3, 50], 2))
    test(`a page has the words of its comments once: ${count} that are as long as they may be`, {
      tags,
    }, async () => {
      await using blog = await makeTestBlog(EVERYONE, { pages: await readBuiltPages() })
      const { alice, bob, postId, write, page } = await start(blog)
      const longest = ['語'.repeat(4980), '&'.repeat(2380), '>a\nb\n'.repeat(60)]
      for (let at = 0; at < count; at++) {
        const words = `${longest[at % 3]} the end ${at}.`
        expect((await write(alice, words)).status).toBe(201)
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

  test('a first comment waits, is seen by few, and is approved; guests read it from the cache', async () => {
    const started = await start()
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
        total: 1,
        comments: [{ content: 'First words', hasLinks: true }],
      })
    await approve(made.body.$id, alice, 'hidden')
    const hidden = (await page()).body.comments[0]
    expect(hidden).toMatchObject({ content: '', userName: '', userId: '', hiddenBy: 'author' })
    expect((await page('', bob)).body.comments[0]).toMatchObject({ content: 'First words' })
    expect((await write(bob, 'Second words')).body.status).toBe('waiting')
  })

  test('readers hear of comments, of waiting and hidden words only those whom they concern', async () => {
    const started = await start()
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

describe('what comments say', () => {
  for (const [tags, oneOf] of sampled([4, 1], 2))
    test(`hostile words, one of ${oneOf}, and names are text in answers and in the feed`, {
      tags,
    }, async () => {
      const started = await start()
      const { blog, alice, postId, write, approve } = started
      const texts = [
        ...[...HOSTILE_HTML, ...HOSTILE_MARKDOWN].filter((_one, at) => at % oneOf === 0),

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

  test('a person, an address and a post have so many comments a minute', async () => {
    await using blog = await makeTestBlog({ ...EVERYONE, BLOG_RATE_LIMITS: 'on' })
    const { alice, write } = await start(blog)
    const [most] = RATE.commentPerUser
    for (let at = 0; at < most; at++) expect((await write(alice, `nr ${at}`)).status).toBe(201)
    const refused = await write(alice, 'one too many')
    expect(refused).toMatchObject({ status: 429, body: { type: 'general_rate_limit_exceeded' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('another process shows at once what was written, hidden, approved or switched off', async () => {
    await using blog = await makeTestBlog({ ...EVERYONE, ...SAME_SECRETS })
    const { alice, bob, postId, write, approve } = await start(blog)
    await using there = await makeTestBlog({
      ...EVERYONE,
      BLOG_DATA_DIR: blog.dataDir,
      ...SAME_SECRETS,
    })
    const seen = async () => {
      const path = `${DOCUMENTS}/${postId}/comments`
      const { body } = await there.call('GET', path)
      const list = await there.call('GET', `${COMMENTS}?queries[]=equal("postId",["${postId}"])`)
      return [
        body.state,
        body.total,
        list.body.documents.map(({ content }: { content: string }) => content),
      ]
    }
    expect(await seen()).toEqual(['open', 0, []])
    const { $id } = (await write(bob, 'Words')).body
    expect(await seen()).toEqual(['open', 0, []])
    await approve($id)
    expect(await seen()).toEqual(['open', 1, ['Words']])
    await approve($id, alice, 'hidden')
    expect(await seen()).toEqual(['open', 0, ['']])
    await blog.call('PATCH', `${DOCUMENTS}/${postId}/comments`, {
      body: { closed: true },
      cookie: alice.cookie,
    })
    expect(await seen()).toEqual(['closed', 0, ['']])
    await approve($id)
    await blog.call('DELETE', `${COMMENTS}/${$id}`, { cookie: bob.cookie, body: {} })
    expect(await seen()).toEqual(['closed', 0, []])
  })

  test('the comments of a deleted account go; those with replies stay of a deleted person', async () => {
    const started = await start()
    const { blog, alice, bob, write, approve, page } = started
    const answered = (await write(bob, 'With a reply')).body.$id
    const alone = (await write(bob, 'Alone')).body.$id
    for (const id of [answered, alone]) await approve(id)
    await write(alice, 'The reply', { parentId: answered })
    await blog.call('DELETE', `/users/${bob.id}`, { headers: { 'x-appwrite-key': blog.apiKey } })
    const { body } = await page()
    expect(body).toMatchObject({
      total: 1,
      comments: [{ $id: answered, userName: 'deleted person', content: '', status: 'deleted' }],
    })
    expect(body.comments[0].replyList).toMatchObject([{ content: 'The reply' }])
    const all = JSON.stringify([body, (await page('', alice)).body])
    for (const gone of ['With a reply', 'Alone', bob.id, alone]) expect(all).not.toContain(gone)
  })
})
