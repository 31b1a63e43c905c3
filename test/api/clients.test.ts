// The published client packages, unmodified, make every call of a blog on a real server.
import { beforeAll, describe, expect, test } from 'vitest'
import { tagsOf } from '#test/support/client-packages.ts'
import { DRIVERS, type ImageFile, KEY_DRIVERS, makeKeyDriver } from '#test/support/clients.ts'
import { drawAnimation, drawNoise, drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'

const MIB = 1024 * 1024
const ALICE = { password: 'alice likes lamps', name: 'Alice Anders' }
const BOB = { password: 'bob likes lamps too', name: 'Bob Berg' }
const SMALL = { width: 64, height: 36 }
const UNAUTHORIZED = { code: 401, type: 'user_unauthorized' }
const NOT_FOUND = { code: 404, type: 'document_not_found' }

const share = shareBlog()
let starts = 0

/** The blog that all these tests share, with a post ID and email addresses for one test. */
async function openBlog() {
  const blog = await share()
  const suffix = ++starts
  return {
    ...blog,
    slug: `blog17000000000${suffix}l`,
    emailOf: (name: string) => `${name}.of.${suffix}@example.test`,
    viewFile: (id: string) => blog.call('GET', `/storage/buckets/content/files/${id}/view`),
  }
}
let photo: ImageFile
let animation: ImageFile
let large: ImageFile

beforeAll(async () => {
  photo = { name: 'harbour.jpg', type: 'image/jpeg', bytes: await drawPhoto('jpeg', SMALL) }
  animation = {
    name: 'waves.gif',
    type: 'image/gif',
    bytes: await drawAnimation({ ...SMALL, frames: 2 }),
  }
  large = { name: 'attic é.png', type: 'image/png', bytes: await drawNoise(5.1 * MIB) }
})

for (const [packageName, make] of DRIVERS)
  describe(packageName, () => {
    /** Alice and Bob are signed in with this package. */
    async function start() {
      const blog = await openBlog()
      const alice = make(blog)
      const bob = make(blog)
      const aliceDetails = { ...ALICE, email: blog.emailOf('alice') }
      const bobDetails = { ...BOB, email: blog.emailOf('bob') }
      const account = await alice.signUp(aliceDetails)
      const session = await alice.signIn(aliceDetails)
      const { $id: bobId } = await bob.signUp(bobDetails)
      await bob.signIn(bobDetails)
      return { ...blog, alice, bob, aliceDetails, account, session, bobId }
    }

    /** The same with a post by Alice and its image. */
    async function startWithPost() {
      const started = await start()
      const { alice, account, slug } = started
      const image = await alice.upload(photo, () => {})
      const data = {
        title: 'The harbour at six',
        content: '<p>Grey, then gold.</p>',
        featuredImage: image.$id,
        status: 'active',
        userid: account.$id,
      }
      const post = await alice.createPost(slug, data)
      return { ...started, image, data, post }
    }

    test('signs up and in, and returns the signed-in user', async () => {
      const { alice, aliceDetails, account, session } = await start()
      const { email, name } = aliceDetails
      expect(account).toMatchObject({ email, name })
      expect(session).toMatchObject({ userId: account.$id, provider: 'email', current: true })
      expect(await alice.whoAmI()).toMatchObject({ $id: account.$id, email, prefs: {} })
    })

    test('uploads a small image in one request', async () => {
      const { alice } = await start()
      expect(await alice.upload(photo, () => {})).toMatchObject({
        name: 'harbour.jpg',
        mimeType: 'image/jpeg',
        chunksTotal: 1,
        chunksUploaded: 1,
      })
    })

    test('uploads a large image in chunks, and reports progress', async () => {
      const { alice, viewFile } = await start()
      let progressCalls = 0
      const file = await alice.upload(large, () => {
        progressCalls++
      })
      expect(file).toMatchObject({
        name: 'attic é.png',
        mimeType: 'image/png',
        sizeOriginal: large.bytes.length,
        chunksTotal: 2,
        chunksUploaded: 2,
      })
      expect(progressCalls).toBe(2)
      expect((await viewFile(file.$id)).bytes.equals(large.bytes)).toBe(true)
    })

    test('writes a post that others list', async () => {
      const { bob, post, data, slug } = await startWithPost()
      expect(post).toMatchObject({
        ...data,
        $id: slug,
        like: 0,
        likeId: [],
        userName: ALICE.name,
      })
      const { documents } = await bob.listPosts()
      expect(documents).toContainEqual(expect.objectContaining({ ...data, $id: slug }))
    })

    test('likes a post by another user, and changes nothing else in it', async () => {
      const { alice, bob, bobId, slug, data } = await startWithPost()
      const like = { like: 1, likeId: [bobId] }
      expect(await bob.updatePost(slug, like)).toMatchObject(like)
      await expect(bob.updatePost(slug, { title: 'Mine now' })).rejects.toMatchObject(UNAUTHORIZED)
      expect(await alice.readPost(slug)).toMatchObject({ ...data, ...like })
    })

    test('changes a post, which keeps its likes, and whose former image is deleted', async () => {
      const { alice, bob, bobId, slug, data, image, viewFile } = await startWithPost()
      const like = { like: 1, likeId: [bobId] }
      await bob.updatePost(slug, like)
      const { $id: featuredImage } = await alice.upload(photo, () => {})
      const edit = { title: 'The harbour at seven', featuredImage }
      expect(await alice.updatePost(slug, edit)).toMatchObject({ ...data, ...edit, ...like })
      // The server deletes the image after the commit.
      await expect.poll(async () => (await viewFile(image.$id)).status).toBe(404)
    })

    test('deletes the caller’s files, but not those of other users', async () => {
      const { alice, bob, viewFile } = await start()
      const { $id } = await alice.upload(photo, () => {})
      await expect(bob.deleteFile($id)).rejects.toMatchObject(UNAUTHORIZED)
      expect((await viewFile($id)).status).toBe(200)
      expect(await alice.deleteFile($id)).toMatchObject({ message: '' })
      expect((await viewFile($id)).status).toBe(404)
    })

    test('turns a post into a draft, which others can neither list nor read', async () => {
      const { alice, bob, slug } = await startWithPost()
      await alice.updatePost(slug, { status: 'inactive' })
      const { documents } = await bob.listPosts()
      expect(documents.map(({ $id }) => $id)).not.toContain(slug)
      await expect(bob.readPost(slug)).rejects.toMatchObject(NOT_FOUND)
    })

    test('deletes a post', async () => {
      const { alice, slug } = await startWithPost()
      expect(await alice.deletePost(slug)).toMatchObject({ message: '' })
      await expect(alice.readPost(slug)).rejects.toMatchObject(NOT_FOUND)
    })
  })

for (const [packageName, make] of KEY_DRIVERS)
  describe(`${packageName} with the API key`, { tags: tagsOf(packageName) }, () => {
    /** A post that the API key has written for a user, with an image uploaded with the key. */
    async function start() {
      const blog = await openBlog()
      const person = await blog.makePerson('alice')
      const key = make(blog)
      const image = await key.upload(animation, () => {})
      const data = {
        title: 'Imported',
        content: '<p>From elsewhere.</p>',
        featuredImage: image.$id,
        status: 'active',
        userid: person.id,
      }
      const post = await key.createPost(blog.slug, data)
      return { ...blog, person, key, image, data, post }
    }

    test('reads users, without their passwords', async () => {
      const { key, person } = await start()
      expect(await key.readUser(person.id)).toMatchObject({
        $id: person.id,
        email: person.email,
        password: '',
        hash: '',
      })
    })

    test('uploads an image and writes a post for a user', async () => {
      const { key, image, data, post, slug } = await start()
      expect(image).toMatchObject({ mimeType: 'image/gif', chunksTotal: 1 })
      expect(post).toMatchObject({ ...data, userName: 'alice', like: 0 })
      const { documents } = await key.listPosts()
      expect(documents.map(({ $id }) => $id)).toContain(slug)
    })

    test('changes a post, and cannot like it', async () => {
      const { key, person, slug } = await start()
      const like = { like: 1, likeId: [person.id] }
      await expect(key.updatePost(slug, like)).rejects.toMatchObject(UNAUTHORIZED)
      const title = 'Imported and mended'
      expect(await key.updatePost(slug, { title })).toMatchObject({ title, like: 0, likeId: [] })
    })

    test('deletes posts and files', async () => {
      const { key, image, slug, viewFile } = await start()
      await key.deletePost(slug)
      await expect(key.readPost(slug)).rejects.toMatchObject(NOT_FOUND)
      await key.deleteFile(image.$id)
      expect((await viewFile(image.$id)).status).toBe(404)
    })
  })

test('a caller with a wrong API key counts as a guest', async () => {
  const blog = await openBlog()
  const listFiles = () =>
    blog.call('GET', '/storage/buckets/content/files', {
      headers: { 'x-appwrite-key': blog.apiKey },
    })
  const before = (await listFiles()).body
  const person = await blog.makePerson('alice')
  const stranger = makeKeyDriver({ ...blog, apiKey: 'not-the-key-of-this-blog' })
  await expect(stranger.upload(animation, () => {})).rejects.toMatchObject({ code: 401 })
  expect(await stranger.readUser(person.id)).toEqual({ $id: person.id, name: 'alice' })
  expect((await listFiles()).body).toEqual(before)
})
