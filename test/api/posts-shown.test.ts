// The other parts of a post's page over real HTTP: highlighted code, the author's avatar, the posts
// around it. Answers contain attributes of these only when a request names them.
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { DOCUMENTS, makeDocuments } from '#test/support/documents.ts'
import { AVATARS, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const PRE = '<pre class="language-css"><code>a { color: red }</code></pre>'
/** Answers contain plain code until the worker has highlighted it, so tests poll. */
const HIGHLIGHTED_PRE =
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

const share = shareBlog(() => start())

test('highlighted code is in highlightedContent; content stays as it was saved', async () => {
  const blog = await share()
  const id = await blog.post(blog.alice, { content: `<p>x</p>${PRE}` })
  const wholePost = (await blog.get(undefined, id)).body
  expect(wholePost.content).toBe(`<p>x</p>${PRE}`)
  expect(wholePost).not.toHaveProperty('highlightedContent')
  await expect
    .poll(async () => (await blog.get(undefined, id, 'select(["*","highlightedContent"])')).body)
    .toEqual({ ...wholePost, highlightedContent: `<p>x</p>${HIGHLIGHTED_PRE}` })
  expect((await blog.get(undefined, id, 'select(["highlightedContent"])')).body).toEqual({
    highlightedContent: `<p>x</p>${HIGHLIGHTED_PRE}`,
    $databaseId: 'blogdb',
    $collectionId: 'posts',
  })
  await blog.patch(blog.alice, id, { content: '<p>none</p>' })
  const { body } = await blog.get(undefined, id, 'select(["highlightedContent"])')
  expect(body.highlightedContent).toBe('<p>none</p>')
})

test('highlighted code is not in lists, and cannot be written', async () => {
  const blog = await share()
  const id = await blog.post(blog.alice, { content: `<p>x</p>${PRE}` })
  for (const query of ['select(["highlightedContent"])', 'equal("highlightedContent", ["x"])'])
    expect(await blog.list('key', query)).toMatchObject(refusal(400, 'general_argument_invalid'))
  expect(await blog.patch(blog.alice, id, { highlightedContent: 'x' })).toMatchObject(
    refusal(400, 'document_invalid_structure'),
  )
  expect((await blog.get(undefined, id)).body.content).toBe(`<p>x</p>${PRE}`)
})

test('an unsaved text is highlighted as it would be after saving', async () => {
  const { highlight, alice } = await share()
  const read = async () => (await highlight(alice, `${PRE}<script>1</script>`)).body.content
  await expect.poll(read).toBe(HIGHLIGHTED_PRE)
})

test('only signed-in users can have an unsaved text highlighted, sixty times a minute', async () => {
  await using blog = await start({ BLOG_RATE_LIMITS: 'on' })
  expect(await blog.highlight(undefined, PRE)).toMatchObject(
    refusal(401, 'general_unauthorized_scope'),
  )
  const { status, headers } = await blog.highlight(blog.alice, PRE)
  expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, '60'])
})

test('an unsaved text must be a string that is no longer than the content of a post may be', async () => {
  const { highlight, alice } = await share()
  expect(await highlight(alice, 7)).toMatchObject(refusal(400, 'general_argument_invalid'))
  expect(await highlight(alice, 'x'.repeat(1_000_001))).toMatchObject(
    refusal(400, 'document_invalid_structure'),
  )
})

/** Carla has a post; `readAvatar` reads her avatar from the post, alone and in a list. */
async function startWithAuthor() {
  const blog = await share()
  const author = await blog.makePerson('carla')
  const id = await blog.post(author)
  const readAvatar = async (viewer: Person | 'key' | undefined) => {
    const selected = 'select(["userAvatar"])'
    const { body: post } = await blog.get(viewer, id, selected)
    const { body: list } = await blog.list(viewer, `equal("$id", ["${id}"])`, selected)
    expect(list.documents).toEqual([post])
    return post.userAvatar
  }
  return { ...blog, author, id, readAvatar }
}

