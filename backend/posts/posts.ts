// Posts as their routes and the other parts of the server see them: reading and listing here, the
// changes in change-posts.ts, SQL in store.ts. Knows no HTTP.
import type { Author } from '#contract/authors.ts'
import { Refusal } from '#contract/errors.ts'
import type {
  DeletedPost,
  DeletedPostList,
  PostVersionList,
  PostVersionWithText,
} from '#contract/history.ts'
import {
  LIST_CONTENT_MAX_BYTES,
  LIST_CONTENT_MAX_BYTES_FOR_KEY,
  LIST_PRICE_FREE_MS,
} from '#contract/limits.ts'
import type { DeriveTexts } from '#contract/pages.ts'
import type { PostDocument, PostList, PostsAround, TagList } from '#contract/posts.ts'
import { isSelected } from '#contract/queries.ts'
import type { FoundPosts } from '#contract/search.ts'
import type { PostAccess } from '../database/changes.ts'
import { isReversed } from '../database/list-query.ts'
import { notePublicChange } from '../database/public-lists.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import type { Background } from '../process/background.ts'
import { fillIndex } from '../search/fill.ts'
import { readableBy, readerGroups } from './access.ts'
import { readAround } from './around.ts'
import { noteQuery, readAskedList, readAskedOne } from './asked.ts'
import { findAuthor, type ShownAuthor } from './authors.ts'
import {
  type ChangeNeeds,
  createPost,
  type PostCreation,
  type PostUpdate,
  readVisible,
  updatePost,
} from './change-posts.ts'
import { readHighlightRules } from './cleaning-rules.ts'
import {
  type DeletedNeeds,
  type DeletedPage,
  endDeleted,
  listDeleted,
  removePost,
  restoreDeleted,
  streamDeletedOf,
  sweepDeleted,
} from './deleted-posts.ts'
import { deleteAllOf } from './deleted-posts-store.ts'
import { makeDerivedTexts } from './derived-texts.ts'
import {
  type Counting,
  countPost,
  createPosts,
  removePosts,
  type Upsert,
  updatePosts,
  upsertPost,
  upsertPosts,
} from './further-writes.ts'
import { hidePost } from './hide-post.ts'
import { type HighlightedBodies, makeHighlightedBodies } from './highlighted-bodies.ts'
import { makeHighlighter } from './highlighter.ts'
import { findTotal, type KeptLists, makeKeptLists } from './kept-lists.ts'
import { lockPostsOf } from './likes-store.ts'
import { priceList, priceOfBodies } from './list-cost.ts'
import { type Measures, makeMeasures } from './measures.ts'
import type { SentData } from './naming.ts'
import { listNewest, type NewestPost, type PostSource } from './newest.ts'
import {
  type AnswerNeeds,
  findForChange,
  partsOf,
  type ShownPost,
  selectAttributes,
  toDocument,
  toDocuments,
} from './post-answers.ts'
import { makePublicPosts, type PublicPosts } from './public-posts.ts'
import { restoreVersion, type VersionToRestore } from './restore-version.ts'
import { addLineTags } from './save-tags.ts'
import { type SearchAsked, type SearchPostsNeeds, searchPosts, withIndex } from './search-posts.ts'
import * as store from './store.ts'
import { POST_LIST_SCHEMA, POST_SCHEMA, readContent } from './structure.ts'
import { SHOWN_TEXTS } from './text-bodies.ts'
import { findTag, listTags, type TagQuestion } from './used-tags.ts'
import { listVersions, readVersion, streamVersionsOf } from './versions.ts'

type ReadNeeds = AnswerNeeds & { db: Database; contentBucketId: string; avatarBucketId: string }
type OneNeeds = ReadNeeds & { highlighted: HighlightedBodies }
type ListNeeds = ReadNeeds & { measures: Measures; lists: KeptLists }
export type PostsNeeds = ReadNeeds & ChangeNeeds & DeletedNeeds & SearchPostsNeeds

export type ListOptions = {
  /** Counting costs. */
  hasTotal: boolean
  /** Counts the posts in front of the page, too. */
  hasBefore?: boolean
  /** Hears what the list costs, in milliseconds, before and after the work; may refuse before. */
  pay?: Pay | undefined
}
type ShownList = { total: number; documents: ShownPost[]; before?: number }
export type Pay = { before(ms: number): void; after(ms: number): void }

export type VersionToRead = Parameters<typeof readVersion>[3]

