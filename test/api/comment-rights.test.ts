// Who may do what with comments: each caller and each call, even on posts that nobody may read.
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, type DatabaseKind, makePostgresDatabase } from '#test/support/databases.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'

const COMMENTS = '/databases/blogdb/collections/comments/documents'
const CALLERS = [
  'guest',
  'reader',
  'author',
  'other',
  'writer',
  'operator',
  'blocked',
  'key',
] as const
type Caller = (typeof CALLERS)[number]

/** The subject of a call: a comment by the writer on a post by the author. */
type About = { postId: string; commentId: string; writerId: string; number: number }
type Call = (about: About) => [method: string, path: string, body?: object]

const CALLS: Record<string, Call> = {
  page: ({ postId }) => ['GET', `${DOCUMENTS}/${postId}/comments`],
  list: ({ postId }) => ['GET', `${COMMENTS}?queries[]=equal("postId",["${postId}"])`],
  waiting: () => ['GET', `${COMMENTS}?queries[]=equal("status",["waiting"])`],
  get: ({ commentId }) => ['GET', `${COMMENTS}/${commentId}`],
  feed: ({ postId }) => ['GET', `/post/${postId}/comments.xml`],
  write: ({ postId, number }) =>
    [
      'POST',
      COMMENTS,
      { documentId: 'unique()', data: { postId, content: `Words ${number}` } },
    ] as const,
  edit: ({ commentId, number }) =>
    ['PATCH', `${COMMENTS}/${commentId}`, { data: { content: `Edited ${number}` } }] as const,
  hide: ({ commentId }) =>
    ['PATCH', `${COMMENTS}/${commentId}`, { data: { status: 'hidden' } }] as const,
  show: ({ commentId }) =>
    ['PATCH', `${COMMENTS}/${commentId}`, { data: { status: 'shown' } }] as const,
  remove: ({ commentId }) => ['DELETE', `${COMMENTS}/${commentId}`, {}],
  close: ({ postId }) => ['PATCH', `${DOCUMENTS}/${postId}/comments`, { closed: false }],
  hideAll: ({ postId, writerId }) =>
    [
      'PATCH',
      `${DOCUMENTS}/${postId}/comments/hidden`,
      { userId: writerId, hidden: true },
    ] as const,
}

/** These calls leave the comment as it is. */
const HARMLESS = new Set(['page', 'list', 'waiting', 'get', 'feed', 'write', 'close'])

/** Statuses in the order of CALLERS. A blocked user has no session, and reads like a guest. */
const MATRIX: Record<string, readonly number[]> = {
  page: [200, 200, 200, 200, 200, 200, 200, 200],
  list: [200, 200, 200, 200, 200, 200, 200, 200],
  waiting: [401, 401, 401, 401, 401, 200, 401, 200],
  get: [200, 200, 200, 200, 200, 200, 200, 200],
  feed: [200, 200, 200, 200, 200, 200, 200, 200],
  write: [401, 201, 201, 201, 201, 201, 401, 401],
  edit: [401, 401, 401, 401, 200, 401, 401, 401],
  hide: [401, 401, 200, 401, 401, 200, 401, 200],
  show: [401, 401, 200, 401, 401, 200, 401, 200],
  remove: [401, 401, 401, 401, 204, 204, 401, 204],
  close: [401, 401, 200, 401, 401, 200, 401, 200],
  hideAll: [401, 401, 200, 401, 401, 200, 401, 200],
}

/** Trying all callers takes a thousand calls. */
const CALLERS_OF_MISSING: [callers: readonly Caller[], tags: string[]][] = [
  [['reader'], []],
  [CALLERS, ['more']],
]

