// Posts in SQL, the same on both databases. Knows no rule: who may read comes in as a scope. In one
// piece because all functions share the few SELECTs at its top.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { ListQuery } from '#contract/queries.ts'
import { compiledOnce } from '../database/compiled.ts'
import { locked } from '../database/dialect.ts'
import { countRows, inOrder, orderOf, readPage } from '../database/list-query.ts'
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
import { AUTHOR_BLOCKED, inScope, listFor, rowsFor, USER_NAME } from './post-columns-store.ts'

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
  'likes',
] as const
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

const WHOLE: PostParts = { hasContent: true }

export async function findPost(
  db: Database,
  id: string,
  parts: Partial<PostParts> = WHOLE,
): Promise<PostRow | undefined> {
  if (parts === WHOLE) return (await findWhole(db, { id })).rows[0]
  return selectPosts(db, { hasContent: true, ...parts })
    .where('post.id', '=', id)
    .executeTakeFirst()
}

const findWhole = compiledOnce((db, { id }: { id: string }) =>
  selectPosts(db, WHOLE).where('post.id', '=', id),
)

/**
 * Makes every other writer of this post wait until the transaction ends.
 * @returns whether it is there
 */
export async function lockPost(tx: Database, id: string): Promise<boolean> {
  return (await lockOne(tx, { id })).rows.length > 0
}

const lockOne = compiledOnce((tx, { id }: { id: string }) =>
  locked(tx, tx.selectFrom('post').select('seq').where('id', '=', id)),
)

/** @returns its `seq`. @throws the database's own unique fault when the id is taken */
export async function insertPost(db: Database, post: NewPost): Promise<number> {
  return Number((await insertOne(db, post)).rows[0]?.seq)
}

const insertOne = compiledOnce((db, post: NewPost) =>
  db.insertInto('post').values(post).returning('seq'),
)

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
  await updateOne(db, { ...changes, id })
}

const updateOne = compiledOnce((db, { id, ...changes }: PostChanges & { id: string }) =>
  db.updateTable('post').set(changes).where('id', '=', id),
)

/** Likes and versions go with it. @returns whether this call was the one that deleted it */
export async function deletePost(db: Database, id: string): Promise<boolean> {
  const gone = await db.deleteFrom('post').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

/** Likes and versions go with them. Locked in the order of the index of words (search-store.ts). */
export async function deletePostsOf(tx: Database, userId: string): Promise<void> {
  const query = tx.selectFrom('post').select('seq').where('userId', '=', userId).orderBy('seq')
  await locked(tx, query).execute()
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
  const asked = rowsFor(query)
  const page = await readPage(db, asked.source, asked.query, inScope(scope))
  const own = sql`octet_length(coalesce(${sql.ref('postExtra.attributes')}, ''))`
  const size = hasContent
    ? sql<number>`octet_length(${sql.ref('post.content')}) + ${own}`
    : sql<number>`${own}`
  const found = sql<number>`(select post.seq from ${page.from} where ${page.where}
    order by ${page.orderBy} limit ${page.limit} offset ${page.offset})`
  const rows = selectPosts(db, { hasContent: false, ...extras })
    .select(['post.seq', size.as('contentBytes')])
    .where('post.seq', 'in', found)
    .orderBy(orderOf(db, listFor(query), query))
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

/** Of found posts those in the scope, with the beginnings of their bodies. */
export async function readFound(
  db: Database,
  seqs: number[],
  { scope, contentMaxChars, ...extras }: { scope: PostScope; contentMaxChars: number } & PostExtras,
): Promise<PostRow[]> {
  if (seqs.length === 0) return []
  const rows = await selectPosts(db, { hasContent: false, ...extras })
    .select([
      sql<string>`substr(post.content, 1, ${contentMaxChars})`.as('content'),
      // Not as a condition: see withContent.
      sql<number>`case when ${inScope(scope)} then 1 else 0 end`.as('isInScope'),
    ])
    .where('post.seq', 'in', seqs)
    .execute()
  const places = new Map(seqs.map((seq, at) => [seq, at]))
  const placeOf = ({ seq }: PostRow) => places.get(Number(seq)) ?? seqs.length
  return rows.filter((row) => row.isInScope).toSorted((a, b) => placeOf(a) - placeOf(b))
}

/** @param count which of them: all, or those in front of the page (`countBefore`) */
export async function countPosts(
  db: Database,
  query: ListQuery,
  { scope, count = countRows }: { scope: PostScope; count?: typeof countRows },
): Promise<number> {
  const asked = rowsFor(query)
  return count(db, asked.source, asked.query, inScope(scope))
}

export async function hasUser(db: Database, userId: string): Promise<boolean> {
  return (
    (await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()) !==
    undefined
  )
}
