// The migration that begins to note where files are used, on databases that hold posts already.
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '#test/support/databases.ts'
import { addPeople } from '#test/support/posts.ts'
import { up } from './migrations/0005-file-references.ts'
import type { Database } from './schema.ts'

const POSTS = 25
const time = '2023-11-20T13:37:00.000Z'

async function addOldData(db: Database): Promise<void> {
  await addPeople(db, ['alice', 'bob'])
  await db
    .updateTable('user')
    .set({ prefs: '{"avatar":"face","theme":"dark"}' })
    .where('id', '=', 'alice')
    .execute()
  const file = (id: string, userId: string | null) => ({
    id,
    bucketId: 'content',
    userId,
    name: 'x.png',
    mimeType: 'image/png',
    sizeBytes: 10,
    signature: '',
    width: 1,
    height: 1,
    color: '',
    chunksTotal: 1,
    chunksUploaded: 1,
    isComplete: 1,
    storedName: id,
    permissions: '[]',
    readers: 'any',
    createdAt: time,
    updatedAt: time,
  })
  await db
    .insertInto('file')
    .values([file('cover', 'alice'), file('operators', null)])
    .execute()
  const posts = Array.from({ length: POSTS }, (_, at) => ({
    id: `post-${at}`,
    title: 'x',
    featuredImage: 'cover',
    status: 'inactive',
    content: `<p><img src="/v1/storage/buckets/content/files/inside-${at}/view?project=blog&amp;width=4">
      <img src="https://blog.example/v1/storage/buckets/content/files/cover/preview"> files/no/view</p>`,
    userId: 'alice',
    permissions: '[]',
    readers: 'any',
    createdAt: time,
    updatedAt: time,
  }))
  await db.insertInto('post').values(posts).execute()
}

describeEachDatabase('references of files', (open) => {
  test('what is stored already is noted', async () => {
    await using opened = await open()
    const { db } = opened
    await addOldData(db)
    for (const table of ['fileId', 'postFile', 'avatarFile'])
      await sql`drop table ${sql.table(table)}`.execute(db)
    const startMs = Date.now()
    await up(db as unknown as Kysely<unknown>)
    const endMs = Date.now()

    expect(
      await db.selectFrom('fileId').select(['id', 'ownerId', 'releasedAt']).orderBy('id').execute(),
    ).toEqual([
      { id: 'cover', ownerId: 'alice', releasedAt: '' },
      { id: 'operators', ownerId: null, releasedAt: '' },
    ])
    const [{ uploadedAt } = { uploadedAt: '' }] = await db
      .selectFrom('fileId')
      .selectAll()
      .execute()
    expect(Date.parse(uploadedAt)).toBeGreaterThanOrEqual(startMs)
    expect(Date.parse(uploadedAt)).toBeLessThanOrEqual(endMs)
    const noted = await db.selectFrom('postFile').selectAll().orderBy('postId').execute()
    expect(noted).toHaveLength(POSTS * 3)
    expect(noted.filter(({ postId }) => postId === 'post-24')).toEqual(
      expect.arrayContaining([
        { postId: 'post-24', fileId: 'cover', place: 'cover' },
        { postId: 'post-24', fileId: 'cover', place: 'body' },
        { postId: 'post-24', fileId: 'inside-24', place: 'body' },
      ]),
    )
    expect(await db.selectFrom('avatarFile').selectAll().execute()).toEqual([
      { userId: 'alice', fileId: 'face' },
    ])
  })
})
