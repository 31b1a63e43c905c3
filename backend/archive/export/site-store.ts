// SQL of an exported site: the posts that everybody may read, in batches, with their authors and
// tags. With an owner, only that person's.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../database/schema.ts'
import { AUTHOR_NAME, inScope, isBlocked, isPage } from '../../database/visible-posts.ts'
import { GUEST, readerGroups } from '../../http/viewer.ts'
import { type Page, readRows } from '../../process/batches.ts'

export type SitePostRow = {
  seq: number
  id: string
  title: string
  userId: string
  userName: string
  createdAt: string
  updatedAt: string
  /** As JSON (posts/post-details.ts); empty for none. */
  details: string
}

const BATCH = 200

/** Whose posts; undefined for the whole blog. */
type Owner = string | undefined

const READERS = readerGroups(GUEST)
const DETAILS = sql<string>`coalesce((select details from ${sql.table('postDetails')}
  where ${sql.ref('postDetails.postId')} = post.id), '')`

function isShown(ownerId: Owner): RawBuilder<SqlBool> {
  const isOwn = ownerId === undefined ? sql`1 = 1` : sql`${sql.ref('post.userId')} = ${ownerId}`
  return sql<SqlBool>`(${inScope({ readers: READERS, ownerId: undefined })}
    and not ${isPage('post')} and ${isOwn})`
}

function selectPosts(db: Database, ownerId: Owner) {
  return db
    .selectFrom('post')
    .select(['seq', 'id', 'title', 'userId', 'createdAt', 'updatedAt'])
    .select([AUTHOR_NAME.as('userName'), DETAILS.as('details')])
    .where(isShown(ownerId))
}

export async function countPosts(db: Database, ownerId: Owner): Promise<number> {
  const query = db.selectFrom('post').select(sql<number>`count(*)`.as('total'))
  return Number((await query.where(isShown(ownerId)).executeTakeFirstOrThrow()).total)
}

/** In the order in which they were stored. */
export function readPosts(db: Database, ownerId: Owner) {
  return readRows<SitePostRow>(BATCH, (page) => listPosts(db, ownerId, page))
}

async function listPosts(
  db: Database,
  ownerId: Owner,
  { after, limit }: Page<SitePostRow>,
): Promise<SitePostRow[]> {
  const posts = selectPosts(db, ownerId).where('seq', '>', after?.seq ?? -1)
  return await posts.orderBy('seq').limit(limit).execute()
}

/** The newest first. @param tag the key of a tag that all have */
export function readNewest(db: Database, filter: { ownerId: Owner; tag?: string }) {
  return readRows<SitePostRow>(BATCH, (page) => listNewest(db, filter, page))
}

async function listNewest(
  db: Database,
  { ownerId, tag }: { ownerId: Owner; tag?: string },
  { after, limit }: Page<SitePostRow>,
): Promise<SitePostRow[]> {
  let posts = selectPosts(db, ownerId).orderBy('createdAt', 'desc').orderBy('seq', 'desc')
  if (after)
    posts = posts.where(
      sql<SqlBool>`(post.${sql.ref('createdAt')}, post.seq) < (${after.createdAt}, ${after.seq})`,
    )
  if (tag !== undefined)
    posts = posts.where((eb) =>
      eb('seq', 'in', eb.selectFrom('postTag').select('postSeq').where('key', '=', tag)),
    )
  return await posts.limit(limit).execute()
}

export async function findPost(db: Database, ownerId: Owner, id: string) {
  return await selectPosts(db, ownerId).where('id', '=', id).executeTakeFirst()
}

export async function hasPosts(db: Database, userId: string): Promise<boolean> {
  const posts = db.selectFrom('post').select('seq').where(isShown(userId))
  return (await posts.limit(1).executeTakeFirst()) !== undefined
}

type NamedPosts = { key: string; name: string; posts: number }

/** Authors with posts, in the order of their ids. */
export function readAuthors(db: Database) {
  return readRows<NamedPosts>(BATCH, (page) => listAuthors(db, page))
}

async function listAuthors(
  db: Database,
  { after, limit }: Page<NamedPosts>,
): Promise<NamedPosts[]> {
  const rows = await db
    .selectFrom('post')
    .select(['userId as key', sql<number>`count(*)`.as('posts')])
    .select(AUTHOR_NAME.as('name'))
    .where(isShown(undefined))
    .where('userId', '>', after?.key ?? '')
    .groupBy('userId')
    .orderBy('userId')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, posts: Number(row.posts) }))
}

/** Tags of posts, in the order of their keys. */
export function readTags(db: Database, ownerId: Owner) {
  return readRows<NamedPosts>(BATCH, (page) => listTags(db, ownerId, page))
}

async function listTags(
  db: Database,
  ownerId: Owner,
  { after, limit }: Page<NamedPosts>,
): Promise<NamedPosts[]> {
  const rows = await selectTags(db, ownerId)
    .select(['key', sql<string>`min(name)`.as('name'), sql<number>`count(*)`.as('posts')])
    .where('key', '>', after?.key ?? '')
    .groupBy('key')
    .orderBy('key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, posts: Number(row.posts) }))
}

export async function hasTag(db: Database, ownerId: Owner, key: string): Promise<boolean> {
  const tags = selectTags(db, ownerId).select('key').where('key', '=', key)
  return (await tags.limit(1).executeTakeFirst()) !== undefined
}

function selectTags(db: Database, ownerId: Owner) {
  const tags = db
    .selectFrom('postTag')
    .where('shown', 'in', READERS)
    .where(sql<SqlBool>`not ${isBlocked('postTag')}`)
  return ownerId === undefined ? tags : tags.where('userId', '=', ownerId)
}
