// The rules of posts: who writes, edits, likes and deletes, and what an answer shows. Knows no
// HTTP; SQL is in store.ts. In one piece because the order of the checks (api.md §3.2) is one rule
// for all five calls.
import { Refusal } from '#contract/errors.ts'
import { isId, parseTime, UNIQUE_ID, wireTime } from '#contract/ids.ts'
import { LIST_CONTENT_MAX_BYTES, LIST_CONTENT_MAX_BYTES_FOR_KEY } from '#contract/limits.ts'
import {
  defaultPermissions,
  type Grantor,
  readersOf,
  readPermissions,
} from '#contract/permissions.ts'
import type { PostDocument, PostList, PostStatus } from '#contract/posts.ts'
import { readQueries, readSelect } from '#contract/queries.ts'
import { isForeignKeyFault, isUniqueFault } from '../database/faults.ts'
import type { Database } from '../database/schema.ts'
import { type After, inTransaction } from '../database/transaction.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import type { Background } from '../process/background.ts'
import { makeId } from '../process/ids.ts'
import { can, readableSql } from './access.ts'
import { makeCleanAgain } from './clean-again.ts'
import { refuseCostly } from './list-cost.ts'
import { makeSanitise } from './sanitise.ts'
import * as store from './store.ts'
import {
  checkLike,
  type Data,
  hasWritten,
  invalidReference,
  invalidStructure,
  POST_SCHEMA,
  readChanges,
  readNewPost,
  withoutSystem,
} from './structure.ts'

export type PostsNeeds = {
  db: Database
  background: Background
  databaseId: string
  collectionId: string
  publicUrl: string
  allowedOrigins: readonly string[]
  contentBucketId: string
  /** From files: see `Files.isUsableImage`. */
  isUsableImage: (fileId: string, ownerId: string | undefined) => Promise<boolean>
  /** From files: see `Files.removeOwnImage`. */
  removeOwnImage: (fileId: string, ownerId: string) => Promise<void>
  now: () => Date
}

/** A whole document, or the attributes that were selected. */
type ShownPost = PostDocument | Partial<PostDocument>
/** What is to be changed; `unlessNewerThan` is a stored time (`…Z`) that the caller's copy has. */
type PostUpdate = {
  data: Data | undefined
  permissions: unknown
  unlessNewerThan: string | undefined
}

/** Posts held in memory at once while all of somebody's are read. */
const BATCH = 10

export type Posts = {
  /** @throws Refusal `database_not_found` or `collection_not_found` */
  checkCollection(databaseId: string, collectionId: string): void
  /** @throws Refusals of api.md §3.2 "POST" */
  create(
    viewer: Viewer,
    post: { documentId: string; data: Data; permissions: unknown },
  ): Promise<PostDocument>
  /** @throws Refusals of api.md §3.4 */
  list(
    viewer: Viewer,
    queries: string[] | undefined,
    options: { hasTotal: boolean },
  ): Promise<PostList | { total: number; documents: ShownPost[] }>
  /** @throws Refusal `document_not_found`, also when the viewer may not read it */
  read(viewer: Viewer, id: string, queries?: string[]): Promise<ShownPost>
  /**
   * An edit by the owner, or anybody's like: `likeId` without anything written is the wish to be in
   * that list.
   *
   * @throws Refusals of api.md §3.2 "PATCH"
   * @source api.md §10.3, product.md §O12
   */
  update(viewer: Viewer, id: string, update: PostUpdate): Promise<PostDocument>
  /**
   * Deletes the post with its likes and, after the commit, its image.
   * @throws Refusals of api.md §3.2 "DELETE"
   */
  remove(
    viewer: Viewer,
    id: string,
    options: { unlessNewerThan: string | undefined },
  ): Promise<void>
  /** All posts of the viewer, drafts included, oldest first. */
  readAllOf(viewer: UserViewer): AsyncIterable<PostDocument>
  /** Removes all posts of a person, within the transaction that ends the account. */
  removeAllOf(tx: Database, userId: string): Promise<void>
}