test('an answer contains the avatar of the author when select names it', async () => {
  const { author, id, bob, addAvatar, setPrefs, get, list, readAvatar } = await startWithAuthor()
  expect(await readAvatar(undefined)).toBe('')
  const avatar = await addAvatar(author)
  await setPrefs(author, { avatar })
  for (const viewer of [undefined, bob, author, 'key'] as const)
    expect(await readAvatar(viewer)).toBe(avatar)
  expect((await get(undefined, id)).body).not.toHaveProperty('userAvatar')
  expect((await list(undefined)).body.documents[0]).not.toHaveProperty('userAvatar')
})

test('lists are neither filtered nor ordered by avatars', async () => {
  const blog = await share()
  for (const query of ['equal("userAvatar", ["x"])', 'orderAsc("userAvatar")'])
    expect(await blog.list('key', query)).toMatchObject(refusal(400, 'general_argument_invalid'))
})

test('only viewers who may see the image get the ID of an avatar', async () => {
  const { author, bob, addAvatar, setPrefs, readAvatar } = await startWithAuthor()
  const membersAvatar = await addAvatar(author, ['read("users")'])
  await setPrefs(author, { avatar: membersAvatar })
  expect(await readAvatar(undefined)).toBe('')
  expect(await readAvatar(bob)).toBe(membersAvatar)
})

test('an answer does not name a deleted avatar', async () => {
  const { author, call, addAvatar, setPrefs, readAvatar } = await startWithAuthor()
  const avatar = await addAvatar(author)
  await setPrefs(author, { avatar })
  await call('DELETE', `${AVATARS}/${avatar}`, { cookie: author.cookie })
  expect(await readAvatar(undefined)).toBe('')
})

test('the image of another user cannot be an avatar', async () => {
  const { author, bob, addAvatar, setPrefs, readAvatar } = await startWithAuthor()
  await setPrefs(author, { avatar: await addAvatar(bob) })
  expect(await readAvatar(bob)).toBe('')
})

describe('the posts around a post', () => {
  /** Six posts by alice, the last of which is a draft, and posts 1 and 7 by bob. */
  const shareEight = shareBlog(async () => {
    const blog = await start()
    const { alice, bob } = blog
    const ids: string[] = []
    const add = async (author: Person, data: Record<string, unknown> = {}) => {
      blog.passTime(1000)
      ids.push(await blog.post(author, { title: `Post ${ids.length}`, ...data }))
    }
    for (const author of [alice, bob, alice, alice, alice, alice]) await add(author)
    await add(alice, { status: 'inactive' })
    await add(bob)
    return {
      ...blog,
      at: (index: number) => ({ $id: ids[index], title: `Post ${index}` }),
      aroundPost: (person: Person | undefined, index: number) =>
        blog.around(person, ids[index] ?? ''),
    }
  })

  test('are the previous and the next one by date, and three others of the author', async () => {
    const { aroundPost, at } = await shareEight()
    const middle = await aroundPost(undefined, 2)
    expect(middle).toMatchObject({
      status: 200,
      body: { previous: at(1), next: at(3), others: [at(5), at(4), at(3)] },
    })
    expect(Object.keys(middle.body.others[0]).toSorted()).toEqual(
      ['$createdAt', '$id', 'featuredImage', 'imageColor', 'title'].toSorted(),
    )
  })

  test('do not include one before the first or after the last post', async () => {
    const { aroundPost, at } = await shareEight()
    expect((await aroundPost(undefined, 0)).body).toMatchObject({ previous: null, next: at(1) })
    const { body: last } = await aroundPost(undefined, 7)
    expect(last).toMatchObject({ next: null, others: [at(1)] })
  })

  test('include no drafts, not even for their author', async () => {
    const { aroundPost, alice, at } = await shareEight()
    expect((await aroundPost(alice, 5)).body).toMatchObject({
      previous: at(4),
      next: at(7),
      others: [at(4), at(3), at(2)],
    })
  })

  test('are, for the author of a draft, those around its date', async () => {
    const { aroundPost, alice, at } = await shareEight()
    expect((await aroundPost(alice, 6)).body).toMatchObject({ previous: at(5), next: at(7) })
  })

  test('are not found for a draft by another author or an unknown post', async () => {
    const { aroundPost, around, bob } = await shareEight()
    const notFound = refusal(404, 'document_not_found')
    expect(await aroundPost(bob, 6)).toMatchObject(notFound)
    expect(await around(undefined, 'missing')).toMatchObject(notFound)
  })
})
