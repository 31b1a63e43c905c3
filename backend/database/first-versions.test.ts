// The migration that begins to keep versions, on databases that hold posts already.
import { brotliDecompressSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DATABASES } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { up } from './migrations/0008-history.ts'
import type { Database } from './schema.ts'

/** More than the migration holds in memory at once. */
const POSTS = 25
const [WRITTEN, CHANGED] = ['2023-11-20T13:37:00.000Z', '2023-11-21T08:00:00.000Z']

async function addOldData(db: Database): Promise<void> {
  await addPeople(db, ['alice', 'bob'])
  const stored = { permissions: '[]', readers: 'any', createdAt: WRITTEN, updatedAt: CHANGED }
  const file = (id: string, userId: string) => ({
    ...{ id, bucketId: 'content', userId, name: 'x.png', mimeType: 'image/png', sizeBytes: 10 },
    ...{ signature: '', width: 1, height: 1, color: '', chunksTotal: 1, chunksUploaded: 1 },
    ...{ isComplete: 1, storedName: id, ...stored },
  })
  await db
    .insertInto('file')
    .values(['own', 'cover', 'foreign'].map((id) => file(id, id === 'foreign' ? 'bob' : 'alice')))
    .execute()
  const posts = Array.from({ length: POSTS }, (_, at) => ({
    ...{
      id: `post-${at}`,
      title: `Title ${at}`,
      featuredImage: 'cover',
      userId: 'alice',
      ...stored,
    },
    content: `<p>Night &amp; train, c'est le ${at}e</p>`,
    status: at % 2 === 0 ? 'active' : 'inactive',
  }))
  await db.insertInto('post').values(posts).execute()
  const places = [
    ...['own', 'foreign', 'gone'].map((fileId) => ({ fileId, place: 'body' })),
    { fileId: 'cover', place: 'cover' },
  ]
  await db
    .insertInto('postFile')
    .values(places.map((place) => ({ postId: 'post-7', ...place })))
    .execute()
}

describe.each(DATABASES)('the first versions on %s', (_name, open) => {
  test('the present text of each post is its first version, and a migration that was cut short goes on', async () => {
    await using opened = await open()
    const { db } = opened
    await addOldData(db)
    for (const table of ['versionFile', 'postVersion', 'deletedLike', 'deletedPost'])
      await sql`drop table ${sql.table(table)}`.execute(db)
    await up(db as unknown as Kysely<unknown>)
    const half = ['post-3', 'post-7', 'post-24']
    await db.deleteFrom('postVersion').where('postId', 'in', half).execute()
    await up(db as unknown as Kysely<unknown>)

    const versions = await db.selectFrom('postVersion').selectAll().execute()
    expect(versions.map(({ postId }) => postId).toSorted()).toEqual(
      Array.from({ length: POSTS }, (_, at) => `post-${at}`).toSorted(),
    )
    expect(new Set(versions.map(({ id }) => id)).size).toBe(POSTS)
    for (const { postId, body, textBytes, sizeBytes, ...version } of versions) {
      const at = Number(postId?.slice('post-'.length))
      const text = brotliDecompressSync(body)
      expect(text.toString()).toBe(`<p>Night &amp; train, c'est le ${at}e</p>`)
      expect([textBytes, sizeBytes]).toEqual([text.length, body.length])
      expect(version).toMatchObject({
        ...{ title: `Title ${at}`, kind: at % 2 === 0 ? 'published' : 'draft', restoredFrom: '' },
        ...{ deletedId: null, words: 5, wordsAdded: 5, wordsRemoved: 0 },
        ...{ createdAt: CHANGED, savedAt: CHANGED },
      })
    }
    // Of the text, of its author, and there: nothing else keeps a file.
    const seventh = versions.find(({ postId }) => postId === 'post-7')
    expect(await db.selectFrom('versionFile').selectAll().execute()).toEqual([
      { versionId: seventh?.id, fileId: 'own' },
    ])
    for (const table of ['deletedPost', 'deletedLike'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  })
})
