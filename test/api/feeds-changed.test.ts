// Whether a feed has changed, on both databases: one row records each change that guests see, and
// no other.
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
    /** The headers with which a feed reader revalidates its copy. */
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

/** The status of each feed after a change, requested with the ETag and the date from before it. */
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
    test('is sent again after each change that guests see, and after no other', async () => {
      await using blog = await start(kind)
      const { alice, bob, as, asOperator } = blog
      const [allFeed, aliceFeed, bobFeed] = ['', `/author/${alice.id}`, `/author/${bob.id}`].map(
        (path) => `${path}/feed.xml`,
      ) as [string, string, string]
      const changed = 200
      const same = 304
      const check = async (what: string, change: () => Promise<unknown>, ...expected: number[]) =>
        expect([
          what,
          ...(await statusesAfter(blog, [allFeed, aliceFeed, bobFeed], change)),
        ]).toEqual([what, ...expected])
      const changes = (what: string, change: () => Promise<unknown>) =>
        check(what, change, changed, changed, same)
      const changesNothing = (what: string, change: () => Promise<unknown>) =>
        check(what, change, same, same, same)
      await blog.post(bob)
      const forAll = ['read("any")']
      const cover = (await upload(blog, alice, await drawPhoto('png'), { permissions: forAll }))
        .body.$id
      const data = { title: 'A post', content: '<p>Text</p>', featuredImage: cover }
      const make = async (more: object, rest?: Record<string, unknown>) =>
        (await blog.create(alice, { ...data, ...more }, rest)).body.$id as string
      const edit = (id: string, fields: object, rest?: Record<string, unknown>) => async () =>
        expect((await blog.patch(alice, id, fields, rest)).status).toBe(200)
      const hide = (id: string, hidden: boolean) => () =>
        asOperator('PATCH', `${DOCUMENTS}/${id}/hidden`, { hidden })

      let id = ''
      await changes('a first post', async () => (id = await make({})))
      await changesNothing('nothing', async () => {})
      await changes('a new title', edit(id, { title: 'Other' }))
      await changes('a new text', edit(id, { content: '<p>Other</p>' }))
      await changesNothing('the same text again', edit(id, { content: '<p>Other</p>' }))
      await changesNothing('a like', () => blog.like(bob, id, [bob.id]))
      await changes('a second change within a second', async () => {
        await edit(id, { title: 'One' })()
        await blog.feed(allFeed)
        await edit(id, { title: 'Two' })()
      })

      let draft = ''
      await changesNothing('a draft', async () => (draft = await make({ status: 'inactive' })))
      await changesNothing('a change of a draft', edit(draft, { title: 'More' }))
      await changes('publishing', edit(draft, { status: 'active' }))
      await changes(
        'restricting a post to members',
        edit(draft, {}, { permissions: ['read("users")'] }),
      )
      await changesNothing('a change of a post for members', edit(draft, { title: 'For members' }))
      await changesNothing('a post for members', () => make({}, { permissions: ['read("users")'] }))
      await changes('opening a post to everybody', edit(draft, {}, { permissions: forAll }))
      await changes('turning a post into a draft', edit(draft, { status: 'inactive' }))
      await changesNothing('deleting a draft', () => blog.remove(alice, draft))

      await changes('hiding a post', hide(id, true))
      await changesNothing('a change of a hidden post', edit(id, { title: 'Hidden' }))
      await changes('showing a hidden post', hide(id, false))

      const other = (await upload(blog, alice, await drawPhoto('png'), { permissions: forAll }))
        .body.$id
      await changesNothing('an upload', () => upload(blog, alice, Buffer.from('no image')))
      await changes('another cover', edit(id, { featuredImage: other }))
      const readers = (permissions: string[]) => () =>
        as('PUT', `${CONTENT}/${other}`, { permissions })
      await changes('a cover for members', readers(['read("users")']))
      expect(readJsonFeed((await blog.feed()).text).items[0]).not.toHaveProperty('image')
      await changes('a cover for all', readers(forAll))

      await changes('a name', () => as('PATCH', '/account/name', { name: 'Alice' }))
      await changesNothing('the same name', () => as('PATCH', '/account/name', { name: 'Alice' }))
      const prefs = (newPrefs: object) => () => as('PATCH', '/account/prefs', { prefs: newPrefs })
      await check('an about line', prefs({ about: 'Lamps' }), same, changed, same)
      await changesNothing('another preference', prefs({ about: 'Lamps', theme: 'dark' }))
      const avatar = await upload(blog, alice, await drawPhoto('png'), { bucket: AVATARS })
      // Only the JSON feed of all posts contains avatars.
      await check(
        'an avatar',
        prefs({ about: 'Lamps', avatar: avatar.body.$id }),
        same,
        changed,
        same,
      )
      expect(readJsonFeed((await blog.feed()).text).items[0]?.authors[0]?.avatar).toContain(
        avatar.body.$id,
      )
      const deleteAvatar = () => as('DELETE', `${AVATARS}/${avatar.body.$id}`)
      await check('deleting an avatar', deleteAvatar, same, changed, same)

      await changes('deleting a post', () => blog.remove(alice, id))
      const [deleted] = (await as('GET', '/databases/blogdb/collections/posts/deleted')).body
        .deleted
      const path = `/databases/blogdb/collections/posts/deleted/${deleted.$id}`
      await changesNothing('restoring a deleted post', () => as('POST', `${path}/restore`, {}))
      await changes('publishing it again', edit(id, { status: 'active' }))

      const setStatus = (isActive: boolean) => () =>
        asOperator('PATCH', `/users/${alice.id}/status`, { status: isActive })
      await check('blocking the author', setStatus(false), changed, 404, same)
      for (const headers of [
        {},
        { 'if-none-match': '*' },
        { 'if-modified-since': new Date(Date.now() + 1e6).toUTCString() },
      ])
        expect((await blog.feed(aliceFeed, headers as Record<string, string>)).status).toBe(404)
      const copy = await blog.copyOf(allFeed)
      await asOperator('PATCH', `${DOCUMENTS}/${id}`, { data: { title: 'By the operator' } })
      await asOperator('PATCH', `/users/${alice.id}/name`, { name: 'Blocked' })
      expect((await blog.feed(allFeed, copy)).status).toBe(same)
      await setStatus(true)()
      expect((await blog.feed(aliceFeed)).status).toBe(200)
      await check(
        'deleting the account',
        () => asOperator('DELETE', `/users/${alice.id}`, {}),
        changed,
        404,
        same,
      )
    })

    test('after many changes at once the newest feed has an ETag of its own', async () => {
      await using blog = await start(kind)
      const image = await blog.upload(blog.alice)
      const data = { title: 'A post', featuredImage: image }
      const tags = new Set<string | null>()
      for (let round = 0; round < 3; round++) {
        const statuses = await Promise.all(
          [1, 2, 3, 4].map(() => blog.create(blog.alice, data).then(({ status }) => status)),
        )
        expect(statuses).toEqual([201, 201, 201, 201])
        const { headers, text } = await blog.feed()
        tags.add(headers.get('etag'))
        expect(readJsonFeed(text).items).toHaveLength(4 * (round + 1))
      }
      expect(tags.size).toBe(3)
    })
  })
