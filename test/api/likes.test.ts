// Likes over real HTTP: a PATCH with only like fields adds or removes the caller's own like
// (api.md §10.3).
import { expect, test } from 'vitest'
import type { Answer, Person } from '#test/support/blog.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const sharedBlog = shareBlog()
const BAD_STRUCTURE = { status: 400, body: { type: 'document_invalid_structure' } }
const NOT_FOUND = { status: 404, body: { type: 'document_not_found' } }
const UNAUTHORIZED = { status: 401, body: { type: 'user_unauthorized' } }

/** A post by alice, and bob. */
async function start() {
  const blog = await sharedBlog()
  const documents = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const bob = await blog.makePerson('bob')
  const id = await documents.post(alice)
  const before: Answer['body'] = (await documents.get(undefined, id)).body
  return { ...blog, ...documents, alice, bob, id, before }
}

test('a like adds only the caller, whatever list and number the request contains, and has no other effect', async () => {
  const { like, list, alice, bob, id, before } = await start()
  const liked = await like(bob, id, [bob.id, 'carla', bob.id], 77)
  expect(liked).toMatchObject({ status: 200 })
  expect(liked.body).toEqual({ ...before, like: 1, likeId: [bob.id] })
  const likedByBoth = { ...before, like: 2, likeId: [bob.id, alice.id] }
  expect((await like(alice, id, [alice.id])).body).toEqual(likedByBoth)
  expect((await list(undefined, `equal("$id", ["${id}"])`)).body.documents).toEqual([likedByBoth])
})

test('a second like by the same user does not count', async () => {
  const { like, alice, id } = await start()
  for (let round = 0; round < 2; round++)
    expect((await like(alice, id, [alice.id])).body).toMatchObject({ like: 1, likeId: [alice.id] })
})

test('an unlike removes only the caller, even when the sent list is out of date', async () => {
  const { like, alice, bob, id, before } = await start()
  await like(bob, id, [bob.id])
  await like(alice, id, [alice.id])
  for (let round = 0; round < 2; round++)
    expect((await like(bob, id, [], 0)).body).toEqual({ ...before, like: 1, likeId: [alice.id] })
})

test('like fields that the author sends with other fields change nothing', async () => {
  const { like, patch, alice, bob, id } = await start()
  await like(bob, id, [bob.id])
  const edited = await patch(alice, id, { title: 'New', like: 5, likeId: [alice.id] })
  expect(edited).toMatchObject({ status: 200, body: { title: 'New', like: 1, likeId: [bob.id] } })
})

test('a guest and the API key can neither like nor unlike a post', async () => {
  const { like, everything, bob, id } = await start()
  await like(bob, id, [bob.id])
  const before = await everything()
  for (const caller of [undefined, 'key'] as const)
    for (const likeId of [[bob.id], []])
      expect(await like(caller, id, likeId)).toMatchObject(UNAUTHORIZED)
  expect(await everything()).toEqual(before)
})

test('nobody can like a draft', async () => {
  const { like, post, everything, alice, bob } = await start()
  const draft = await post(alice, { status: 'inactive' })
  const before = await everything()
  expect(await like(bob, draft, [bob.id])).toMatchObject(NOT_FOUND)
  expect(await like(alice, draft, [alice.id])).toMatchObject(UNAUTHORIZED)
  expect(await everything()).toEqual(before)
})

test('a like without a list, or with other fields, is refused', async () => {
  const { like, patch, everything, bob, id } = await start()
  await like(bob, id, [bob.id])
  const before = await everything()
  expect(await patch(bob, id, { like: 4 })).toMatchObject(BAD_STRUCTURE)
  expect(await like(bob, id, bob.id)).toMatchObject(BAD_STRUCTURE)
  expect(await like(bob, id, [7])).toMatchObject(BAD_STRUCTURE)
  expect(await patch(bob, id, { likeId: [], foo: 1 })).toMatchObject(BAD_STRUCTURE)
  expect(await patch(bob, id, { likeId: [], userid: bob.id })).toMatchObject(UNAUTHORIZED)
  expect(await everything()).toEqual(before)
})

test('an unlike of a deleted post is answered 404', async () => {
  const { like, remove, alice, bob, id } = await start()
  await like(bob, id, [bob.id])
  await remove(alice, id)
  expect(await like(bob, id, [])).toMatchObject(NOT_FOUND)
})

test('eighty likes and unlikes at once by twenty users give exactly the expected set and count', async () => {
  const { like, get, makePerson, id } = await start()
  const people: Person[] = []
  for (let index = 0; index < 20; index++) people.push(await makePerson(`person${index}`))
  const answers = await Promise.all(
    people.map(async (person, index) => {
      const statuses: number[] = []
      for (const isLiked of index % 2 === 0
        ? [true, false, true, false]
        : [true, true, false, true]) {
        statuses.push((await like(person, id, isLiked ? [person.id] : [], index)).status)
      }
      return statuses
    }),
  )
  expect(answers.flat()).toEqual(Array.from({ length: 80 }, () => 200))
  const expected = people.filter((_person, index) => index % 2 === 1).map((person) => person.id)
  const { body } = await get(undefined, id)
  expect([body.like, body.likeId.toSorted()]).toEqual([10, expected.toSorted()])
}, 60_000)
