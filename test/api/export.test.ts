// "Download my data": one zip with all data of one user, and nothing of anybody else.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTestBlog, type Person, type TestBlog } from '#test/support/blog.ts'
import { DATABASES, makePostgresDatabase } from '#test/support/databases.ts'
import { makeDocuments } from '#test/support/documents.ts'
import { drawPhoto } from '#test/support/images.ts'
import { shareBlog } from '#test/support/shared-blog.ts'
import { readZip } from '#test/support/zip.ts'

const sharedBlog = shareBlog()

/** Requests the zip as the link in the settings does: a navigation with only the cookie. */
function download(blog: TestBlog, { cookie }: Pick<Person, 'cookie'>): Promise<Response> {
  return fetch(`${blog.url}/v1/account/export?project=blog`, { headers: { cookie } })
}

async function unpack(answer: Response) {
  const entries = await readZip(Buffer.from(await answer.arrayBuffer()))
  const read = (path: string) =>
    JSON.parse(entries.find((entry) => entry.path === path)?.bytes.toString() ?? 'null')
  return {
    entries,
    paths: entries.map(({ path }) => path),
    account: read('account.json'),
    posts: read('posts.json'),
    versions: read('versions.json'),
    deleted: read('deleted-posts.json'),
    comments: read('comments.json'),
  }
}

async function upload(
  blog: TestBlog,
  person: Person,
  { bucket = 'content', name }: { bucket?: string; name: string },
): Promise<string> {
  const body = new FormData()
  body.append('fileId', 'unique()')
  body.append(
    'file',
    new File([new Uint8Array(await drawPhoto('png', { width: 60, height: 40 }))], name),
  )
  const answer = await blog.call('POST', `/storage/buckets/${bucket}/files`, {
    body,
    cookie: person.cookie,
  })
  expect(answer.status).toBe(201)
  return answer.body.$id
}

for (const [name, tags] of DATABASES)
  describe(`the archive of a user on ${name}`, { tags }, () => {
    /** Alice has two posts, a deleted one, a comment, an image and an avatar; bob has a post. */
    const share = shareBlog(async () => {
      const postgres = name === 'PostgreSQL' ? await makePostgresDatabase() : undefined
      const blog = await makeTestBlog(postgres ? { BLOG_DATABASE_URL: postgres.url } : {})
      const documents = makeDocuments(blog)
      const alice = await blog.makePerson('alice')
      const bob = await blog.makePerson('bob')
      const image = await upload(blog, alice, { name: 'Grüße <b>.png' })
      const avatar = await upload(blog, alice, { bucket: 'avatars', name: 'me.png' })
      const first = { title: 'First', featuredImage: image, content: '<p>Hello &amp; welcome</p>' }
      await documents.create(alice, first, { documentId: 'first' })
      const draft = { title: 'Draft', status: 'inactive', featuredImage: image }
      await documents.create(alice, draft, { documentId: 'draft' })
      const deletedPost = { title: 'Gone', status: 'inactive', content: '<p>Gone</p>' }
      await documents.create(alice, deletedPost, { documentId: 'gone' })
      await documents.remove(alice, 'gone')
      const bobsPostId = await documents.post(bob, { title: 'of bob' })
      await documents.like(bob, 'first', [bob.id])
      const { cookie } = alice
      await blog.call('PATCH', '/account/prefs', { body: { prefs: { avatar } }, cookie })
      for (const person of [alice, bob])
        await blog.call('POST', '/databases/blogdb/collections/comments/documents', {
          body: {
            documentId: 'unique()',
            data: { postId: 'first', content: `By ${person.name}` },
          },
          cookie: person.cookie,
        })
      const answer = await download(blog, alice)
      return {
        ...blog,
        ...(await unpack(answer.clone())),
        answer,
        alice,
        bob,
        image,
        avatar,
        bobsPostId,
        async [Symbol.asyncDispose]() {
          await blog[Symbol.asyncDispose]()
          await postgres?.drop()
        },
      }
    })

    test('is a zip file with the date in its name, and no cache stores it', async () => {
      const { answer } = await share()
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/zip')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="blog-data-\d{4}-\d\d-\d\d\.zip"$/,
      )
    })

    test('contains the account with its prefs and sessions', async () => {
      const { account, alice, avatar } = await share()
      expect(account).toMatchObject({
        account: { $id: alice.id, email: 'alice@example.test', name: 'alice', prefs: { avatar } },
        identities: [],
        sessions: [{ userId: alice.id, current: true, provider: 'email' }],
      })
    })

    test('contains posts and drafts with their likes', async () => {
      const { posts, image, bob } = await share()
      expect(posts).toMatchObject([
        {
          $id: 'first',
          title: 'First',
          content: '<p>Hello &amp; welcome</p>',
          status: 'active',
          featuredImage: image,
          like: 1,
          likeId: [bob.id],
        },
        { $id: 'draft', title: 'Draft', status: 'inactive' },
      ])
    })

    test('contains all versions, including those of a deleted post, and the deleted post', async () => {
      const { versions, deleted } = await share()
      expect(versions).toMatchObject([
        { postId: 'first', kind: 'published', content: '<p>Hello &amp; welcome</p>' },
        { postId: 'draft', kind: 'draft', title: 'Draft', content: '' },
        { postId: 'gone', kind: 'draft', content: '<p>Gone</p>' },
      ])
      expect(deleted).toMatchObject([{ postId: 'gone', title: 'Gone', content: '<p>Gone</p>' }])
    })

    test('contains the user’s own comments', async () => {
      const { comments } = await share()
      expect(comments).toMatchObject([{ postId: 'first', content: 'By alice', status: 'shown' }])
    })

    test('contains the images as they were uploaded, under names that are safe in a folder', async () => {
      const { call, entries, paths, account, alice, image, avatar } = await share()
      const lists = ['posts.json', 'versions.json', 'deleted-posts.json', 'comments.json']
      expect(paths).toEqual(['account.json', ...lists, 'images/1-Grüße _b_.png', 'images/2-me.png'])
      expect(account.files).toMatchObject([
        { $id: image, bucketId: 'content', name: 'Grüße <b>.png', path: 'images/1-Grüße _b_.png' },
        { $id: avatar, bucketId: 'avatars', name: 'me.png', path: 'images/2-me.png' },
      ])
      const { cookie } = alice
      const path = `/storage/buckets/content/files/${image}/download?project=blog`
      expect(entries[5]?.bytes).toEqual((await call('GET', path, { cookie })).bytes)
    })

    test('contains no secret and no data of other users', async () => {
      const { entries, alice, bobsPostId } = await share()
      const everything = entries.map(({ bytes }) => bytes.toString('latin1')).join()
      for (const secret of [
        alice.cookie.split('=')[1] ?? '',
        '$argon2',
        'secretHash',
        bobsPostId,
        'of bob',
        'bob@example.test',
      ])
        expect(everything).not.toContain(secret)
    })
  })

