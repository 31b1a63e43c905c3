// Posts in SQL, the same on both databases. Knows no rule: who may read comes in as a scope. In one
// piece because all functions share the few SELECTs at its top.
import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { type ListQuery, plainFilters } from '#contract/queries.ts'
import { type JsonSource, jsonColumn } from '../database/json-column.ts'
import { countRows, inOrder, type ListSource, readPage } from '../database/list-query.ts'
import type { Database, PostExtraRow, PostTable } from '../database/schema.ts'
import type { PostScope } from './access.ts'
import {
  type AvatarSource,
  type ColorSource,
  imageColor,
  ownImage,
  userAvatar,
  WORDS,
} from './asked-parts-store.ts'
import { ownAttributeOf } from './naming.ts'

/**
 * A stored post with the author's present name. `content` is empty, `imageColor`, `userAvatar`,
 * `ownImage` and `words` are absent where the caller did not ask for them.
 */
export type PostRow = Selectable<PostTable> & {
  userName: string
  /** 0 or 1. */
  isAuthorBlocked: number
  /** As in {@link PostExtraRow}; empty for a post that has none. */
  attributes: string
  spellings: string
  imageColor?: string | undefined
  userAvatar?: string | undefined
  ownImage?: string
  words?: number
}
export type NewPost = Omit<Insertable<PostTable>, 'seq'>
export type PostChanges = Partial<
  Pick<
    PostTable,
    'title' | 'content' | 'featuredImage' | 'status' | 'permissions' | 'readers' | 'updatedAt'
  >
>
/** What of a post is found only where it is asked for. */
export type PostExtras = {
  color?: ColorSource | undefined
  avatar?: AvatarSource | undefined
  /** The bucket of the featured images that are asked for. */
  imageBucketId?: string | undefined
  hasWords?: boolean
}
export type PostParts = { hasContent: boolean } & PostExtras

const SMALL_COLUMNS = [
  'seq',
  'id',
  'title',
  'featuredImage',
  'status',
  'userId',
  'permissions',
  'readers',
  'isHidden',
  'createdAt',
  'updatedAt',
] as const
const USER_NAME = sql<string>`coalesce((select name from "user" where "user".id = ${sql.ref('post.userId')}), ${UNKNOWN_USER_NAME})`
/**
 * Asked of the account itself, never copied into posts: a block holds from its commit on. The few
 * blocked people are found once, not for each post.
 */
const AUTHOR_BLOCKED = sql<SqlBool>`${sql.ref('post.userId')} in (select id from "user" where ${sql.ref('user.isBlocked')} = 1)`
const LIKE_COUNT = sql`(select count(*) from ${sql.table('postLike')} where ${sql.ref('postLike.postId')} = post.id)`

/** What a list of posts may be asked for (api.md §3.4). */
const POST_LIST: ListSource = {
  table: 'post',
  seq: sql.ref('post.seq'),
  id: sql.ref('post.id'),
  columns: {
    $id: { value: sql.ref('post.id'), isText: true },
    $createdAt: { value: sql.ref('post.createdAt') },
    $updatedAt: { value: sql.ref('post.updatedAt') },
    $sequence: { value: sql.ref('post.seq') },
    title: { value: sql.ref('post.title'), isText: true },
    content: { value: sql.ref('post.content'), isText: true },
    featuredImage: { value: sql.ref('post.featuredImage'), isText: true },
    status: { value: sql.ref('post.status'), isText: true },
    userid: { value: sql.ref('post.userId'), isText: true },
    userName: { value: USER_NAME, isText: true },
    like: { value: LIKE_COUNT },
    likeId: {
      // Not `exists`: it would go through the values once for each post.
      hasAny: (values) => sql`post.id in (select ${sql.ref('postId')} from ${sql.table('postLike')}
        where ${sql.ref('postLike.userId')} in (${sql.join(values)}))`,
    },
  },
}

const OWN_ATTRIBUTES: JsonSource = {
  json: sql.ref('postExtra.attributes'),
  read: (value) => sql`(select ${value} from ${sql.table('postExtra')}
    where ${sql.ref('postExtra.postId')} = post.id and ${sql.ref('postExtra.attributes')} <> '')`,
}

/** The list with a column for each attribute that is no role and that the query names. */
function listFor({ filters, order }: ListQuery): ListSource {
  const asked = [...plainFilters(filters), ...order].map(({ attribute = '' }) => attribute)
  const columns = asked.flatMap((attribute) => {
    const name = ownAttributeOf(attribute)
    return name === undefined ? [] : [[attribute, jsonColumn(OWN_ATTRIBUTES, name)] as const]
  })
  return { ...POST_LIST, columns: { ...POST_LIST.columns, ...Object.fromEntries(columns) } }
}

