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
import type { DeriveTexts } from '#contract/pages.ts'
import type { PostDocument, PostList, PostsAround, TagList } from '#contract/posts.ts'
import type { FoundPosts } from '#contract/search.ts'
import type { HasOwnPosts } from '../cache/fast-path.ts'
import type { OwnPosts } from '../cache/response-cache.ts'
import type { PostAccess } from '../database/changes.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { fillIndex } from '../search/fill.ts'
import { readAround } from './around.ts'
import { findAuthor, type ShownAuthor } from './authors.ts'
import {
  type ChangeNeeds,
  createPost,
  type PostCreation,
  type PostUpdate,
  updatePost,
} from './change-posts.ts'
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
import {
  type Counting,
  countPost,
  createPosts,
  hidePost,
  removePosts,
  restoreVersion,
  type Upsert,
  updatePosts,
  upsertPost,
  upsertPosts,
  type VersionToRestore,
} from './further-writes.ts'
import { lockPostsOf } from './likes-store.ts'
import { makeMeasures } from './measures.ts'
import type { SentData } from './naming.ts'
import { listNewest, type NewestPost, type PostSource } from './newest.ts'
import { type AnswerNeeds, findForChange, type ShownPost } from './post-answers.ts'
import { makePublicPosts, type PublicPosts } from './public-posts.ts'
import {
  hasOwnPosts,
  type ListOptions,
  listPosts,
  ownPostsIn,
  type Pay,
  type ReadNeeds,
  readAuthor,
  readPost,
  type ShownList,
  streamAllOf,
} from './read-posts.ts'
import { searchNeeds } from './ready-text.ts'
import { renewSome, renewTexts } from './renew-texts.ts'
import { type SearchAsked, type SearchPostsNeeds, searchPosts } from './search-posts.ts'
import * as store from './store.ts'
import { readContent } from './structure.ts'
import { addLineTags } from './tags.ts'
import { findTag, listTags, type TagQuestion } from './used-tags.ts'
import { listVersions, readVersion, streamVersionsOf } from './versions.ts'
import { readVisible } from './visible-posts.ts'

export type PostsNeeds = ReadNeeds & ChangeNeeds & DeletedNeeds & SearchPostsNeeds

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
  /** See {@link ownPostsIn}. */
  ownPostsIn(queries: string[] | undefined): Promise<OwnPosts | undefined>
  /** See {@link hasOwnPosts}. */
  hasOwnPosts: HasOwnPosts
  /** See {@link searchPosts}. */
  search(viewer: Viewer, asked: SearchAsked): Promise<FoundPosts>
  /** See {@link fillIndex}. */
  fillIndex(options: { signal: AbortSignal }): Promise<number>
  /** See {@link renewTexts}. */
  renewTexts(options: { signal: AbortSignal }): Promise<void>
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

export function makePosts(given: Omit<PostsNeeds, 'renew'>): Posts {
  const needs: PostsNeeds = { ...given, renew: (seqs) => renewSome(given, seqs) }
  const { db, bodies } = needs
  const listing = { ...needs, measures: makeMeasures(db) }
  return {
    checkCollection: (databaseId, collectionId) => checkCollection(needs, databaseId, collectionId),
    create: (viewer, post) => createPost(needs, viewer, post),
    list: (viewer, queries, options) => listPosts(listing, viewer, queries, options),
    ownPostsIn: (queries) => ownPostsIn(needs, queries),
    hasOwnPosts: (viewer, own) => hasOwnPosts(needs, viewer, own),
    search: (viewer, asked) => searchPosts(needs, viewer, asked),
    fillIndex: (options) =>
      fillIndex(
        {
          ...{ ...needs, ...searchNeeds(needs, '') },
          alsoKeep: (tx, post) => addLineTags(needs, tx, post),
          afterwards: needs.renew,
        },
        options,
      ),
    renewTexts: (options) => renewTexts(needs, options),
    read: (viewer, id, queries) => readPost(needs, viewer, id, queries),
    readAround: (viewer, id) => readAround(needs, viewer, id),
    listTags: (viewer, question) => listTags(db, viewer, question),
    findTag: (viewer, key) => findTag(db, viewer, key),
    highlight: async ({ userId }, content) => {
      const html = readContent(content, await bodies.cleanAhead(content, userId))
      return bodies.highlight(db, { authorId: userId }, html)
    },
    update: (viewer, id, update) => updatePost(needs, viewer, id, update),
    upsert: (viewer, post) => upsertPost(needs, viewer, post),
    count: (viewer, id, counting) => countPost(needs, viewer, id, counting),
    createMany: (viewer, documents) => createPosts(needs, viewer, documents),
    upsertMany: (viewer, documents) => upsertPosts(needs, viewer, documents),
    updateMany: (viewer, change) => updatePosts(needs, viewer, change),
    removeMany: (viewer, queries) => removePosts(needs, viewer, queries),
    remove: (viewer, id, options) => removePost(needs, viewer, id, options),
    listVersions: async (viewer, id) =>
      listVersions(needs, viewer, await readVisible(db, viewer, id)),
    readVersion: async (viewer, id, version) =>
      readVersion(needs, viewer, await readVisible(db, viewer, id), version),
    restoreVersion: (viewer, id, version) => restoreVersion(needs, viewer, id, version),
    listDeleted: (viewer, page) => listDeleted(needs, viewer, page),
    restoreDeleted: (viewer, deletedId) => restoreDeleted(needs, viewer, deletedId),
    endDeleted: (viewer, deletedId) => endDeleted(needs, viewer, deletedId),
    sweepDeleted: () => sweepDeleted(needs),
    streamVersionsOf: (viewer) => streamVersionsOf(db, viewer),
    streamDeletedOf: (viewer) => streamDeletedOf(needs, viewer),
    findForChange: (id) => findForChange(needs, id),
    hide: (viewer, id, isHidden) => hidePost(needs, viewer, id, isHidden),
    findAuthor: (userId) => findAuthor(needs, userId),
    readAuthor: (viewer, userId, pay) => readAuthor(listing, viewer, userId, pay),
    listNewest: (source) => listNewest(needs, source),
    streamAllOf: (viewer) => streamAllOf(needs, viewer),
    listed: makePublicPosts(db),
    deriveTexts: async (...asked) => (await bodies.derive(db, ...asked)) as never,
    lockAllOf: lockPostsOf,
    async removeAllOf(tx, userId) {
      await store.deletePostsOf(tx, userId)
      await deleteAllOf(tx, userId)
    },
  }
}

function checkCollection(needs: AnswerNeeds, databaseId: string, collectionId: string): void {
  if (databaseId !== needs.databaseId) throw new Refusal('database_not_found')
  if (collectionId !== needs.collectionId) throw new Refusal('collection_not_found')
}
