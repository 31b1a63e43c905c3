// Tags in SQL on both databases: posts written before tags existed, and tags of drafts.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople, makeTestPosts, viewerOf } from '#test/support/posts.ts'
import { GUEST, readerGroups } from '../http/viewer.ts'
import { listTags } from '../post-lists/tag-list.ts'
import { findMostUsed } from '../post-lists/tag-list-store.ts'

const alice = viewerOf('alice')
const TRAINS = 'contains("tags", ["Trains"])'

describeEachDatabase('tags', (open) => {
  async function start() {
    const opened = await open()
    await addPeople(opened.db, ['alice'])
    return { ...opened, posts: makeTestPosts(opened.db) }
  }

  test('posts written before tags existed get those of their last line; other posts keep their tags', async () => {
    await using blog = await start()
    const { db, posts } = blog
    const content = '<p>x</p><p>#Trains #night</p>'
    await posts.write(alice, 'old', { content })
    await posts.write(alice, 'changed', { content, tags: ['own'] })
    await posts.write(alice, 'plain')
    const { seq } = await db
      .selectFrom('post')
      .select('seq')
      .where('id', '=', 'old')
      .executeTakeFirstOrThrow()
    await db.deleteFrom('postTag').where('postSeq', '=', seq).execute()
    await sql`update ${sql.table('searchPost')} set title = null`.execute(db)
    expect((await posts.read(GUEST, 'old')).tags).toBeUndefined()
    await posts.backfillIndex({ signal: new AbortController().signal })
    expect((await posts.read(GUEST, 'old')).tags).toEqual(['Trains', 'night'])
    expect((await posts.read(GUEST, 'changed')).tags).toEqual(['own', 'Trains', 'night'])
    expect((await posts.read(GUEST, 'plain')).tags).toBeUndefined()
    const { documents } = await posts.list(GUEST, [TRAINS], { hasTotal: false })
    expect(documents.map(({ $id }) => $id)).toEqual(['old', 'changed'])
  })

  test('any number of tags of drafts neither displaces the tags of other posts nor is listed', async () => {
    await using blog = await start()
    const { db, posts } = blog
    await posts.write(alice, 'seen', { tags: ['sz'] })
    const draftTags = Array.from({ length: 30 }, (_, at) => `sa${at + 10}`)
    for (let at = 0; at < draftTags.length; at += 5)
      await posts.write(alice, `draft${at}`, {
        status: 'inactive',
        tags: draftTags.slice(at, at + 5),
      })
    const listed = await listTags(db, GUEST, { startsWith: 's', limit: 25 })
    expect(listed).toEqual({ total: 1, tags: [{ tag: 'sz', name: 'sz', posts: 1 }] })
    const among = { among: draftTags.length, visible: 1, limit: 1 }
    expect(await findMostUsed(db, readerGroups(GUEST), among)).toEqual([])
    expect(await findMostUsed(db, readerGroups(GUEST), { ...among, among: 31 })).toEqual(['sz'])
  })
})