function inScope(scope: PostScope): RawBuilder<SqlBool> {
  if (scope === 'all') return sql`1 = 1`
  const { status, readers, ownerId } = scope
  const shown = sql<SqlBool>`(post.status = ${status} and ${sql.ref('post.isHidden')} = 0 and post.readers in (${sql.join(readers)}))`
  const mine =
    ownerId === undefined ? shown : sql`(${shown} or ${sql.ref('post.userId')} = ${ownerId})`
  return sql<SqlBool>`(${mine} and not ${AUTHOR_BLOCKED})`
}

function selectPosts(db: Database, parts: PostParts) {
  const { hasContent, color, avatar, imageBucketId, hasWords = false } = parts
  const posts = db
    .selectFrom('post')
    .leftJoin('postExtra', 'postExtra.postId', 'post.id')
    .select((eb) => [
      eb.fn.coalesce('postExtra.attributes', sql.lit('')).as('attributes'),
      eb.fn.coalesce('postExtra.spellings', sql.lit('')).as('spellings'),
    ])
    .select(SMALL_COLUMNS.map((name) => `post.${name}` as const))
    .select([
      (hasContent ? sql.ref<string>('post.content') : sql<string>`''`).as('content'),
      USER_NAME.as('userName'),
      sql<number>`case when ${AUTHOR_BLOCKED} then 1 else 0 end`.as('isAuthorBlocked'),
    ])
  return posts
    .$if(color !== undefined, (query) => query.select(imageColor(color).as('imageColor')))
    .$if(avatar !== undefined, (query) => query.select(userAvatar(avatar).as('userAvatar')))
    .$if(imageBucketId !== undefined, (query) =>
      query.select(ownImage(imageBucketId).as('ownImage')),
    )
    .$if(hasWords, (query) => query.select(WORDS.as('words')))
}

export async function findPost(
  db: Database,
  id: string,
  parts: Partial<PostParts> = {},
): Promise<PostRow | undefined> {
  return selectPosts(db, { hasContent: true, ...parts })
    .where('post.id', '=', id)
    .executeTakeFirst()
}

/**
 * Makes every other writer of this post wait until the transaction ends.
 * @returns whether it is there
 */
export async function lockPost(tx: Database, id: string): Promise<boolean> {
  const found = await tx
    .updateTable('post')
    .set((eb) => ({ status: eb.ref('status') }))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return found !== undefined
}

/** @throws the database's own unique fault when the id is taken */
export async function insertPost(db: Database, post: NewPost): Promise<void> {
  await db.insertInto('post').values(post).execute()
}

