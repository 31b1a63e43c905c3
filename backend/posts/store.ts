// Posts in SQL, the same on both databases. Knows no rule: who may read comes in as a scope. In one
// piece because all functions share the few SELECTs at its top.
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import type { Cursor } from '#contract/queries.ts'
import { compiledOnce, rawIn } from '../database/compiled.ts'
import { isOneOf, listParameter, locked } from '../database/dialect.ts'
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
import { findSeqs, newestFirst } from './found-posts-store.ts'
import { USER_NAME } from './post-columns-store.ts'
import { inScope, isBlocked, SHOWN } from './post-scope-store.ts'

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
      sql<number>`case when ${isBlocked('post')} then 1 else 0 end`.as('isAuthorBlocked'),
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
  return (await findOne(db, { id }, parts)).rows[0]
}

const findOne = compiledOnce((db, { id }: { id: string }, parts: Partial<PostParts>) =>
  selectPosts(db, { ...WHOLE, ...parts }).where('post.id', '=', id),
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

export type PostListing = {
  seqs: number[]
  scope: PostScope
  isReversed?: boolean
} & PostParts

/**
 * Found posts in their order, the other way round if `isReversed`. They end before one with which
 * the bodies would be more than `contentMaxBytes`, but not before the first of `seqs`. Leaves out
 * what is not in the scope any more.
 */
export async function readListed(
  db: Database,
  { seqs, scope, isReversed = false, ...parts }: PostListing,
  contentMaxBytes: number,
): Promise<PostRow[]> {
  const rows = untilFull(await readSized(db, { seqs, scope, ...parts }), contentMaxBytes)
  const shown = parts.hasContent ? await withContent(db, rows, scope) : rows
  return isReversed ? shown.toReversed() : shown
}

type Asked = { seqs: number[]; scope: PostScope }

/** Instead of bodies it brings their sizes. */
async function readSized(
  db: Database,
  { seqs, scope, ...parts }: Asked & PostParts,
): Promise<SizedRow[]> {
  if (seqs.length === 0) return []
  const shape = { ...parts, readers: readersOf(scope) }
  return inPlaces((await findSized(db, valuesOf(db, { seqs, scope }), shape)).rows, seqs)
}

const findSized = compiledOnce(
  (db, asked: AskedValues, { readers, ...parts }: ByReaders & PostParts) => {
    const own = sql`octet_length(coalesce(${sql.ref('postExtra.attributes')}, ''))`
    const size = parts.hasContent
      ? sql<number>`octet_length(${sql.ref('post.content')}) + ${own}`
      : sql<number>`${own}`
    return selectPosts(db, { ...parts, hasContent: false })
      .select([size.as('contentBytes'), isReadable(asked, readers).as('isReadable')])
      .where(isOneOf(db, sql.ref('post.seq'), asked.seqs))
  },
)

/** The posts as one parameter, and the person, if it is one. */
type AskedValues = { seqs: unknown; ownerId?: string }
/** Which groups of readers are asked for is part of the statement. */
type ByReaders = { readers: 'all' | Readers[] }

function valuesOf(db: Database, { seqs, scope }: Asked): AskedValues {
  const ownerId = scope === 'all' ? undefined : scope.ownerId
  return { seqs: listParameter(db, seqs), ...(ownerId === undefined ? {} : { ownerId }) }
}

function readersOf(scope: PostScope): ByReaders['readers'] {
  return scope === 'all' ? scope : scope.readers
}

/** Not as a condition: SQLite would go through an index of the scope, past all other posts. */
function isReadable({ ownerId }: AskedValues, readers: ByReaders['readers']) {
  const scope = readers === 'all' ? readers : { readers, ownerId }
  return sql<number>`case when ${inScope(scope)} then 1 else 0 end`
}

function inPlaces<Row extends { seq: number; isReadable: number }>(
  rows: Row[],
  seqs: number[],
): Row[] {
  const found = new Map(rows.map((row) => [Number(row.seq), row]))
  return seqs.flatMap((seq) => {
    const row = found.get(seq)
    return row?.isReadable ? [row] : []
  })
}

type SizedRow = PostRow & { seq: number; contentBytes: number; isReadable: number }

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
  if (rows.length === 0) return []
  const seqs = rows.map(({ seq }) => Number(seq))
  const values = valuesOf(db, { seqs, scope })
  const found = (await findContents(db, values, { readers: readersOf(scope) })).rows
  const contents = new Map(inPlaces(found, seqs).map(({ seq, content }) => [Number(seq), content]))
  return rows.flatMap((row) => {
    const content = contents.get(Number(row.seq))
    return content === undefined ? [] : [{ ...row, content }]
  })
}