async function start(kind: DatabaseKind) {
  await using stack = new AsyncDisposableStack()
  const postgres = kind === 'SQLite' ? undefined : await makePostgresDatabase()
  if (postgres) stack.defer(() => postgres.drop())
  const settings: Record<string, string> = postgres ? { BLOG_DATABASE_URL: postgres.url } : {}
  const blog = stack.use(await makeTestBlog({ BLOG_READING: 'everyone', ...settings }))
  const people = {} as Record<Caller, Person>
  for (const name of CALLERS)
    if (name !== 'guest' && name !== 'key') people[name] = await blog.makePerson(name)
  blog.passTime(48 * 3_600_000)
  for (const name of ['reader', 'operator'] as const) {
    const role = { headers: { 'x-appwrite-key': blog.apiKey }, body: { labels: [name] } }
    await blog.call('PUT', `/users/${people[name].id}/labels`, role)
  }
  const key = { headers: { 'x-appwrite-key': blog.apiKey } }
  await blog.call('PATCH', `/users/${people.blocked.id}/status`, {
    ...key,
    body: { status: false },
  })
  const credentials = (caller: Caller) =>
    caller === 'key' ? key : caller === 'guest' ? {} : people[caller]
  const send = async (call: string, caller: Caller, about: About) => {
    const [method, path, body] = CALLS[call]?.(about) ?? ['GET', '/']
    if (path.startsWith('/post/')) return sendPlain(blog, path)
    const { cookie, headers } = credentials(caller) as {
      cookie?: string
      headers?: Record<string, string>
    }
    const options = {
      ...(cookie && { cookie }),
      ...(headers && { headers }),
      ...(body && { body }),
    }
    return blog.call(method, path, options)
  }
  let number = 0
  async function write(postId: string): Promise<About> {
    number += 1
    const data = { postId, content: `Comment ${number}` }
    const { cookie } = people.writer
    const options = { body: { documentId: 'unique()', data }, cookie }
    const { body } = await blog.call('POST', COMMENTS, options)
    await blog.call('PATCH', `${COMMENTS}/${body.$id}`, {
      ...key,
      body: { data: { status: 'shown' } },
    })
    return { postId, commentId: body.$id, writerId: people.writer.id, number }
  }
  const moved = stack.move()
  return {
    blog,
    people,
    send,
    write,
    key,
    documents: makeDocuments(blog),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

async function sendPlain({ url }: TestBlog, path: string) {
  const response = await fetch(url + path)
  return { status: response.status, body: {}, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe.each(DATABASES)('rights to comments on %s', (kind, tags) => {
  test('each caller gets the status of the matrix for each call', { tags }, async () => {
    await using started = await start(kind)
    const { people, send, write, documents } = started
    const postId = await documents.post(people.author)
    const statuses: Record<string, number[]> = {}
    for (const call of Object.keys(CALLS)) {
      let about = await write(postId)
      for (const caller of CALLERS) {
        const { status } = await send(call, caller, about)
        statuses[call] = [...(statuses[call] ?? []), status]
        // The next caller gets a comment that nobody has changed.
        if (status < 300 && !HARMLESS.has(call)) about = await write(postId)
      }
    }
    expect(statuses).toEqual(MATRIX)
  })

  for (const [callers, rights] of CALLERS_OF_MISSING)
    test(`on a post that nobody may read every call is answered as if it did not exist (${callers.join(', ')})`, {
      tags: [...tags, ...rights],
    }, async () => {
      await using started = await start(kind)
      const { blog, people, send, write, key, documents } = started
      const { author } = people
      const hide = (id: string, hidden: boolean) =>
        blog.call('PATCH', `${DOCUMENTS}/${id}/hidden`, { ...key, body: { hidden } })
      const removals: Record<string, (id: string) => Promise<unknown>> = {
        hidden: (id) => hide(id, true),
        inactive: (id) => documents.patch(author, id, { status: 'inactive' }),
        deleted: (id) => documents.remove(author, id),
        blocked: () =>
          blog.call('PATCH', `/users/${author.id}/status`, { ...key, body: { status: false } }),
      }
      for (const [removal, work] of Object.entries(removals)) {
        const postId = await documents.post(author)
        const about = await write(postId)
        await send('page', 'guest', about)
        await work(postId)
        const missing = { ...about, postId: 'missing', commentId: 'missing' }
        for (const call of Object.keys(CALLS).filter((name) => name !== 'waiting'))
          for (const caller of callers) {
            const answer = await send(call, caller, about)
            const missingAnswer = await send(call, caller, missing)
            expect({ removal, call, caller, answer: answer.bytes.toString() }).toEqual({
              removal,
              call,
              caller,
              answer: missingAnswer.bytes.toString(),
            })
            expect([401, 404]).toContain(answer.status)
          }
      }
    })

  test('comments can be read only by users who may read the post', { tags }, async () => {
    await using started = await start(kind)
    const { people, send, write, documents } = started
    const permissions = ['read("users")']
    const about = await write(await documents.post(people.author, {}, { permissions }))
    for (const call of ['page', 'list', 'get'])
      for (const [caller, status] of [
        ['guest', 404],
        ['reader', 200],
        ['author', 200],
      ] as const)
        expect([call, caller, (await send(call, caller, about)).status]).toEqual([
          call,
          caller,
          status,
        ])
    expect((await send('feed', 'guest', about)).status).toBe(404)
  })
})
