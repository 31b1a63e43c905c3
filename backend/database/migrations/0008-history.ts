// Versions of posts, and deleted posts that can still be brought back. The present text of every
// stored post becomes its first version, a batch at a time. Every step can be repeated.
import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { bytesType, withSequence } from '../dialect.ts'

type Filled = {
  post: {
    seq: number
    id: string
    title: string
    content: string
    status: string
    updatedAt: string
  }
  postVersion: {
    id: string
    postId: string
    title: string
    kind: string
    restoredFrom: string
    words: number
    wordsAdded: number
    wordsRemoved: number
    textBytes: number
    sizeBytes: number
    createdAt: string
    savedAt: string
    body: Uint8Array
  }
  postFile: { postId: string; fileId: string; place: string }
  versionFile: { versionId: string; fileId: string }
}

/** Bodies may hold a million characters each. */
const POSTS_AT_ONCE = 10

export async function up(db: Kysely<unknown>): Promise<void> {
  await createDeletedPosts(db)
  await createVersions(db)
  await fillVersions(db as Kysely<Filled>)
}

async function createDeletedPosts(db: Kysely<unknown>): Promise<void> {
  await withSequence(db, db.schema.createTable('deletedPost').ifNotExists())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('postId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('featuredImage', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('permissions', 'text', (c) => c.notNull())
    .addColumn('readers', 'text', (c) => c.notNull())
    .addColumn('isHidden', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .addColumn('deletedAt', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'deletedPostByUser', 'deletedPost', ['userId', 'deletedAt', 'seq'])
  await createIndex(db, 'deletedPostByPost', 'deletedPost', ['postId'])
  await createIndex(db, 'deletedPostByImage', 'deletedPost', ['featuredImage'])
  await createIndex(db, 'deletedPostByTime', 'deletedPost', ['deletedAt'])
  await db.schema
    .createTable('deletedLike')
    .ifNotExists()
    .addColumn('deletedId', 'text', (c) =>
      c.notNull().references('deletedPost.id').onDelete('cascade'),
    )
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('place', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('deletedLikeKey', ['deletedId', 'userId'])
    .execute()
  await createIndex(db, 'deletedLikeByUser', 'deletedLike', ['userId'])
}

async function createVersions(db: Kysely<unknown>): Promise<void> {
  await withSequence(db, db.schema.createTable('postVersion').ifNotExists())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('postId', 'text', (c) => c.references('post.id').onDelete('cascade'))
    .addColumn('deletedId', 'text', (c) => c.references('deletedPost.id').onDelete('cascade'))
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('restoredFrom', 'text', (c) => c.notNull())
    .addColumn('words', 'integer', (c) => c.notNull())
    .addColumn('wordsAdded', 'integer', (c) => c.notNull())
    .addColumn('wordsRemoved', 'integer', (c) => c.notNull())
    .addColumn('textBytes', 'integer', (c) => c.notNull())
    .addColumn('sizeBytes', 'integer', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('savedAt', 'text', (c) => c.notNull())
    .addColumn('body', bytesType(db), (c) => c.notNull())
    .addCheckConstraint(
      'postVersionOfOne',
      sql`(${sql.ref('postId')} is null) <> (${sql.ref('deletedId')} is null)`,
    )
    .execute()
  await createIndex(db, 'postVersionByPost', 'postVersion', ['postId', 'seq'])
  await createIndex(db, 'postVersionByDeleted', 'postVersion', ['deletedId', 'seq'])
  await db.schema
    .createTable('versionFile')
    .ifNotExists()
    .addColumn('versionId', 'text', (c) =>
      c.notNull().references('postVersion.id').onDelete('cascade'),
    )
    .addColumn('fileId', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('versionFileKey', ['versionId', 'fileId'])
    .execute()
  await createIndex(db, 'versionFileByFile', 'versionFile', ['fileId'])
}

async function createIndex(
  db: Kysely<unknown>,
  name: string,
  table: string,
  columns: string[],
): Promise<void> {
  await db.schema.createIndex(name).ifNotExists().on(table).columns(columns).execute()
}

async function fillVersions(db: Kysely<Filled>): Promise<void> {
  for (let after = 0; ; ) {
    const posts = await db
      .selectFrom('post')
      .select(['seq', 'id', 'title', 'content', 'status', 'updatedAt'])
      .where('seq', '>', after)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('postVersion')
              .select('postVersion.id')
              .whereRef('postVersion.postId', '=', 'post.id'),
          ),
        ),
      )
      .orderBy('seq')
      .limit(POSTS_AT_ONCE)
      .execute()
    const last = posts.at(-1)
    if (!last) break
    await db.insertInto('postVersion').values(posts.map(firstVersion)).execute()
    after = last.seq
  }
  await sql`insert into ${sql.table('versionFile')} (${sql.ref('versionId')}, ${sql.ref('fileId')})
    select ${sql.ref('postVersion.id')}, ${sql.ref('postFile.fileId')}
    from ${sql.table('postVersion')} join ${sql.table('postFile')} on ${sql.ref('postFile.postId')} = ${sql.ref('postVersion.postId')}
    join post on post.id = ${sql.ref('postFile.postId')}
    join file on file.id = ${sql.ref('postFile.fileId')} and ${sql.ref('file.userId')} = ${sql.ref('post.userId')}
    where place = 'body' on conflict do nothing`.execute(db)
}

function firstVersion(post: Filled['post']): Filled['postVersion'] {
  const bytes = Buffer.from(post.content)
  const body = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  const words = countWords(post.content)
  return {
    id: randomBytes(10).toString('hex'),
    postId: post.id,
    title: post.title,
    kind: post.status === 'active' ? 'published' : 'draft',
    restoredFrom: '',
    words,
    wordsAdded: words,
    wordsRemoved: 0,
    textBytes: bytes.length,
    sizeBytes: body.length,
    createdAt: post.updatedAt,
    savedAt: post.updatedAt,
    body,
  }
}

function countWords(html: string): number {
  const text = html.replace(/<[^<>]*>/g, ' ').replace(/&[a-z0-9#]+;/gi, ' ')
  return text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)?.length ?? 0
}