export type Posts = {
  /** @throws Refusal `database_not_found` or `collection_not_found` */
  checkCollection(databaseId: string, collectionId: string): void
  /** See {@link createPost}. */
  create(viewer: Viewer, post: PostCreation): Promise<PostDocument>
  /** See {@link listPosts}. */
  list(
    viewer: Viewer,
    queries: string[] | undefined,
    options: ListOptions,
  ): Promise<PostList | ShownList>
  /** See {@link searchPosts}. */
  search(viewer: Viewer, asked: SearchAsked): Promise<FoundPosts>
  /** See {@link fillIndex}. */
  fillIndex(options: { signal: AbortSignal }): Promise<number>
  /** See {@link readPost}. */
  read(viewer: Viewer, id: string, queries?: string[]): Promise<ShownPost>
  /** See {@link listTags}. */
  listTags(viewer: Viewer, question: TagQuestion): Promise<TagList>
  /** See {@link findTag}. */
  findTag(viewer: Viewer, key: string): Promise<string | undefined>
  /** See {@link readAround}. */
  readAround(viewer: Viewer, id: string): Promise<PostsAround>
  /**
   * A body as it would be shown if it were saved now.
   *
   * @throws Refusal `document_invalid_structure`
   */
  highlight(viewer: Pick<UserViewer, 'userId'>, content: unknown): Promise<string>
  /** See {@link updatePost}. */
  update(viewer: Viewer, id: string, update: PostUpdate): Promise<PostDocument>
  /** See {@link upsertPost}. */
  upsert(viewer: Viewer, post: Upsert): Promise<PostDocument>
  /** See {@link countPost}. */
  count(viewer: Viewer, id: string, counting: Counting): Promise<PostDocument>
  /** See {@link createPosts}. */
  createMany(viewer: Viewer, documents: SentData[]): Promise<PostDocument[]>
  /** See {@link upsertPosts}. */
  upsertMany(viewer: Viewer, documents: SentData[]): Promise<PostDocument[]>
  /** See {@link updatePosts}. */
  updateMany(
    viewer: Viewer,
    change: { queries: string[] | undefined; data: SentData },
  ): Promise<PostDocument[]>
  /** See {@link removePosts}. */
  removeMany(viewer: Viewer, queries: string[] | undefined): Promise<PostDocument[]>
  /** See {@link removePost}. */
  remove(viewer: Viewer, id: string, options: Pick<PostUpdate, 'unlessNewerThan'>): Promise<void>
  /** See {@link listVersions}. */
  listVersions(viewer: Viewer, id: string): Promise<PostVersionList>
  /** See {@link readVersion}. */
  readVersion(viewer: Viewer, id: string, version: VersionToRead): Promise<PostVersionWithText>
  /** See {@link restoreVersion}. */
  restoreVersion(viewer: Viewer, id: string, version: VersionToRestore): Promise<PostDocument>
  /** See {@link listDeleted}. */
  listDeleted(viewer: Viewer, page: DeletedPage): Promise<DeletedPostList>
  /** See {@link restoreDeleted}. */
  restoreDeleted(viewer: Viewer, deletedId: string): Promise<PostDocument>
  /** See {@link endDeleted}. */
  endDeleted(viewer: Viewer, deletedId: string): Promise<void>
  /** See {@link sweepDeleted}. */
  sweepDeleted(): Promise<number>
  /** See {@link streamVersionsOf}. */
  streamVersionsOf(viewer: UserViewer): AsyncIterable<PostVersionWithText & { postId: string }>
  /** See {@link streamDeletedOf}. */
  streamDeletedOf(viewer: UserViewer): AsyncIterable<DeletedPost & { content: string }>
  /** See {@link hidePost}. */
  hide(viewer: Viewer, id: string, isHidden: boolean): Promise<PostDocument>
  /** A post as the key reads it, and who may see it; undefined when it is gone. */
  findForChange(id: string): Promise<{ payload: PostDocument; access: PostAccess } | undefined>
  /** A person as everybody may see them; undefined for one who is not shown. */
  findAuthor(userId: string): Promise<ShownAuthor | undefined>
  /** See {@link readAuthor}. */
  readAuthor(viewer: Viewer, userId: string, pay: Pay | undefined): Promise<Author>
  /** See {@link listNewest}. */
  listNewest(source: PostSource): Promise<NewestPost[]>
  /** All posts of the viewer, inactive ones included, oldest first. */
  streamAllOf(viewer: UserViewer): AsyncIterable<PostDocument>
  /** See {@link PublicPosts}. */
  listed: PublicPosts
  /** For pages: what they say of a body that was just read, made once (derived-texts.ts). */
  deriveTexts: DeriveTexts
  /** See {@link lockPostsOf}. */
  lockAllOf(tx: Database, userId: string): Promise<void>
  /** Removes all posts of a person, deleted ones too, in the transaction that ends the account. */
  removeAllOf(tx: Database, userId: string): Promise<void>
}

