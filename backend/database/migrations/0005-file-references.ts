// Who an id of a file belongs to for good, and where each file is used: which posts show it, whose
// avatar it is. What is stored already is filled in, a batch at a time. Every step can be repeated,
// because SQLite may be stopped between two of them.
import { type Kysely, sql } from 'kysely'

type Filled = {
  post: { seq: number; id: string; content: string; featuredImage: string }
  user: { id: string; prefs: string }
  postFile: { postId: string; fileId: string; place: string }
  avatarFile: { userId: string; fileId: string }
}

/** Bodies may hold a million characters each. */
const POSTS_AT_ONCE = 10
const PEOPLE_AT_ONCE = 200
const ROWS_AT_ONCE = 500
const IN_BODY =
  /\/v1\/storage\/buckets\/[^/]+\/files\/([A-Za-z0-9][A-Za-z0-9._-]{0,35})\/(?:view|preview|download)/g
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,35}$/

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db)
  // The day after which an unused file goes begins with the update.
  await sql`insert into ${sql.table('fileId')} (${sql.ref('bucketId')}, id, ${sql.ref('ownerId')}, ${sql.ref('uploadedAt')}, ${sql.ref('releasedAt')})
    select ${sql.ref('bucketId')}, id, ${sql.ref('userId')}, ${new Date().toISOString()}, '' from file where true
    on conflict do nothing`.execute(db)
  await fillPostFiles(db as Kysely<Filled>)
  await fillAvatars(db as Kysely<Filled>)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('fileId')
    .ifNotExists()
    .addColumn('bucketId', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('ownerId', 'text')
    .addColumn('uploadedAt', 'text', (c) => c.notNull())
    .addColumn('releasedAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('fileIdKey', ['bucketId', 'id'])
    .execute()
  await createIndex(db, 'fileIdByOwner', { table: 'fileId', columns: ['ownerId'] })
  await db.schema
    .createTable('postFile')
    .ifNotExists()
    .addColumn('postId', 'text', (c) => c.notNull().references('post.id').onDelete('cascade'))
    .addColumn('fileId', 'text', (c) => c.notNull())
    .addColumn('place', 'text', (c) => c.notNull().check(sql`place in ('cover', 'body')`))
    .addPrimaryKeyConstraint('postFileKey', ['postId', 'fileId', 'place'])
    .execute()
  await createIndex(db, 'postFileByFile', { table: 'postFile', columns: ['fileId'] })
  await db.schema
    .createTable('avatarFile')
    .ifNotExists()
    .addColumn('userId', 'text', (c) => c.primaryKey().references('user.id').onDelete('cascade'))
    .addColumn('fileId', 'text', (c) => c.notNull())
    .execute()
  await createIndex(db, 'avatarFileByFile', { table: 'avatarFile', columns: ['fileId'] })
}

async function createIndex(
  db: Kysely<unknown>,
  name: string,
  { table, columns }: { table: string; columns: string[] },
): Promise<void> {
  await db.schema.createIndex(name).ifNotExists().on(table).columns(columns).execute()
}

async function fillPostFiles(db: Kysely<Filled>): Promise<void> {
  for (let after = 0; ; ) {
    const posts = await db
      .selectFrom('post')
      .select(['seq', 'id', 'content', 'featuredImage'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(POSTS_AT_ONCE)
      .execute()
    const rows = posts.flatMap(({ id: postId, content, featuredImage }) => [
      { postId, fileId: featuredImage, place: 'cover' },
      ...idsIn(content).map((fileId) => ({ postId, fileId, place: 'body' })),
    ])
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await db
        .insertInto('postFile')
        .values(rows.slice(at, at + ROWS_AT_ONCE))
        .onConflict((c) => c.doNothing())
        .execute()
    const last = posts.at(-1)
    if (!last) return
    after = last.seq
  }
}

function idsIn(html: string): string[] {
  return [...new Set(Array.from(html.matchAll(IN_BODY), ([, id = '']) => id))]
}

async function fillAvatars(db: Kysely<Filled>): Promise<void> {
  for (let after = ''; ; ) {
    const people = await db
      .selectFrom('user')
      .select(['id', 'prefs'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PEOPLE_AT_ONCE)
      .execute()
    const rows = people.flatMap(({ id: userId, prefs }) => {
      const { avatar } = JSON.parse(prefs) as { avatar?: unknown }
      return typeof avatar === 'string' && ID.test(avatar) ? [{ userId, fileId: avatar }] : []
    })
    if (rows.length > 0)
      await db
        .insertInto('avatarFile')
        .values(rows)
        .onConflict((c) => c.doNothing())
        .execute()
    const last = people.at(-1)
    if (!last) return
    after = last.id
  }
}
