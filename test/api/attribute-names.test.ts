// Names that must never become attributes: those of prototypes and of values that the server
// computes, however they are sent. The server refuses the whole call and changes nothing.
import { describe, expect, test } from 'vitest'
import type { Answer } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import type { DatabaseKind } from '#test/support/databases.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const DOCUMENTS = '/databases/blogdb/collections/posts/documents'
const ON = { BLOG_EXTRA_ATTRIBUTES: 'on' }
// The names are the same on both databases, so PostgreSQL is tried only with the wider setting.
const SETTINGS: { kind: DatabaseKind; env: Record<string, string>; tags: string[] }[] = [
  { kind: 'SQLite', env: ON, tags: [] },
  { kind: 'SQLite', env: {}, tags: ['more'] },
  { kind: 'PostgreSQL', env: ON, tags: ['more'] },
]

const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'isPrototypeOf',
  '_proto_',
  'hidden',
  'userAvatar',
  'ownImage',
  'imageColor',
  'highlightedContent',
  'comments',
  'words',
]

for (const { kind, env, tags } of SETTINGS)
  describe(`on ${kind} with ${JSON.stringify(env)}`, { tags }, () => {
    const share = shareBlog(() => openBlogOn(kind, env))
    test('no call accepts a forbidden name', async () => {
      const blog = await share()
      const { alice, call, asKey } = blog
      const caller = { cookie: alice.cookie }
      const id = await blog.post(alice)
      const before = await blog.everything()
      const isRefused = (answer: Answer) => {
        const { status, body } = answer
        return status === 400 && body.type === 'document_invalid_structure'
      }
      for (const name of NAMES) {
        // Written as JSON, because a JavaScript object cannot have all of these names.
        const data = `{"title":"x","userId":"${alice.id}","${name}":"y"}`
        const nested = `{"title":"x","${name}":{"title":"y","isHidden":0}}`
        const calls: [method: string, path: string, json: string][] = [
          ['POST', DOCUMENTS, `{"documentId":"unique()","data":${data}}`],
          ['POST', DOCUMENTS, `{"documentId":"unique()","data":${JSON.stringify(data)}}`],
          ['PATCH', `${DOCUMENTS}/${id}`, `{"data":${data}}`],
          ['PATCH', `${DOCUMENTS}/${id}`, `{"data":${nested}}`],
        ]
        const answers = [caller, asKey].flatMap((by) =>
          calls.map(([method, path, json]) => call(method, path, { ...by, json })),
        )
        expect([name, (await Promise.all(answers)).map(isRefused)]).toEqual([
          name,
          answers.map(() => true),
        ])
      }
      expect(({} as Record<string, unknown>).isHidden).toBe(undefined)
      expect(await blog.everything()).toEqual(before)
    })

    test('an attribute that begins with a dollar sign has no effect, whoever sends it', async () => {
      const blog = await share()
      const { alice, bob } = blog
      const id = await blog.post(alice, { $createdAt: '2001-01-01T00:00:00.000+00:00' })
      const before = (await blog.get(alice, id)).body
      expect(before.$createdAt > '2010').toBe(true)
      const ignored = {
        $id: 'other',
        $permissions: [`update("user:${bob.id}")`],
        $sequence: 1,
        $createdAt: '2001-01-01T00:00:00.000+00:00',
        $updatedAt: '2001',
        $collectionId: 'x',
        $databaseId: 'x',
        $tableId: 'x',
        $ownerId: bob.id,
        $readers: 'owner',
      }
      for (const caller of [alice, 'key' as const]) {
        const changed = await blog.patch(caller, id, { ...ignored, title: 'Same' })
        expect(changed).toMatchObject({ status: 200 })
        const { title: _title, $updatedAt: _time, ...rest } = before
        expect(changed.body).toMatchObject(rest)
      }
      expect((await blog.patch(bob, id, { title: 'x' })).status).toBe(401)
      expect(await blog.create(alice, { title: 'a', $id: 'x' })).toMatchObject({ status: 400 })
    })
  })

/** Trying each query with each name takes 800 calls. */
const QUERIED: [env: Record<string, string>, oneOf: number, tags: string[]][] = [
  [ON, 5, []],
  [ON, 1, ['more']],
  [{}, 1, ['more']],
]

for (const [env, oneOf, tags] of QUERIED)
  test(`no query accepts the name of a prototype, with ${JSON.stringify(env)}, one in ${oneOf}`, {
    tags,
  }, async () => {
    await using blog = await openBlogOn('SQLite', env)
    const id = await blog.post(blog.alice)
    const names = NAMES.filter((name) =>
      /rototype|proto|constructor|toString|valueOf|hasOwn|define/.test(name),
    )
    for (const [position, name] of names.entries()) {
      const queries = [
        ...['equal', 'notEqual', 'contains', 'search', 'startsWith', 'notBetween'].map((method) =>
          JSON.stringify({
            method,
            attribute: name,
            values: ['a', 'b'].slice(0, 1 + Number(method === 'notBetween')),
          }),
        ),
        ...['isNull', 'isNotNull', 'orderAsc', 'orderDesc'].map((method) =>
          JSON.stringify({ method, attribute: name }),
        ),
        ...['select', 'exists', 'notExists'].map((method) =>
          JSON.stringify({ method, values: ['title', name] }),
        ),
        `equal("${name}", ["a"])`,
        JSON.stringify({ method: 'or', values: [{ method: 'isNull', attribute: name }] }),
      ]
      for (const query of queries.filter((_query, index) => (index + position) % oneOf === 0))
        expect([query, (await blog.list(undefined, query)).status]).toEqual([query, 400])
      expect(await blog.get(undefined, id, `select(["${name}"])`)).toMatchObject({ status: 400 })
    }
  })