/** @returns whether the id was free */
export async function insertPostUnlessTaken(tx: Database, post: NewPost): Promise<boolean> {
  const inserted = await tx
    .insertInto('post')
    .values(post)
    .onConflict((c) => c.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Keeps what a post has beside its row; nothing at all leaves no row. */
export async function keepExtra(
  tx: Database,
  postId: string,
  extra: Omit<PostExtraRow, 'postId'>,
): Promise<void> {
  if (extra.attributes === '' && extra.spellings === '')
    await tx.deleteFrom('postExtra').where('postId', '=', postId).execute()
  else
    await tx
      .insertInto('postExtra')
      .values({ postId, ...extra })
      .onConflict((c) => c.column('postId').doUpdateSet(extra))
      .execute()
}

export async function setHidden(db: Database, id: string, isHidden: boolean): Promise<void> {
  await db
    .updateTable('post')
    .set({ isHidden: Number(isHidden) })
    .where('id', '=', id)
    .execute()
}

export async function updatePost(db: Database, id: string, changes: PostChanges): Promise<void> {
  await db.updateTable('post').set(changes).where('id', '=', id).execute()
}

/** Likes and versions go with it. @returns whether this call was the one that deleted it */
export async function deletePost(db: Database, id: string): Promise<boolean> {
  const gone = await db.deleteFrom('post').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

/** Likes and versions go with them. */
export async function deletePostsOf(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('post').where('userId', '=', userId).execute()
}

/** Oldest first, from behind `after` on. */
export async function listPostsOf(
  db: Database,
  userId: string,
  { after, limit }: { after: PostRow | undefined; limit: number },
): Promise<PostRow[]> {
  let query = selectPosts(db, { hasContent: true }).where('post.userId', '=', userId)
  if (after) {
    query = query.where((eb) =>
      eb.or([
        eb('post.createdAt', '>', after.createdAt),
        eb.and([eb('post.createdAt', '=', after.createdAt), eb('post.id', '>', after.id)]),
      ]),
    )
  }
  return query.orderBy('post.createdAt').orderBy('post.id').limit(limit).execute()
}

export type PostListing = { query: ListQuery; scope: PostScope } & PostParts

/**
 * The SELECT of one page, apart so that a test can ask the database for its plan. Instead of bodies
 * it brings their sizes. The posts of the page are found in an index that holds all they are
 * filtered and ordered by (but their bodies); only then are their rows read.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function selectPage(
  db: Database,
  { query, scope, hasContent, ...extras }: PostListing,
) {
  const page = await readPage(db, listFor(query), query, inScope(scope))
  const own = sql`octet_length(coalesce(${sql.ref('postExtra.attributes')}, ''))`
  const size = hasContent
    ? sql<number>`octet_length(${sql.ref('post.content')}) + ${own}`
    : sql<number>`${own}`
  const found = db
    .selectFrom('post')
    .select('post.seq')
    .where(page.where)
    .orderBy(page.orderBy)
    .limit(page.limit)
    .offset(page.offset)
  const rows = selectPosts(db, { hasContent: false, ...extras })
    .select(['post.seq', size.as('contentBytes')])
    .where('post.seq', 'in', found)
    .orderBy(page.orderBy)
  return { page, rows }
}

/**
 * One page of posts. It ends before the limit of the query rather than hold more than
 * `contentMaxBytes` of bodies, but not before its first post.
 *
 * @returns `found` counts also the posts that were left out so
 * @throws Refusal `general_cursor_not_found`
 */
export async function listPosts(
  db: Database,
  listing: PostListing,
  contentMaxBytes: number,
): Promise<{ rows: PostRow[]; found: number }> {
  const { page, rows } = await selectPage(db, listing)
  const found = await rows.execute()
  // In the order of the SELECT: before a cursor, the posts next to it are the ones that stay.
  const kept = untilFull(found, contentMaxBytes)
  return {
    rows: inOrder(page, listing.hasContent ? await withContent(db, kept, listing.scope) : kept),
    found: found.length,
  }
}

type SizedRow = PostRow & { seq: number; contentBytes: number }

function untilFull(rows: SizedRow[], contentMaxBytes: number): SizedRow[] {
  let bytes = 0
  const end = rows.findIndex(({ contentBytes }, at) => {
    bytes += Number(contentBytes)
    return at > 0 && bytes > contentMaxBytes
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Leaves out what was deleted or hidden since the rows were read. */
async function withContent(db: Database, rows: SizedRow[], scope: PostScope): Promise<PostRow[]> {
  if (rows.length === 0) return rows
  const seqs = rows.map(({ seq }) => seq)
  const found = await db
    .selectFrom('post')
    // Not as a condition: SQLite would go through an index of the scope, past all other posts.
    .select(['seq', sql<string | null>`case when ${inScope(scope)} then content end`.as('content')])
    .where('seq', 'in', seqs)
    .execute()
  const contents = new Map(found.map(({ seq, content }) => [seq, content]))
  return rows.flatMap((row) => {
    const content = contents.get(row.seq)
    return typeof content === 'string' ? [{ ...row, content }] : []
  })
}

/** The one next to this post by date; both of the same moment are in the order of creation. */
export type Side = 'older' | 'newer'

export async function findNextTo(
  db: Database,
  postId: string,
  { side, scope }: { side: Side; scope: PostScope },
): Promise<Pick<PostRow, 'id' | 'title'> | undefined> {
  const at = await db
    .selectFrom('post')
    .select(['createdAt', 'seq'])
    .where('id', '=', postId)
    .executeTakeFirst()
  if (!at) return undefined
  const isOlder = side === 'older'
  return db
    .selectFrom('post')
    .select(['post.id', 'post.title'])
    .where(inScope(scope))
    .where('post.createdAt', isOlder ? '<=' : '>=', at.createdAt)
    .where((eb) =>
      eb.or([
        eb('post.createdAt', isOlder ? '<' : '>', at.createdAt),
        eb('post.seq', isOlder ? '>' : '<', at.seq),
      ]),
    )
    .orderBy('post.createdAt', isOlder ? 'desc' : 'asc')
    .orderBy('post.seq', isOlder ? 'asc' : 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The newest posts of the same author. */
export async function listOthers(
  db: Database,
  { postId, userId }: { postId: string; userId: string },
  { limit, scope, ...extras }: { limit: number; scope: PostScope } & PostExtras,
): Promise<PostRow[]> {
  return selectPosts(db, { hasContent: false, ...extras })
    .where('post.userId', '=', userId)
    .where(inScope(scope))
    .where('post.id', '!=', postId)
    .orderBy('post.createdAt', 'desc')
    .orderBy('post.seq')
    .limit(limit)
    .execute()
}

export async function countPosts(
  db: Database,
  query: ListQuery,
  scope: PostScope,
): Promise<number> {
  return countRows(db, listFor(query), query, inScope(scope))
}

export async function hasUser(db: Database, userId: string): Promise<boolean> {
  return (
    (await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()) !==
    undefined
  )
}
