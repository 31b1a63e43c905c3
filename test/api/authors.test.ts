// `…/authors/{userId}` over real HTTP, on both databases: what everybody may read about an author,
// and about which users the server says nothing.
import { expect, test } from 'vitest'
import type { Person } from '#test/support/blog.ts'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { AVATARS, refusal, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'

const path = (userId: string) =>
  `/databases/blogdb/collections/posts/authors/${encodeURIComponent(userId)}`

async function start(kind: DatabaseKind = 'SQLite', reading = 'everyone') {
  const blog = await openBlogOn(kind, { BLOG_READING: reading })
  return {
    ...blog,
    author: (userId: string, caller?: Person) =>
      blog.call('GET', path(userId), caller ? { cookie: caller.cookie } : {}),
    setPrefs: async (person: Person, prefs: object) => {
      const answer = await blog.call('PATCH', '/account/prefs', {
        cookie: person.cookie,
        body: { prefs },
      })
      expect(answer).toMatchObject({ status: 200, body: { prefs } })
    },
  }
}

for (const [kind, tags] of DATABASES)
  test(`an author is described with the number of posts that the caller may read, on ${kind}`, {
    tags,
  }, async () => {
    await using blog = await start(kind)
    const { alice, bob } = blog
    await blog.post(alice)
    await blog.post(alice, { status: 'inactive' })
    await blog.post(alice, {}, { permissions: ['read("users")'] })
    const hidden = await blog.post(alice)
    await blog.call('PATCH', `/databases/blogdb/collections/posts/documents/${hidden}/hidden`, {
      ...blog.asKey,
      body: { hidden: true },
    })
    const account = await blog.call('GET', '/account', { cookie: alice.cookie })
    await blog.setPrefs(alice, { about: ' Writes about\n trains <b>&</b> tides. ' })
    expect(await blog.author(alice.id)).toMatchObject({
      status: 200,
      body: {
        $id: alice.id,
        $createdAt: account.body.$createdAt,
        name: 'alice',
        about: 'Writes about trains <b>&</b> tides.',
        avatar: '',
        posts: 1,
      },
    })
    expect((await blog.author(alice.id, bob)).body.posts).toBe(2)
    // Authors still see their own hidden posts.
    expect((await blog.author(alice.id, alice)).body.posts).toBe(3)
    expect((await blog.author(bob.id)).body).toMatchObject({ name: 'bob', about: '', posts: 0 })
    expect(Object.keys((await blog.author(bob.id, bob)).body).sort()).toEqual(
      ['$createdAt', '$id', 'about', 'avatar', 'name', 'posts'].sort(),
    )
  })

test('an avatar is shown only if everybody may see it and it belongs to the author', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const bytes = await drawPhoto('png')
  const uploadAvatar = async (person: Person, permissions?: string[]) =>
    (
      await upload(blog, person, bytes, {
        bucket: AVATARS,
        ...(permissions ? { permissions } : {}),
      })
    ).body.$id
  const avatar = await uploadAvatar(alice)
  await blog.setPrefs(alice, { avatar })
  expect((await blog.author(alice.id)).body.avatar).toBe(avatar)
  await blog.setPrefs(bob, { avatar })
  expect((await blog.author(bob.id)).body.avatar).toBe('')
  const avatarForMembers = await uploadAvatar(alice, ['read("users")'])
  await blog.setPrefs(alice, { avatar: avatarForMembers })
  for (const caller of [undefined, bob])
    expect((await blog.author(alice.id, caller)).body.avatar).toBe('')
})

const LINES: [about: unknown, shown: string][] = [
  ['x'.repeat(300), 'x'.repeat(300)],
  ['😀'.repeat(300), '😀'.repeat(300)],
  ['x'.repeat(301), ''],
  [`  ${'x'.repeat(300)}\n\n`, 'x'.repeat(300)],
  ['a\u0000b', ''],
  ['a\u0007b', ''],
  ['a\u2028b', 'a b'],
  ['', ''],
  [42, ''],
  [null, ''],
  [{ text: 'a' }, ''],
  [['a'], ''],
]

test('an about line is stored as a program sent it, but shown only if it is valid', async () => {
  await using blog = await start()
  for (const [about, expected] of LINES) {
    await blog.setPrefs(blog.alice, { about, other: 1 })
    expect([about, (await blog.author(blog.alice.id)).body.about]).toEqual([about, expected])
  }
})

test('a blocked user, one who never signed in and one who never existed get the same answer', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  await blog.post(alice)
  await blog.call('PATCH', `/users/${alice.id}/status`, { ...blog.asKey, body: { status: false } })
  const blocked = await blog.author(alice.id)
  expect(blocked).toMatchObject(refusal(404, 'user_not_found'))
  expect((await blog.author(alice.id, bob)).bytes).toEqual(blocked.bytes)
  expect((await blog.author('nobody')).bytes).toEqual(blocked.bytes)
  await blog.call('POST', '/account/sessions/magic-url', {
    body: { userId: 'stranger', email: 'stranger@example.test' },
  })
  expect((await blog.author('stranger')).bytes).toEqual(blocked.bytes)
  expect((await blog.author("' or 1=1")).status).toBe(400)
  await blog.call('PATCH', `/users/${alice.id}/status`, { ...blog.asKey, body: { status: true } })
  expect((await blog.author(alice.id)).body.posts).toBe(1)
})

test('on a blog for members guests are asked to sign in', async () => {
  await using blog = await start('SQLite', 'members')
  for (const userId of [blog.alice.id, 'nobody'])
    expect(await blog.author(userId)).toMatchObject(refusal(401, 'general_unauthorized_scope'))
  expect((await blog.author(blog.alice.id, blog.bob)).body.name).toBe('alice')
  const asKey = await blog.call('GET', path(blog.alice.id), blog.asKey)
  expect(asKey.body.name).toBe('alice')
})
