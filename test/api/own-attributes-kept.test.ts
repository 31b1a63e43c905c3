// Attributes that are no role stay with their post through hiding, deleting and the download of
// one's own data, and end with it.
import { expect, test } from 'vitest'
import { openDatabase } from '#backend/database/database.ts'
import { DATABASES } from '#test/support/databases.ts'
import { openBlogOn } from '#test/support/own-blog.ts'
import { readZip } from '#test/support/zip.ts'

const COLLECTION = '/databases/blogdb/collections/posts'

for (const [kind, tags] of DATABASES)
  test(`attributes that are no role live as long as their post, on ${kind}`, { tags }, async () => {
    await using blog = await openBlogOn(kind, { BLOG_EXTRA_ATTRIBUTES: 'on' })
    const { alice, bob, asKey, call } = blog
    const caller = { cookie: alice.cookie }
    const kept = { slug: 'kept', tags: ['x'], status: 'draft', featuredImage: 'https://x.test/a' }
    const [id, gone, ended] = [
      await blog.post(alice, kept),
      await blog.post(alice, { slug: 'gone' }),
      await blog.post(alice, { slug: 'ended' }),
    ]
    const ofBob = await blog.post(bob, { slug: 'of bob' })

    for (const hidden of [true, false])
      await call('PATCH', `${COLLECTION}/documents/${id}/hidden`, { ...asKey, body: { hidden } })
    expect((await blog.get(alice, id)).body).toMatchObject(kept)
    for (const one of [gone, ended]) await blog.remove(alice, one)
    const [newest] = (await call('GET', `${COLLECTION}/deleted`, caller)).body.deleted
    await call('DELETE', `${COLLECTION}/deleted/${newest.$id}`, { ...caller, body: {} })

    const zip = await call('GET', '/account/export?project=blog', caller)
    const entries = await readZip(zip.bytes)
    const read = (path: string) =>
      JSON.parse(entries.find((entry) => entry.path === path)?.bytes.toString() ?? 'null')
    expect(read('posts.json')).toEqual([expect.objectContaining({ $id: id, ...kept })])
    expect(read('deleted-posts.json')).toEqual([expect.objectContaining({ slug: 'gone' })])

    const stored = async () => {
      const db = await openDatabase({ dataDir: blog.dataDir, databaseUrl: blog.databaseUrl })
      const extras = await db.selectFrom('postExtra').select('attributes').execute()
      const deleted = await db.selectFrom('deletedPost').select('attributes').execute()
      await db.destroy()
      return JSON.stringify([extras, deleted])
    }
    expect(await stored()).toContain('gone')
    expect(await stored()).not.toContain('ended')
    const body = { password: alice.password }
    expect((await call('DELETE', '/account', { ...caller, body })).status).toBe(204)
    expect(await stored()).toBe(JSON.stringify([[{ attributes: '{"slug":"of bob"}' }], []]))
    expect((await blog.get(undefined, ofBob)).body).toMatchObject({ slug: 'of bob' })
  })