test('a new user gets a complete archive, too', async () => {
  const blog = await sharedBlog()
  const { paths, account, posts } = await unpack(
    await download(blog, await blog.makePerson('alice')),
  )
  expect(paths).toEqual(['account.json', 'posts.json', 'versions.json', 'deleted-posts.json'])
  expect(account.files).toEqual([])
  expect(posts).toEqual([])
})

test('more posts than fit into memory at once are in order, and none is repeated', async () => {
  const blog = await sharedBlog()
  const documents = makeDocuments(blog)
  const alice = await blog.makePerson('alice')
  const image = await documents.upload(alice)
  const ids = Array.from({ length: 21 }, (_, index) => `post-${index + 1}`)
  for (const documentId of ids)
    await documents.create(alice, { title: documentId, featuredImage: image }, { documentId })
  const { posts } = await unpack(await download(blog, alice))
  expect(posts.map(({ $id }: { $id: string }) => $id)).toEqual(ids)
})

test('two files with the same name are both in the archive', async () => {
  const blog = await sharedBlog()
  const alice = await blog.makePerson('alice')
  for (const name of ['photo.png', 'photo.png', 'PHOTO.png']) await upload(blog, alice, { name })
  const { paths } = await unpack(await download(blog, alice))
  expect(paths.slice(4)).toEqual(['images/1-photo.png', 'images/2-photo.png', 'images/3-PHOTO.png'])
})

test('a file that has lost its bytes is empty in the archive, and the rest is complete', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  await upload(blog, alice, { name: 'lost.png' })
  for (const name of await readdir(join(blog.dataDir, 'files')))
    await rm(join(blog.dataDir, 'files', name))
  await upload(blog, alice, { name: 'kept.png' })
  const { entries } = await unpack(await download(blog, alice))
  expect(entries.slice(4).map(({ path, bytes }) => [path, bytes.length > 0])).toEqual([
    ['images/1-lost.png', false],
    ['images/2-kept.png', true],
  ])
  expect(blog.log.filter(({ msg }) => msg === 'the bytes of a file are missing')).toHaveLength(1)
})

test('nobody else gets the archive: no guest, no API key, no other site and no HEAD request', async () => {
  await using blog = await makeTestBlog()
  const alice = await blog.makePerson('alice')
  expect((await blog.call('GET', '/account/export')).body.type).toBe('general_unauthorized_scope')
  expect(
    (await blog.call('GET', '/account/export', { headers: { 'x-appwrite-key': blog.apiKey } })).body
      .type,
  ).toBe('general_unauthorized_scope')
  const foreign = await blog.call('GET', '/account/export', {
    cookie: alice.cookie,
    headers: { origin: 'https://evil.example' },
  })
  expect(foreign.headers.get('access-control-allow-origin')).toBe(null)
  expect(
    (
      await fetch(`${blog.url}/v1/account/export?project=blog`, {
        method: 'HEAD',
        headers: { cookie: alice.cookie },
      })
    ).status,
  ).toBe(404)
})

test('the archive can be downloaded ten times an hour', async () => {
  await using blog = await makeTestBlog({ BLOG_RATE_LIMITS: 'on' })
  const alice = await blog.makePerson('alice')
  const statuses: number[] = []
  for (let call = 0; call < 11; call++) {
    const answer = await download(blog, alice)
    statuses.push(answer.status)
    await answer.arrayBuffer()
  }
  expect(statuses).toEqual([...Array(10).fill(200), 429])
})
