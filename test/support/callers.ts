// A blog with one caller of each role, for tests of permissions.
import { makeTestBlog, type Person } from './blog.ts'
import { type DatabaseKind, makePostgresDatabase } from './databases.ts'
import { makeDocuments } from './documents.ts'

const COMMENTS = '/databases/blogdb/collections/comments/documents'
export const CALLERS = [
  'guest',
  'reader',
  'author',
  'other',
  'writer',
  'operator',
  'blocked',
  'key',
] as const
export type Caller = (typeof CALLERS)[number]

export async function startWithCallers(kind: DatabaseKind, env: Record<string, string> = {}) {
  await using stack = new AsyncDisposableStack()
  const postgres = kind === 'SQLite' ? undefined : await makePostgresDatabase()
  if (postgres) stack.defer(() => postgres.drop())
  const databaseEnv: Record<string, string> = postgres ? { BLOG_DATABASE_URL: postgres.url } : {}
  const blog = stack.use(await makeTestBlog({ BLOG_READING: 'everyone', ...databaseEnv, ...env }))
  const people = {} as Record<Caller, Person>
  for (const name of CALLERS)
    if (name !== 'guest' && name !== 'key') people[name] = await blog.makePerson(name)
  blog.passTime(48 * 3_600_000)
  const send = (caller: Caller, method: string, path: string, body?: object) =>
    blog.call(method, path, {
      ...(body && { body }),
      ...(caller === 'key' && { headers: { 'x-appwrite-key': blog.apiKey } }),
      ...(caller in people && { cookie: people[caller].cookie }),
    })
  for (const name of ['reader', 'operator'] as const)
    await send('key', 'PUT', `/users/${people[name].id}/labels`, { labels: [name] })
  await send('key', 'PATCH', `/users/${people.blocked.id}/status`, { status: false })
  let number = 0
  /** Writes a comment and approves it. */
  async function write(postId: string, caller: Caller = 'writer', more: object = {}) {
    number += 1
    const data = { postId, content: `Comment ${number}`, ...more }
    const { body } = await send(caller, 'POST', COMMENTS, { documentId: 'unique()', data })
    await send('key', 'PATCH', `${COMMENTS}/${body.$id}`, { data: { status: 'shown' } })
    return { commentId: body.$id as string }
  }
  const moved = stack.move()
  return {
    blog,
    people,
    send,
    as: send,
    write,
    documents: makeDocuments(blog),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