export function makePosts(needs: PostsNeeds): Posts {
  const { db, background, databaseId, collectionId, now } = needs
  const clean = makeSanitise(needs)
  const again = makeCleanAgain(clean)
  const sanitise = (html: string): string => {
    const cleaned = clean(html)
    again.remember(cleaned)
    return cleaned
  }

  async function show(
    tx: Database,
    viewer: Viewer,
    rows: store.PostRow[],
  ): Promise<PostDocument[]> {
    const ids = rows.map(({ id }) => id)
    const likes = await store.findLikes(tx, ids, viewer.role === 'user' ? viewer.userId : undefined)
    return rows.map((row) => ({
      title: row.title,
      content: row.content,
      featuredImage: row.featuredImage,
      status: row.status as PostStatus,
      userid: row.userId,
      ...(likes.get(row.id) ?? { like: 0, likeId: [] }),
      userName: row.userName,
      $id: row.id,
      $createdAt: wireTime(row.createdAt),
      $updatedAt: wireTime(row.updatedAt),
      $permissions: JSON.parse(row.permissions) as string[],
      $databaseId: databaseId,
      $collectionId: collectionId,
      ...(row.imageColor === undefined ? {} : { imageColor: row.imageColor }),
    }))
  }

  /**
   * One post for reading: its body is cleaned again. (Lists are looked through by programs;
   * cleaning a page of them would hold up others.)
   */
  async function showWhole(
    tx: Database,
    viewer: Viewer,
    row: store.PostRow,
  ): Promise<PostDocument> {
    const [shown] = await show(tx, viewer, [row])
    if (!shown) throw new Refusal('document_not_found')
    return { ...shown, content: again.show(shown.content) }
  }

  /** The colour of the image is looked up for those who name it. */
  function colorFor(select: string[] | undefined): { colorBucketId?: string } {
    return select?.includes('imageColor') ? { colorBucketId: needs.contentBucketId } : {}
  }

  async function showOne(tx: Database, viewer: Viewer, id: string): Promise<PostDocument> {
    const row = await store.findPost(tx, id)
    if (!row) throw new Refusal('document_not_found')
    return showWhole(tx, viewer, row)
  }

  /** @throws Refusal `document_not_found`: missing and hidden look the same */
  async function readVisible(
    tx: Database,
    viewer: Viewer,
    id: string,
    select?: string[],
  ): Promise<store.PostRow> {
    const row = await store.findPost(tx, id, colorFor(select))
    if (!row || !can(viewer, 'read', row)) throw new Refusal('document_not_found')
    return row
  }

  /** The post, from now on closed to other writers. */
  async function lockVisible(
    tx: Database,
    viewer: Viewer,
    id: string,
    unlessNewerThan: string | undefined,
  ): Promise<store.PostRow> {
    await store.lockPost(tx, id)
    const row = await readVisible(tx, viewer, id)
    if (unlessNewerThan !== undefined && row.updatedAt > unlessNewerThan)
      throw new Refusal('document_update_conflict')
    return row
  }

  async function refuseUnusableImage(
    viewer: Viewer,
    fileId: string,
    ownerId: string,
  ): Promise<void> {
    const isUsable =
      isId(fileId) &&
      (await needs.isUsableImage(fileId, viewer.role === 'key' ? undefined : ownerId))
    if (!isUsable)
      throw invalidReference('featuredImage', 'the id of a complete image of the author')
  }

  /** Only what the author uploaded goes, and only when no post shows it any more. */
  function removeImageLater(after: After, { featuredImage, userId }: store.PostRow): void {
    after('featured image', async () => {
      if (!(await store.isImageUsed(db, featuredImage)))
        await needs.removeOwnImage(featuredImage, userId)
    })
  }

  async function create(
    viewer: Viewer,
    { documentId, data: sent, permissions }: Parameters<Posts['create']>[1],
  ): Promise<PostDocument> {
    const data = withoutSystem(sent)
    const ownerId =
      viewer.role === 'user'
        ? viewer.userId
        : viewer.role === 'key'
          ? String(data.userid ?? '')
          : ''
    const granted = readPermissions(permissions, grantorOf(viewer), ownerId)
    if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
    refuseForeignAuthor(data, ownerId)
    const written = readNewPost(data, sanitise)
    if (ownerId === '') throw invalidStructure('Missing required attribute "userid"')
    if (viewer.role === 'key' && !(isId(ownerId) && (await store.hasUser(db, ownerId)))) {
      throw invalidReference('userid', 'the id of an existing user')
    }
    await refuseUnusableImage(viewer, written.featuredImage, ownerId)
    const id = documentId === UNIQUE_ID ? makeId(now().getTime()) : documentId
    const time = now().toISOString()
    const list = granted ?? defaultPermissions(ownerId)
    const row = {
      id,
      ...written,
      userId: ownerId,
      ...storedPermissions(list),
      createdAt: time,
      updatedAt: time,
    }
    return inTransaction(db, background, async (tx) => {
      // The account may have ended since the session was looked at; what it had is gone, and
      // nothing may follow.
      if (!(await store.hasUser(tx, ownerId))) throw new Refusal('user_unauthorized')
      await store.insertPost(tx, row)
      return showOne(tx, viewer, id)
    }).catch((error: unknown) => {
      throw isUniqueFault(error)
        ? new Refusal('document_already_exists', undefined, { cause: error })
        : error
    })
  }

  async function edit(
    viewer: Viewer,
    id: string,
    { data: sent = {}, permissions, unlessNewerThan }: PostUpdate,
  ): Promise<PostDocument> {
    const data = withoutSystem(sent)
    const before = await readVisible(db, viewer, id)
    const granted = readPermissions(permissions, grantorOf(viewer), before.userId)
    if (!can(viewer, 'edit', before)) throw new Refusal('user_unauthorized')
    refuseForeignAuthor(data, before.userId)
    const written = readChanges(data, sanitise)
    if (written.featuredImage !== undefined && written.featuredImage !== before.featuredImage) {
      await refuseUnusableImage(viewer, written.featuredImage, before.userId)
    }
    const changes: store.PostChanges = {
      ...written,
      ...(granted ? storedPermissions(granted) : {}),
    }
    return inTransaction(db, background, async (tx, after) => {
      const row = await lockVisible(tx, viewer, id, unlessNewerThan)
      // All that was sent is written, not only what differs: of two edits at once the last wins as
      // a whole.
      if (
        Object.entries(changes).some(([name, value]) => row[name as keyof typeof row] !== value)
      ) {
        await store.updatePost(tx, id, { ...changes, updatedAt: now().toISOString() })
        if (written.featuredImage !== undefined && written.featuredImage !== row.featuredImage)
          removeImageLater(after, row)
      }
      return showOne(tx, viewer, id)
    })
  }

  async function like(
    viewer: Viewer,
    id: string,
    { data = {}, unlessNewerThan }: PostUpdate,
  ): Promise<PostDocument> {
    const before = await readVisible(db, viewer, id)
    if (viewer.role !== 'user' || !can(viewer, 'like', before))
      throw new Refusal('user_unauthorized')
    refuseForeignAuthor(data, before.userId)
    const liked = checkLike(withoutSystem(data)).includes(viewer.userId)
    return inTransaction(db, background, async (tx) => {
      const row = await lockVisible(tx, viewer, id, unlessNewerThan)
      if (!can(viewer, 'like', row)) throw new Refusal('user_unauthorized')
      await store.setLike(
        tx,
        { postId: id, userId: viewer.userId, createdAt: now().toISOString() },
        liked,
      )
      return showOne(tx, viewer, id)
    }).catch((error: unknown) => {
      // Post or account went away in between.
      throw isForeignKeyFault(error)
        ? new Refusal('document_not_found', undefined, { cause: error })
        : error
    })
  }

  return {
    checkCollection(askedDatabase, askedCollection) {
      if (askedDatabase !== databaseId) throw new Refusal('database_not_found')
      if (askedCollection !== collectionId) throw new Refusal('collection_not_found')
    },
    create,
    async list(viewer, queries, { hasTotal }) {
      const isKey = viewer.role === 'key'
      const query = readQueries(queries, POST_SCHEMA, { isKey })
      if (!isKey) await refuseCostly(db, query)
      const scope = readableSql(viewer)
      const hasContent = query.select?.includes('content') ?? true
      const listing = { query, scope, hasContent, ...colorFor(query.select) }
      const rows = await store.listPosts(
        db,
        listing,
        isKey ? LIST_CONTENT_MAX_BYTES_FOR_KEY : LIST_CONTENT_MAX_BYTES,
      )
      const total = hasTotal ? await store.countPosts(db, query, scope) : 0
      return {
        total,
        documents: (await show(db, viewer, rows)).map((document) =>
          selected(document, query.select),
        ),
      }
    },
    async read(viewer, id, queries) {
      const select = readSelect(queries, POST_SCHEMA)
      return selected(
        await showWhole(db, viewer, await readVisible(db, viewer, id, select)),
        select,
      )
    },
    async update(viewer, id, update) {
      const { data = {}, permissions } = update
      const hasPermissions = permissions !== undefined && permissions !== null
      if (Object.keys(data).length === 0 && !hasPermissions)
        throw new Refusal('document_missing_payload')
      const isLike =
        !hasPermissions &&
        !hasWritten(data) &&
        (Object.hasOwn(data, 'likeId') || Object.hasOwn(data, 'like'))
      return isLike ? like(viewer, id, update) : edit(viewer, id, update)
    },
    async remove(viewer, id, { unlessNewerThan }) {
      await inTransaction(db, background, async (tx, after) => {
        if (!can(viewer, 'delete', await readVisible(tx, viewer, id)))
          throw new Refusal('user_unauthorized')
        const row = await lockVisible(tx, viewer, id, unlessNewerThan)
        if (!(await store.deletePost(tx, id))) throw new Refusal('document_not_found')
        removeImageLater(after, row)
      })
    },
    async *readAllOf(viewer) {
      for (let last: store.PostRow | undefined, isMore = true; isMore; ) {
        const rows = await store.listPostsOf(db, viewer.userId, { after: last, limit: BATCH })
        yield* await show(db, viewer, rows)
        last = rows.at(-1)
        isMore = rows.length === BATCH
      }
    },
    removeAllOf: store.deletePostsOf,
  }
}

