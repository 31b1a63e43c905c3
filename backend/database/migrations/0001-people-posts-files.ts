// First tables: people, their sessions and mailed secrets, posts and likes, files and the chunks of
// unfinished uploads.
import { type Kysely, sql } from 'kysely'
import { withSequence } from '../dialect.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createUsersAndSessions(db)
  await createSignInSecrets(db)
  await createPostsAndLikes(db)
  await createFiles(db)
}

async function createUsersAndSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('user')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('email', 'text', (c) => c.notNull().unique())
    .addColumn('passwordHash', 'text')
    .addColumn('passwordUpdatedAt', 'text')
    .addColumn('isVerified', 'integer', (c) => c.notNull())
    .addColumn('isBlocked', 'integer', (c) => c.notNull())
    .addColumn('prefs', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .addColumn('accessedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('session')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('secretHash', 'text', (c) => c.notNull().unique())
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('providerUid', 'text', (c) => c.notNull())
    .addColumn('providerAccessToken', 'text', (c) => c.notNull())
    .addColumn('providerAccessTokenExpiresAt', 'text', (c) => c.notNull())
    .addColumn('ip', 'text', (c) => c.notNull())
    .addColumn('userAgent', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('lastUsedAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('sessionByUser')
    .on('session')
    .columns(['userId', 'createdAt'])
    .execute()
}

async function createSignInSecrets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identity')
    .addColumn('provider', 'text', (c) => c.notNull())
    .addColumn('sub', 'text', (c) => c.notNull())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('identityKey', ['provider', 'sub'])
    .execute()
  await db.schema.createIndex('identityByUser').on('identity').columns(['userId']).execute()
  await db.schema
    .createTable('oauthState')
    .addColumn('stateHash', 'text', (c) => c.primaryKey())
    .addColumn('browserHash', 'text', (c) => c.notNull())
    .addColumn('nonce', 'text', (c) => c.notNull())
    .addColumn('codeVerifier', 'text', (c) => c.notNull())
    .addColumn('successUrl', 'text', (c) => c.notNull())
    .addColumn('failureUrl', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('oauthStateByEnd').on('oauthState').columns(['expiresAt']).execute()
  await db.schema
    .createTable('token')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('secretHash', 'text', (c) => c.notNull().unique())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('expiresAt', 'text', (c) => c.notNull())
    .addUniqueConstraint('tokenKey', ['userId', 'kind'])
    .execute()
}

async function createPostsAndLikes(db: Kysely<unknown>): Promise<void> {
  await withSequence(db, db.schema.createTable('post'))
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('content', 'text', (c) => c.notNull())
    .addColumn('featuredImage', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull().check(sql`status in ('active', 'inactive')`))
    // No foreign key: whether posts are deleted with their author's account is a rule.
    .addColumn('userId', 'text', (c) => c.notNull())
    .addColumn('permissions', 'text', (c) => c.notNull())
    .addColumn('readers', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('postFeed')
    .on('post')
    .columns(['status', 'createdAt desc', 'seq'])
    .execute()
  await db.schema
    .createIndex('postByUser')
    .on('post')
    .columns(['userId', 'createdAt desc', 'seq'])
    .execute()
  await db.schema.createIndex('postByImage').on('post').columns(['featuredImage']).execute()

  await withSequence(db, db.schema.createTable('postLike'))
    .addColumn('postId', 'text', (c) => c.notNull().references('post.id').onDelete('cascade'))
    .addColumn('userId', 'text', (c) => c.notNull().references('user.id').onDelete('cascade'))
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addUniqueConstraint('postLikeKey', ['postId', 'userId'])
    .execute()
  await db.schema
    .createIndex('postLikeByAge')
    .on('postLike')
    .columns(['postId', 'seq', 'userId'])
    .execute()
  await db.schema.createIndex('postLikeByUser').on('postLike').columns(['userId']).execute()
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await withSequence(db, db.schema.createTable('file'))
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('bucketId', 'text', (c) => c.notNull())
    .addColumn('userId', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('mimeType', 'text', (c) => c.notNull())
    .addColumn('sizeBytes', 'bigint', (c) => c.notNull())
    .addColumn('signature', 'text', (c) => c.notNull())
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('color', 'text', (c) => c.notNull())
    .addColumn('chunksTotal', 'integer', (c) => c.notNull())
    .addColumn('chunksUploaded', 'integer', (c) => c.notNull())
    .addColumn('isComplete', 'integer', (c) => c.notNull())
    .addColumn('storedName', 'text', (c) => c.notNull().unique())
    .addColumn('permissions', 'text', (c) => c.notNull())
    .addColumn('readers', 'text', (c) => c.notNull())
    .addColumn('createdAt', 'text', (c) => c.notNull())
    .addColumn('updatedAt', 'text', (c) => c.notNull())
    .addUniqueConstraint('fileKey', ['bucketId', 'id'])
    .execute()
  await db.schema.createIndex('fileByUser').on('file').columns(['userId', 'createdAt']).execute()
  await db.schema
    .createTable('fileChunk')
    .addColumn('bucketId', 'text', (c) => c.notNull())
    .addColumn('fileId', 'text', (c) => c.notNull())
    .addColumn('chunkIndex', 'integer', (c) => c.notNull())
    .addColumn('storedName', 'text', (c) => c.notNull().unique())
    .addPrimaryKeyConstraint('fileChunkKey', ['bucketId', 'fileId', 'chunkIndex'])
    .addForeignKeyConstraint(
      'fileChunkOf',
      ['bucketId', 'fileId'],
      'file',
      ['bucketId', 'id'],
      (c) => c.onDelete('cascade'),
    )
    .execute()
}
