// What the page of a post asks for besides the post, over real HTTP: highlighted code, the author's
// face, the posts around it. None of it is part of an answer that does not name it.
import { expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { AVATARS, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'

const PRE = '<pre class="language-css"><code>a { color: red }</code></pre>'
const SHOWN_PRE =
  '<pre class="language-css"><code><span class="c-k">a</span> { <span class="c-a">color</span>: red }</code></pre>'
const HIGHLIGHT = '/databases/blogdb/collections/posts/highlight'

async function start(env: Record<string, string> = {}) {
  const blog = await makeTestBlog(env)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const documents = makeDocuments(blog)
  return {
    ...blog,
    ...documents,
    alice,
    bob,
    async addAvatar(person: Person, permissions?: string[]) {
      const file = await upload(blog, person, await drawPhoto('png'), {
        bucket: AVATARS,
        ...(permissions ? { permissions } : {}),
      })
      expect(file.status).toBe(201)
      return file.body.$id as string
    },
    setPrefs: (person: Person, prefs: unknown) =>
      blog.call('PATCH', '/account/prefs', { cookie: person.cookie, body: { prefs } }),
    around: (person: Person | undefined, id: string) =>
      blog.call('GET', `${DOCUMENTS}/${id}/around`, person ? { cookie: person.cookie } : {}),
    highlight: (person: Person | undefined, content: unknown) =>
      blog.call('POST', HIGHLIGHT, {
        body: { content },
        ...(person ? { cookie: person.cookie } : {}),
      }),
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

test('code is highlighted in the one attribute that is named; content stays as it was saved', async () => {
  await using blog = await start()
  const id = await blog.post(blog.alice, { content: `<p>x</p>${PRE}` })
  const whole = (await blog.get(undefined, id)).body
  expect(whole.content).toBe(`<p>x</p>${PRE}`)
  expect(whole).not.toHaveProperty('highlightedContent')
  const shown = await blog.get(undefined, id, 'select(["*","highlightedContent"])')
  expect(shown.body).toEqual({ ...whole, highlightedContent: `<p>x</p>${SHOWN_PRE}` })
  expect((await blog.get(undefined, id, 'select(["highlightedContent"])')).body).toEqual({
    highlightedContent: `<p>x</p>${SHOWN_PRE}`,
    $databaseId: 'blogdb',
    $collectionId: 'posts',
  })

  await blog.patch(blog.alice, id, { content: '<p>none</p>' })
  expect(
    (await blog.get(undefined, id, 'select(["highlightedContent"])')).body.highlightedContent,
  ).toBe('<p>none</p>')
  for (const query of ['select(["highlightedContent"])', 'equal("highlightedContent", ["x"])'])
    expect(await blog.list('key', query)).toMatchObject(refusal(400, 'general_argument_invalid'))
  expect(await blog.patch(blog.alice, id, { highlightedContent: 'x' })).toMatchObject(
    refusal(400, 'document_invalid_structure'),
  )
})

test('a text that was not saved is shown as it would be saved, to people who are signed in', async () => {
  await using blog = await start({ BLOG_RATE_LIMITS: 'on' })
  const answer = await blog.highlight(blog.alice, `${PRE}<script>1</script>`)
  expect(answer).toMatchObject({ status: 200, body: { content: SHOWN_PRE } })
  expect(await blog.highlight(undefined, PRE)).toMatchObject(
    refusal(401, 'general_unauthorized_scope'),
  )
  expect(await blog.highlight(blog.alice, 7)).toMatchObject(
    refusal(400, 'general_argument_invalid'),
  )
  expect(await blog.highlight(blog.alice, 'x'.repeat(1_000_001))).toMatchObject(
    refusal(400, 'document_invalid_structure'),
  )
  expect(answer.headers.get('x-ratelimit-limit')).toBe('60')
})

test('the face of an author is named to those who may see it, and only where it is asked for', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const id = await blog.post(alice)
  const faceFor = async (person: Person | 'key' | undefined) => {
    const one = await blog.get(person, id, 'select(["userAvatar"])')
    const [card] = (await blog.list(person, `equal("$id", ["${id}"])`, 'select(["userAvatar"])'))
      .body.documents
    expect(card).toEqual(one.body)
    return one.body.userAvatar
  }
  expect(await faceFor(undefined)).toBe('')
  const open = await blog.addAvatar(alice)
  await blog.setPrefs(alice, { avatar: open })
  for (const person of [undefined, bob, alice, 'key'] as const)
    expect(await faceFor(person)).toBe(open)
  expect((await blog.get(undefined, id)).body).not.toHaveProperty('userAvatar')
  expect((await blog.list(undefined)).body.documents[0]).not.toHaveProperty('userAvatar')
  for (const query of ['equal("userAvatar", ["x"])', 'orderAsc("userAvatar")'])
    expect(await blog.list('key', query)).toMatchObject(refusal(400, 'general_argument_invalid'))

  const forUsers = await blog.addAvatar(alice, ['read("users")'])
  await blog.setPrefs(alice, { avatar: forUsers })
  expect(await faceFor(undefined)).toBe('')
  expect(await faceFor(bob)).toBe(forUsers)

  await blog.call('DELETE', `${AVATARS}/${forUsers}`, { cookie: alice.cookie })
  expect(await faceFor(bob)).toBe('')
  await blog.setPrefs(alice, { avatar: await blog.addAvatar(bob) })
  expect(await faceFor(bob), 'the face of somebody else').toBe('')
})

test('around a post stand the next ones by date and three others of its author, no drafts', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const ids: string[] = []
  const add = async (author: Person, data: Record<string, unknown> = {}) => {
    blog.passTime(1000)
    ids.push(await blog.post(author, { title: `Post ${ids.length}`, ...data }))
  }
  for (const author of [alice, bob, alice, alice, alice, alice]) await add(author)
  await add(alice, { status: 'inactive' })
  await add(bob)
  const at = (index: number) => ({ $id: ids[index], title: `Post ${index}` })

  const middle = await blog.around(undefined, ids[2] ?? '')
  expect(middle).toMatchObject({
    status: 200,
    body: { previous: at(1), next: at(3), others: [at(5), at(4), at(3)] },
  })
  expect(Object.keys(middle.body.others[0]).toSorted()).toEqual(
    ['$createdAt', '$id', 'featuredImage', 'imageColor', 'title'].toSorted(),
  )
  expect((await blog.around(undefined, ids[0] ?? '')).body).toMatchObject({
    previous: null,
    next: at(1),
  })
  const { body: last } = await blog.around(alice, ids[5] ?? '')
  expect(last).toMatchObject({ previous: at(4), next: at(7), others: [at(4), at(3), at(2)] })
  expect((await blog.around(undefined, ids[7] ?? '')).body).toMatchObject({
    next: null,
    others: [at(1)],
  })
  // Of a draft the posts by date are those around its moment.
  expect((await blog.around(alice, ids[6] ?? '')).body).toMatchObject({
    previous: at(5),
    next: at(7),
  })
  for (const [person, id] of [
    [bob, ids[6]],
    [undefined, 'missing'],
  ] as const)
    expect(await blog.around(person, id ?? '')).toMatchObject(refusal(404, 'document_not_found'))
})