export function makePosts(needs: PostsNeeds): Posts {
  const [measures, lists] = [makeMeasures(needs.db), makeKeptLists(needs.db)]
  const { db, background } = needs
  const highlighted = needs.hasTextBodies ? SHOWN_TEXTS : makeShownBodies(db, background)
  const saved = (post: PostDocument): PostDocument => {
    highlighted.prepare({ postId: post.$id, authorId: post.userid }, post.content)
    return post
  }
  return {
    checkCollection: (databaseId, collectionId) => checkCollection(needs, databaseId, collectionId),
    create: async (viewer, post) => saved(await createPost(needs, viewer, post)),
    list: (viewer, queries, options) =>
      listPosts({ ...needs, measures, lists }, viewer, queries, options),
    search: (viewer, asked) => searchPosts(needs, viewer, asked),
    fillIndex: (options) =>
      fillIndex({ ...needs, alsoKeep: (tx, post) => addLineTags(needs, tx, post) }, options),
    read: (viewer, id, queries) => readPost({ ...needs, highlighted }, viewer, id, queries),
    readAround: (viewer, id) => readAround(needs, viewer, id),
    listTags: (viewer, question) => listTags(db, viewer, question),
    findTag: (viewer, key) => findTag(db, viewer, key),
    highlight: ({ userId }, content) =>
      highlighted.showUnsaved(userId, readContent(content, needs.bodies.clean)),
    update: async (viewer, id, update) => saved(await updatePost(needs, viewer, id, update)),
    upsert: async (viewer, post) => saved(await upsertPost(needs, viewer, post)),
    count: (viewer, id, counting) => countPost(needs, viewer, id, counting),
    createMany: async (viewer, documents) =>
      (await createPosts(needs, viewer, documents)).map(saved),
    upsertMany: async (viewer, documents) =>
      (await upsertPosts(needs, viewer, documents)).map(saved),
    updateMany: async (viewer, change) => (await updatePosts(needs, viewer, change)).map(saved),
    removeMany: (viewer, queries) => removePosts(needs, viewer, queries),
    remove: (viewer, id, options) => removePost(needs, viewer, id, options),
    listVersions: async (viewer, id) =>
      listVersions(needs, viewer, await readVisible(db, viewer, id)),
    readVersion: async (viewer, id, version) =>
      readVersion(needs, viewer, await readVisible(db, viewer, id), version),
    restoreVersion: async (viewer, id, version) =>
      saved(await restoreVersion(needs, viewer, id, version)),
    listDeleted: (viewer, page) => listDeleted(needs, viewer, page),
    restoreDeleted: async (viewer, deletedId) =>
      saved(await restoreDeleted(needs, viewer, deletedId)),
    endDeleted: (viewer, deletedId) => endDeleted(needs, viewer, deletedId),
    sweepDeleted: () => sweepDeleted(needs),
    streamVersionsOf: (viewer) => streamVersionsOf(db, viewer),
    streamDeletedOf: (viewer) => streamDeletedOf(needs, viewer),
    findForChange: (id) => findForChange(needs, id),
    hide: (viewer, id, isHidden) => hidePost(needs, viewer, id, isHidden),
    findAuthor: (userId) => findAuthor(needs, userId),
    readAuthor: (viewer, userId, pay) =>
      readAuthor({ ...needs, measures, lists }, viewer, userId, pay),
    listNewest: (source) => listNewest(needs, source),
    streamAllOf: (viewer) => streamAllOf(needs, viewer),
    listed: makePublicPosts(db),
    deriveTexts: makeDerivedTexts(needs),
    lockAllOf: lockPostsOf,
    async removeAllOf(tx, userId) {
      notePublicChange(tx, userId, { isGone: true })
      await store.deletePostsOf(tx, userId)
      await deleteAllOf(tx, userId)
    },
  }
}

function makeShownBodies(db: Database, background: Background): HighlightedBodies {
  const [highlight, rules] = [makeHighlighter(), readHighlightRules()]
  return makeHighlightedBodies({ db, background, highlight, rules })
}

function checkCollection(needs: AnswerNeeds, databaseId: string, collectionId: string): void {
  if (databaseId !== needs.databaseId) throw new Refusal('database_not_found')
  if (collectionId !== needs.collectionId) throw new Refusal('collection_not_found')
}

/**
 * One page of the posts that the viewer may read.
 *
 * @param options `total` is 0 when `hasTotal` is false; `before` is answered when it is asked for
 * @throws Refusals of api.md §3.4
 */
