// The published client packages, unmodified, drive a real server through everything the blog does
// with them.
import { beforeAll, expect, test } from 'vitest'
import { makeTestBlog } from '#test/support/blog.ts'
import { tagsOf } from '#test/support/client-packages.ts'
import { DRIVERS, type ImageFile, KEY_DRIVERS, makeKeyDriver } from '#test/support/clients.ts'
import { drawAnimation, drawNoise, drawPhoto } from '#test/support/images.ts'

const MIB = 1024 * 1024
const ALICE = { email: 'alice@example.test', password: 'alice likes lamps', name: 'Alice Anders' }
const BOB = { email: 'bob@example.test', password: 'bob likes lamps too', name: 'Bob Berg' }
const SLUG = 'blog1700000000000l'
const SMALL = { width: 64, height: 36 }

let photo: ImageFile
let moving: ImageFile
let large: ImageFile

beforeAll(async () => {
  photo = { name: 'harbour.jpg', type: 'image/jpeg', bytes: await drawPhoto('jpeg', SMALL) }
  moving = {
    name: 'waves.gif',
    type: 'image/gif',
    bytes: await drawAnimation({ ...SMALL, frames: 2 }),
  }
  large = { name: 'attic é.png', type: 'image/png', bytes: await drawNoise(5.1 * MIB) }
})

for (const [name, make] of DRIVERS)
  test(`${name}: two people sign up, write, list, like, edit, upload in chunks and delete`, async () => {
    await using blog = await makeTestBlog()
    const alice = make(blog)
    const bob = make(blog)

    const account = await alice.signUp(ALICE)
    expect(account).toMatchObject({ email: ALICE.email, name: ALICE.name })
    expect(await alice.signIn(ALICE)).toMatchObject({
      userId: account.$id,
      provider: 'email',
      current: true,
    })
    expect(await alice.whoAmI()).toMatchObject({ $id: account.$id, email: ALICE.email, prefs: {} })
    const { $id: bobId } = await bob.signUp(BOB)
    await bob.signIn(BOB)

    const small = await alice.upload(photo, () => {})
    expect(small).toMatchObject({
      name: 'harbour.jpg',
      mimeType: 'image/jpeg',
      chunksTotal: 1,
      chunksUploaded: 1,
    })
    let steps = 0
    const big = await alice.upload(large, () => {
      steps++
    })
    expect(big).toMatchObject({
      name: 'attic é.png',
      mimeType: 'image/png',
      sizeOriginal: large.bytes.length,
      chunksTotal: 2,
      chunksUploaded: 2,
    })
    expect(steps).toBe(2)
    expect(
      (await blog.call('GET', `/storage/buckets/content/files/${big.$id}/view`)).bytes.equals(
        large.bytes,
      ),
    ).toBe(true)

    const data = {
      title: 'The harbour at six',
      content: '<p>Grey, then gold.</p>',
      featuredImage: small.$id,
      status: 'active',
      userid: account.$id,
    }
    expect(await alice.createPost(SLUG, data)).toMatchObject({
      ...data,
      $id: SLUG,
      like: 0,
      likeId: [],
      userName: ALICE.name,
    })

    expect(await bob.listPosts()).toMatchObject({ total: 1, documents: [{ ...data, $id: SLUG }] })
    expect(await bob.updatePost(SLUG, { like: 1, likeId: [bobId] })).toMatchObject({
      like: 1,
      likeId: [bobId],
    })
    await expect(bob.updatePost(SLUG, { title: 'Mine now' })).rejects.toMatchObject({
      code: 401,
      type: 'user_unauthorized',
    })
    await expect(bob.deleteFile(big.$id)).rejects.toMatchObject({
      code: 401,
      type: 'user_unauthorized',
    })

    const edit = { title: 'The harbour at seven', featuredImage: big.$id }
    expect(await alice.updatePost(SLUG, edit)).toMatchObject({
      ...data,
      ...edit,
      like: 1,
      likeId: [bobId],
    })
    // The server itself removes the replaced image, after the commit.
    await expect
      .poll(
        async () =>
          (await blog.call('GET', `/storage/buckets/content/files/${small.$id}/view`)).status,
      )
      .toBe(404)
    const spare = await alice.upload(photo, () => {})
    expect(await alice.deleteFile(spare.$id)).toMatchObject({ message: '' })
    expect(
      (await blog.call('GET', `/storage/buckets/content/files/${spare.$id}/view`)).status,
    ).toBe(404)
    await alice.updatePost(SLUG, { status: 'inactive' })
    expect(await bob.listPosts()).toMatchObject({ total: 0, documents: [] })
    await expect(bob.readPost(SLUG)).rejects.toMatchObject({
      code: 404,
      type: 'document_not_found',
    })

    expect(await alice.deletePost(SLUG)).toMatchObject({ message: '' })
    await expect(alice.readPost(SLUG)).rejects.toMatchObject({
      code: 404,
      type: 'document_not_found',
    })
  })

for (const [packageName, make] of KEY_DRIVERS)
  test(`${packageName} with the API key: writes for a person, reads people, cannot like`, {
    tags: tagsOf(packageName),
  }, async () => {
    await using blog = await makeTestBlog()
    const person = await blog.makePerson('alice')
    const key = make(blog)

    expect(await key.readUser(person.id)).toMatchObject({
      $id: person.id,
      email: person.email,
      password: '',
      hash: '',
    })
    const image = await key.upload(moving, () => {})
    expect(image).toMatchObject({ mimeType: 'image/gif', chunksTotal: 1 })
    const data = {
      title: 'Imported',
      content: '<p>From elsewhere.</p>',
      featuredImage: image.$id,
      status: 'active',
      userid: person.id,
    }
    expect(await key.createPost(SLUG, data)).toMatchObject({ ...data, userName: 'alice', like: 0 })
    expect(await key.listPosts()).toMatchObject({ total: 1, documents: [{ $id: SLUG }] })
    await expect(key.updatePost(SLUG, { like: 1, likeId: [person.id] })).rejects.toMatchObject({
      code: 401,
      type: 'user_unauthorized',
    })
    expect(await key.updatePost(SLUG, { title: 'Imported and mended' })).toMatchObject({
      title: 'Imported and mended',
      like: 0,
      likeId: [],
    })
    await key.deletePost(SLUG)
    await expect(key.readPost(SLUG)).rejects.toMatchObject({
      code: 404,
      type: 'document_not_found',
    })
    await key.deleteFile(image.$id)
    expect(
      (await blog.call('GET', `/storage/buckets/content/files/${image.$id}/view`)).status,
    ).toBe(404)
  })

test('a wrong API key counts as a guest', async () => {
  await using blog = await makeTestBlog()
  const person = await blog.makePerson('alice')
  const stranger = makeKeyDriver({ ...blog, apiKey: 'not-the-key-of-this-blog' })
  await expect(stranger.upload(moving, () => {})).rejects.toMatchObject({ code: 401 })
  expect(await stranger.readUser(person.id)).toEqual({ $id: person.id, name: 'alice' })
  expect(
    (
      await blog.call('GET', '/storage/buckets/content/files', {
        headers: { 'x-appwrite-key': blog.apiKey },
      })
    ).body.total,
  ).toBe(0)
})