const findContents = compiledOnce((db, asked: AskedValues, { readers }: ByReaders) =>
  db
    .selectFrom('post')
    .select(['seq', 'content', isReadable(asked, readers).as('isReadable')])
    .where(isOneOf(db, sql.ref('post.seq'), asked.seqs)),
)

/** The post in the scope right before or behind this one by date, which need not be in it. */
export async function findNextTo(
  db: Database,
  postId: string,
  { direction, scope }: { direction: Cursor['direction']; scope: PostScope },
): Promise<Pick<PostRow, 'id' | 'title'> | undefined> {
  const query = newestFirst({ limit: 1, cursor: { id: postId, direction } })
  const [seq] = await findSeqs(db, { query, scope }, { hasAnyCursor: true })
  if (seq === undefined) return undefined
  return (await findTitle(db, { seq })).rows[0]
}

const findTitle = compiledOnce((db, { seq }: { seq: number }) =>
  db.selectFrom('post').select(['id', 'title']).where('seq', '=', seq),
)

/** Of found posts those in the scope, with the beginnings of their bodies. */
export async function readFound(
  db: Database,
  seqs: number[],
  { scope, contentMaxChars, ...extras }: { scope: PostScope; contentMaxChars: number } & PostExtras,
): Promise<PostRow[]> {
  if (seqs.length === 0) return []
  const shape = { ...extras, contentMaxChars, readers: readersOf(scope) }
  return inPlaces((await findBeginnings(db, valuesOf(db, { seqs, scope }), shape)).rows, seqs)
}

type Beginnings = ByReaders & PostExtras & { contentMaxChars: number }

const findBeginnings = compiledOnce(
  (db, asked: AskedValues, { readers, contentMaxChars, ...extras }: Beginnings) => {
    const beginning = sql<string>`substr(post.content, 1, ${contentMaxChars})`
    return selectPosts(db, { hasContent: false, ...extras })
      .select([beginning.as('content'), isReadable(asked, readers).as('isReadable')])
      .where(isOneOf(db, sql.ref('post.seq'), asked.seqs))
  },
)

/** Of these posts, in their order. */
export async function findIds(db: Database, seqs: number[]): Promise<string[]> {
  const isAsked = isOneOf(db, sql.ref('seq'), listParameter(db, seqs))
  const rows = await db.selectFrom('post').select(['seq', 'id']).where(isAsked).execute()
  const ids = new Map(rows.map(({ seq, id }) => [Number(seq), id]))
  return seqs.flatMap((seq) => ids.get(seq) ?? [])
}

export async function hasUser(db: Database, userId: string): Promise<boolean> {
  return (
    (await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()) !==
    undefined
  )
}

/**
 * Whether a person has posts that these readers do not see: active ones, or any.
 */
export async function hasUnseenPosts(
  db: Database,
  { userId, readers, isActive }: { userId: string; readers: Readers[]; isActive: boolean },
): Promise<boolean> {
  return (await findUnseen(db, { userId }, { readers, isActive })).rows.length > 0
}

const findUnseen = compiledOnce(
  (
    db,
    { userId }: { userId: string },
    { readers, isActive }: { readers: Readers[]; isActive: boolean },
  ) =>
    rawIn<{ one: number }>(
      db,
      sql`select 1 as one from post where ${sql.ref('userId')} = ${userId}
        and ${SHOWN} in (${sql.join(unseenBy(readers).map((word) => sql.lit(word)))})
        ${isActive ? sql`and status = 'active'` : sql``} limit 1`,
    ),
)

function unseenBy(readers: Readers[]): string[] {
  return ['hidden', 'draft', ...ALL_READERS].filter((one) => !readers.includes(one as Readers))
}

const ALL_READERS: readonly Readers[] = ['any', 'users', 'verified', 'unverified', 'owner']