async function listPosts(
  needs: ListNeeds,
  viewer: Viewer,
  queries: string[] | undefined,
  { hasTotal, hasBefore = false, pay }: ListOptions,
): Promise<ShownList> {
  const { db, measures, lists } = needs
  const isKey = viewer.role === 'key'
  const attributes = await needs.attributes(needs.db)
  const asked = readAskedList(attributes, POST_LIST_SCHEMA, queries, viewer.role)
  noteQuery(asked.query)
  const query = await withIndex(db, asked.query, pay)
  const parts = partsOf(query.select)
  const hasContent = isSelected(query.select, 'content')
  if (!isKey) {
    const ownerId = viewer.role === 'user' ? viewer.userId : undefined
    const priceMs = await priceList(measures, { query, hasTotal, hasBefore, ownerId, ...parts })
    const hasBodies = hasContent && query.limit > 1
    if (hasBodies || priceMs > LIST_PRICE_FREE_MS) pay?.before(priceMs)
  }
  const scope = readableBy(viewer)
  const list = { query, scope }
  const seqs = await lists.findSeqs(list)
  const rows = await store.readListed(
    db,
    {
      ...{ seqs, scope, hasContent, isReversed: isReversed(query) },
      ...extrasFor(needs, viewer, query.select),
    },
    isKey ? LIST_CONTENT_MAX_BYTES_FOR_KEY : LIST_CONTENT_MAX_BYTES,
  )
  pay?.after(priceOfBodies(rows))
  const total = hasTotal ? await findTotal(lists, list, seqs.length) : 0
  const before = hasBefore ? await lists.countInFront(list) : undefined
  const documents = await toDocuments(needs, db, viewer, rows, parts)
  return {
    total,
    ...(before === undefined ? {} : { before }),
    documents: rows.flatMap((row, index) => {
      const document = documents[index]
      return document ? [selectAttributes(attributes, document, row, asked.names)] : []
    }),
  }
}

/**
 * A person, and how many posts their page lists for this viewer.
 *
 * @throws Refusal `user_not_found`
 */
async function readAuthor(
  needs: ListNeeds,
  viewer: Viewer,
  userId: string,
  pay: Pay | undefined,
): Promise<Author> {
  const author = await findAuthor(needs, userId)
  if (!author) throw new Refusal('user_not_found')
  const queries = [
    { method: 'equal', attribute: 'userid', values: [userId] },
    { method: 'equal', attribute: 'status', values: ['active'] },
    // As the page lists them: along an index.
    { method: 'orderDesc', attribute: '$createdAt' },
    { method: 'limit', values: [1] },
    { method: 'select', values: ['$id'] },
  ].map((query) => JSON.stringify(query))
  const { total } = await listPosts(needs, viewer, queries, { hasTotal: true, pay })
  return { ...author, posts: total }
}

/** @throws Refusal `document_not_found`, also when the viewer may not read it */
async function readPost(
  needs: OneNeeds,
  viewer: Viewer,
  id: string,
  queries: string[] | undefined,
): Promise<ShownPost> {
  const attributes = await needs.attributes(needs.db)
  const { query: select, names } = readAskedOne(attributes, POST_SCHEMA, queries)
  const row = await readVisible(needs.db, viewer, id, select && extrasFor(needs, viewer, select))
  const document = await toDocument(needs, needs.db, viewer, row, partsOf(select))
  if (select?.includes('highlightedContent'))
    document.highlightedContent = await needs.highlighted.show(
      { postId: id, authorId: row.userId },
      document.content,
    )
  return selectAttributes(attributes, document, row, names)
}

/**
 * They are looked up only when `select` names them. The colour only of an image that everybody may
 * see: a hidden image must not show through its colour.
 */
function extrasFor(
  { contentBucketId, avatarBucketId }: Pick<ReadNeeds, 'contentBucketId' | 'avatarBucketId'>,
  viewer: Viewer,
  select: string[] | undefined,
): store.PostExtras {
  const hasColor = select?.includes('imageColor')
  const hasAvatar = select?.includes('userAvatar')
  const hasImage = select?.includes('ownImage')
  return {
    color: hasColor ? { bucketId: contentBucketId, readers: 'any' } : undefined,
    avatar: hasAvatar ? { bucketId: avatarBucketId, readers: readerGroups(viewer) } : undefined,
    imageBucketId: hasImage ? contentBucketId : undefined,
    hasWords: select?.includes('words') ?? false,
  }
}

/** Posts held in memory at once while all posts of a person are read. */
const BATCH = 10

async function* streamAllOf(needs: ReadNeeds, viewer: UserViewer): AsyncIterable<PostDocument> {
  for (let after: store.PostRow | undefined, isMore = true; isMore; ) {
    const rows = await store.listPostsOf(needs.db, viewer.userId, { after, limit: BATCH })
    yield* await toDocuments(needs, needs.db, viewer, rows)
    after = rows.at(-1)
    isMore = rows.length === BATCH
  }
}
