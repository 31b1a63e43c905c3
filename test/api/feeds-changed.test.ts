// Whether a feed has changed, on both databases: one row tells it, for every change that guests
// see and for no other.
import { describe, expect, test } from 'vitest'
import { openBlogOn } from '#test/support/blog-on-database.ts'
import { DATABASES, type DatabaseKind } from '#test/support/databases.ts'
import { DOCUMENTS } from '#test/support/documents.ts'
import { readJsonFeed } from '#test/support/feeds.ts'
import { AVATARS, CONTENT, upload } from '#test/support/files.ts'
import { drawPhoto } from '#test/support/images.ts'

async function start(kind: DatabaseKind) {
  const blog = await openBlogOn(kind, { BLOG_READING: 'everyone' })
  const { alice, asKey } = blog
  const feed = async (path = '/feed.json', headers: Record<string, string> = {}) => {
    const answer = await fetch(blog.url + path, { headers })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return {
    ...blog,
    feed,
    /** What a reader's copy of a feed is asked again with. */
    copyOf: async (path: string) => {
      const { headers } = await feed(path)
      return {
        'if-none-match': headers.get('etag') ?? '',
        'if-modified-since': headers.get('last-modified') ?? '',
      }
    },
    as: (method: string, path: string, body?: object) =>
      blog.call(method, path, { cookie: alice.cookie, ...(body ? { body } : {}) }),
    asOperator: (method: string, path: string, body: object) =>
      blog.call(method, path, { ...asKey, body }),
  }
}

type Blog = Awaited<ReturnType<typeof start>>

/** Whether each feed answers a copy of before with 304, by tag and by date. */
async function statusesAfter(blog: Blog, paths: string[], change: () => Promise<unknown>) {
  const copies = []
  for (const path of paths) copies.push({ path, copy: await blog.copyOf(path) })
  await change()
  const statuses: number[] = []
  for (const { path, copy } of copies) {
    const byTag = await blog.feed(path, { 'if-none-match': copy['if-none-match'] })
    const byDate = await blog.feed(path, { 'if-modified-since': copy['if-modified-since'] })
    expect([path, byDate.status]).toEqual([path, byTag.status])
    expect([path, byTag.status === 304 ? byTag.text : '']).toEqual([path, ''])
    statuses.push(byTag.status)
  }
  return statuses
}

for (const [kind, tags] of DATABASES)
  describe(`a feed on ${kind}`, { tags }, () => {
    test('is sent again after every change that guests see, and after no other', async () => {
      await using blog = await start(kind)
      const { alice, bob, as, asOperator } = blog
      const [ofAll, ofAlice, ofBob] = ['', `/author/${alice.id}`, `/author/${bob.id}`].map(
        (path) => `${path}/feed.xml`,
      ) as [string, string, string]
      const changed = 200
      const same = 304
      const check = async (what: string, change: () => Promise<unknown>, ...expected: number[]) =>
        expect([what, ...(await statusesAfter(blog, [ofAll, ofAlice, ofBob], change))]).toEqual([
          what,
          ...expected,
        ])
      const expectChange = (what: string, change: () => Promise<unknown>) =>
        check(what, change, changed, changed, same)
      const unseen = (what: string, change: () => Promise<unknown>) =>
        check(what, change, same, same, same)
      await blog.post(bob)
      const forAll = ['read("any")']
      const cover = (await upload(blog, alice, await drawPhoto('png'), { permissions: forAll }))
        .body.$id
      const data = { title: 'A post', content: '<p>Text</p>', featuredImage: cover }
      const make = async (more: object, rest?: Record<string, unknown>) =>
        (await blog.create(alice, { ...data, ...more }, rest)).body.$id as string
      const edit = (id: string, changes: object, rest?: Record<string, unknown>) => async () =>
        expect((await blog.patch(alice, id, changes, rest)).status).toBe(200)
      const hide = (id: string, hidden: boolean) => () =>
        asOperator('PATCH', `${DOCUMENTS}/${id}/hidden`, { hidden })

      let id = ''
      await expectChange('a first post', async () => (id = await make({})))
      await unseen('nothing', async () => {})
      await expectChange('a new title', edit(id, { title: 'Other' }))
      await expectChange('a new text', edit(id, { content: '<p>Other</p>' }))
      await unseen('the same once more', edit(id, { content: '<p>Other</p>' }))
      await unseen('a like', () => blog.like(bob, id, [bob.id]))
      await expectChange('a second change within a second', async () => {
        await edit(id, { title: 'One' })()
        await blog.feed(ofAll)
        await edit(id, { title: 'Two' })()
      })

      let draft = ''
      await unseen('a draft', async () => (draft = await make({ status: 'inactive' })))
      await unseen('a change of a draft', edit(draft, { title: 'More' }))
      await expectChange('publishing', edit(draft, { status: 'active' }))
      await expectChange('narrowing', edit(draft, {}, { permissions: ['read("users")'] }))
      await unseen('a change of what is for members', edit(draft, { title: 'For members' }))
      await unseen('a post for members', () => make({}, { permissions: ['read("users")'] }))
      await expectChange('opening', edit(draft, {}, { permissions: forAll }))
      await expectChange('taking back', edit(draft, { status: 'inactive' }))
      await unseen('deleting a draft', () => blog.remove(alice, draft))

      await expectChange('hiding', hide(id, true))
      await unseen('a change of what is hidden', edit(id, { title: 'Hidden' }))
      await expectChange('showing', hide(id, false))

      const other = (await upload(blog, alice, await drawPhoto('png'), { permissions: forAll }))
        .body.$id
      await unseen('an upload', () => upload(blog, alice, Buffer.from('no image')))
      await expectChange('another cover', edit(id, { featuredImage: other }))
      const readers = (permissions: string[]) => () =>
        as('PUT', `${CONTENT}/${other}`, { permissions })
      await expectChange('a cover for members', readers(['read("users")']))
      expect(readJsonFeed((await blog.feed()).text).items[0]).not.toHaveProperty('image')
      await expectChange('a cover for all', readers(forAll))

      await expectChange('a name', () => as('PATCH', '/account/name', { name: 'Alice' }))
      await unseen('the same name', () => as('PATCH', '/account/name', { name: 'Alice' }))
      const prefs = (more: object) => () => as('PATCH', '/account/prefs', { prefs: more })
      await check('a line', prefs({ about: 'Lamps' }), same, changed, same)
      await unseen('another preference', prefs({ about: 'Lamps', theme: 'dark' }))
      const face = await upload(blog, alice, await drawPhoto('png'), { bucket: AVATARS })
      // Of faces only the JSON of all posts tells.
      await check('a face', prefs({ about: 'Lamps', avatar: face.body.$id }), same, changed, same)
      expect(readJsonFeed((await blog.feed()).text).items[0]?.authors[0]?.avatar).toContain(
        face.body.$id,
      )
      const endFace = () => as('DELETE', `${AVATARS}/${face.body.$id}`)
      await check('the end of a face', endFace, same, changed, same)

      await expectChange('deleting', () => blog.remove(alice, id))
      const [deleted] = (await as('GET', '/databases/blogdb/collections/posts/deleted')).body
        .deleted
      const path = `/databases/blogdb/collections/posts/deleted/${deleted.$id}`
      await unseen('bringing back', () => as('POST', `${path}/restore`, {}))
      await expectChange('publishing again', edit(id, { status: 'active' }))

      const status = (on: boolean) => () =>
        asOperator('PATCH', `/users/${alice.id}/status`, { status: on })
      await check('a block', status(false), changed, 404, same)
      for (const headers of [
        {},
        { 'if-none-match': '*' },
        { 'if-modified-since': new Date(Date.now() + 1e6).toUTCString() },
      ])
        expect((await blog.feed(ofAlice, headers as Record<string, string>)).status).toBe(404)
      const copy = await blog.copyOf(ofAll)
      await asOperator('PATCH', `${DOCUMENTS}/${id}`, { data: { title: 'By the operator' } })
      await asOperator('PATCH', `/users/${alice.id}/name`, { name: 'Blocked' })
      expect((await blog.feed(ofAll, copy)).status).toBe(same)
      await status(true)()
      expect((await blog.feed(ofAlice)).status).toBe(200)
      await check(
        'the end of an account',
        () => asOperator('DELETE', `/users/${alice.id}`, {}),
        changed,
        404,
        same,
      )
    })

    test('after many at once the newest copy is told from all others', async () => {
      await using blog = await start(kind)
      const image = await blog.upload(blog.alice)
      const data = { title: 'A post', featuredImage: image }
      const tags = new Set<string | null>()
      for (let round = 0; round < 3; round++) {
        const posts = await Promise.all(
          [1, 2, 3, 4].map(() => blog.create(blog.alice, data).then(({ status }) => status)),
        )
        expect(posts).toEqual([201, 201, 201, 201])
        const { headers, text } = await blog.feed()
        tags.add(headers.get('etag'))
        expect(readJsonFeed(text).items).toHaveLength(4 * (round + 1))
      }
      expect(tags.size).toBe(3)
    })
  })
