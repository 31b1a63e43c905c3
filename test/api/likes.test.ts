// Likes over real HTTP: a PATCH with nothing but like fields is a wish about the caller's own like
// (api.md §10.3).
import { expect, test } from 'vitest'
import { makeTestBlog, type Person } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'

async function start() {
  const blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  return {
    ...blog,
    ...makeDocuments(blog),
    alice,
    bob,
    [Symbol.asyncDispose]: () => blog[Symbol.asyncDispose](),
  }
}

test('a like adds only the caller, a stale list loses nobody, and nothing else moves', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const id = await blog.post(alice)
  const before = (await blog.get(undefined, id)).body
  const liked = await blog.like(bob, id, [bob.id, 'carla', bob.id], 77)
  expect(liked).toMatchObject({ status: 200 })
  expect(liked.body).toEqual({ ...before, like: 1, likeId: [bob.id] })
  expect((await blog.like(alice, id, [alice.id])).body).toEqual({
    ...before,
    like: 2,
    likeId: [bob.id, alice.id],
  })
  expect((await blog.like(alice, id, [alice.id])).body.like).toBe(2)
  // Bob's page is stale: alice is not in his list.
  expect((await blog.like(bob, id, [], 0)).body).toEqual({ ...before, like: 1, likeId: [alice.id] })
  expect((await blog.like(bob, id, [], 0)).body.like).toBe(1)
  expect((await blog.list(undefined)).body.documents).toEqual([
    { ...before, like: 1, likeId: [alice.id] },
  ])
})

test('the owner’s edit form sends like fields along: the edit holds, the like fields do not', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const id = await blog.post(alice)
  await blog.like(bob, id, [bob.id])
  const edited = await blog.patch(alice, id, { title: 'New', like: 5, likeId: [alice.id] })
  expect(edited).toMatchObject({ status: 200, body: { title: 'New', like: 1, likeId: [bob.id] } })
})

test('a like is refused to those who may not, and then changes nothing', async () => {
  await using blog = await start()
  const { alice, bob } = blog
  const id = await blog.post(alice)
  const hidden = await blog.post(alice, { status: 'inactive' })
  await blog.like(bob, id, [bob.id])
  const before = await blog.everything()
  for (const caller of [undefined, 'key'] as const) {
    expect(await blog.like(caller, id, [bob.id])).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized' },
    })
    expect(await blog.like(caller, id, [])).toMatchObject({
      status: 401,
      body: { type: 'user_unauthorized' },
    })
  }
  expect(await blog.like(bob, hidden, [bob.id])).toMatchObject({
    status: 404,
    body: { type: 'document_not_found' },
  })
  expect(await blog.like(alice, hidden, [alice.id])).toMatchObject({
    status: 401,
    body: { type: 'user_unauthorized' },
  })
  expect(await blog.patch(bob, id, { like: 4 })).toMatchObject({
    status: 400,
    body: { type: 'document_invalid_structure' },
  })
  expect(await blog.like(bob, id, bob.id)).toMatchObject({
    status: 400,
    body: { type: 'document_invalid_structure' },
  })
  expect(await blog.like(bob, id, [7])).toMatchObject({
    status: 400,
    body: { type: 'document_invalid_structure' },
  })
  expect(await blog.patch(bob, id, { likeId: [], foo: 1 })).toMatchObject({
    status: 400,
    body: { type: 'document_invalid_structure' },
  })
  expect(await blog.patch(bob, id, { likeId: [], userid: bob.id })).toMatchObject({
    status: 401,
    body: { type: 'user_unauthorized' },
  })
  expect(await blog.everything()).toEqual(before)
})

test('a like after the deletion finds nothing', async () => {
  await using blog = await start()
  const id = await blog.post(blog.alice)
  await blog.like(blog.bob, id, [blog.bob.id])
  await blog.remove(blog.alice, id)
  expect(await blog.like(blog.bob, id, [])).toMatchObject({
    status: 404,
    body: { type: 'document_not_found' },
  })
})

test('eighty likes at once by twenty people give exactly the expected set and count', async () => {
  await using blog = await start()
  const id = await blog.post(blog.alice)
  const people: Person[] = []
  for (let index = 0; index < 20; index++) people.push(await blog.makePerson(`person${index}`))
  const answers = await Promise.all(
    people.map(async (person, index) => {
      const statuses: number[] = []
      for (const liked of index % 2 === 0
        ? [true, false, true, false]
        : [true, true, false, true]) {
        statuses.push((await blog.like(person, id, liked ? [person.id] : [], index)).status)
      }
      return statuses
    }),
  )
  expect(answers.flat()).toEqual(Array.from({ length: 80 }, () => 200))
  const expected = people.filter((_person, index) => index % 2 === 1).map((person) => person.id)
  const { like, likeId } = (await blog.get(undefined, id)).body
  expect([like, likeId.toSorted()]).toEqual([10, expected.toSorted()])
}, 60_000)