function grantorOf(viewer: Viewer): Grantor {
  if (viewer.role === 'key') return { role: 'key' }
  return viewer.role === 'user' ? viewer : { role: 'user', userId: '', isVerified: false }
}

function storedPermissions(list: string[]): { permissions: string; readers: string } {
  return { permissions: JSON.stringify(list), readers: readersOf(list) }
}

/** `userid` may be repeated, never changed. */
function refuseForeignAuthor({ userid }: Data, ownerId: string): void {
  if (typeof userid === 'string' && userid !== ownerId) throw new Refusal('user_unauthorized')
}

const ALWAYS_SHOWN: readonly string[] = ['$databaseId', '$collectionId']

function selected(document: PostDocument, select: string[] | undefined): ShownPost {
  if (!select) return document
  return Object.fromEntries(
    Object.entries(document).filter(
      ([name]) => select.includes(name) || ALWAYS_SHOWN.includes(name),
    ),
  )
}

/**
 * The time in `X-Appwrite-Timestamp`.
 *
 * @throws Refusal `general_argument_invalid` when it is no time
 */
export function readTimestamp(header: string | string[] | undefined): string | undefined {
  if (header === undefined || header === '') return undefined
  const time = parseTime(header)
  if (time === undefined)
    throw new Refusal('general_argument_invalid', 'Invalid X-Appwrite-Timestamp header value')
  return time
}
