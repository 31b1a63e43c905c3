// Posts as their routes and the other parts of the server see them: each rule with its needs handed
// over. What a call does and refuses stands at its rule. Knows no HTTP and no rule of its own.

import type { DeriveTexts } from '#contract/pages.ts'
import type { Database } from '../database/schema.ts'
import type { UserViewer, Viewer } from '../http/viewer.ts'
import { fillIndex } from '../search/fill.ts'
import { readVisible } from './access.ts'
import { readAround } from './around.ts'
import { findAuthor } from './authors.ts'
import { createPost, updatePost } from './change-posts.ts'
import {
  endDeleted,
  listDeleted,
  removePost,
  restoreDeleted,
  streamDeletedOf,
  sweepDeleted,
} from './deleted-posts.ts'
import { deleteAllOf } from './deleted-posts-store.ts'
import {
  countPost,
  createPosts,
  hidePost,
  removePosts,
  restoreVersion,
  updatePosts,
  upsertPost,
  upsertPosts,
} from './further-writes.ts'
import type { PostNeeds } from './needs.ts'
import { listNewest } from './newest.ts'
import { findForChange } from './post-answers.ts'
import { makePublicPosts } from './public-posts.ts'
import {
  hasOwnPosts,
  isShared,
  listPosts,
  ownPostsIn,
  readAuthor,
  readPost,
  streamAllOf,
} from './read-posts.ts'
import { renewSome, renewTexts } from './renew-texts.ts'
import { type SearchPostsNeeds, searchPosts } from './search-posts.ts'
import * as store from './store.ts'
import { lockPostsOf } from './store.ts'
import { readContent } from './structure.ts'
import { addLineTags, findTag, listTags } from './tags-and-files.ts'
import { listVersions, readVersion, streamVersionsOf } from './versions.ts'

export type PostsNeeds = PostNeeds & SearchPostsNeeds
export type VersionToRead = Parameters<typeof readVersion>[3]
export type Posts = ReturnType<typeof makePosts>

export function makePosts(given: Omit<PostsNeeds, 'renew'>) {
  const needs: PostsNeeds = { ...given, renew: (seqs) => renewSome(given, seqs) }
  const { db, bodies } = needs
  const derive = async (...asked: Parameters<DeriveTexts>) => bodies.derive(db, ...asked)
  return {
    place: { databaseId: needs.databaseId, collectionId: needs.collectionId },
    create: createPost.bind(undefined, needs),
    list: listPosts.bind(undefined, needs),
    ownPostsIn: ownPostsIn.bind(undefined, needs),
    hasOwnPosts: hasOwnPosts.bind(undefined, needs),
    isShared: isShared.bind(undefined, needs),
    search: searchPosts.bind(undefined, needs),
    fillIndex: fillIndex.bind(undefined, {
      ...needs,
      splitBody: async (text) => (await bodies.splitWords(text, { key: '' })).words,
      alsoKeep: (tx, post) => addLineTags(needs, tx, post),
      afterwards: needs.renew,
    }),
    renewTexts: renewTexts.bind(undefined, needs),
    read: (viewer: Viewer, id: string, queries?: string[]) => readPost(needs, viewer, id, queries),
    readAround: readAround.bind(undefined, needs),
    listTags: listTags.bind(undefined, db),
    findTag: findTag.bind(undefined, db),
    /**
     * A body as it would be shown if it were saved now.
     *
     * @throws Refusal `document_invalid_structure`
     */
    async highlight({ userId }: Pick<UserViewer, 'userId'>, content: unknown): Promise<string> {
      const html = readContent(content, await bodies.cleanAhead(content, userId))
      return bodies.highlight(db, { authorId: userId }, html)
    },
    update: updatePost.bind(undefined, needs),
    upsert: upsertPost.bind(undefined, needs),
    count: countPost.bind(undefined, needs),
    createMany: createPosts.bind(undefined, needs),
    upsertMany: upsertPosts.bind(undefined, needs),
    updateMany: updatePosts.bind(undefined, needs),
    removeMany: removePosts.bind(undefined, needs),
    remove: removePost.bind(undefined, needs),
    listVersions: async (viewer: Viewer, id: string) =>
      listVersions(needs, viewer, await readVisible(db, viewer, id)),
    readVersion: async (viewer: Viewer, id: string, version: VersionToRead) =>
      readVersion(needs, viewer, await readVisible(db, viewer, id), version),
    restoreVersion: restoreVersion.bind(undefined, needs),
    listDeleted: listDeleted.bind(undefined, needs),
    restoreDeleted: restoreDeleted.bind(undefined, needs),
    endDeleted: endDeleted.bind(undefined, needs),
    sweepDeleted: sweepDeleted.bind(undefined, needs),
    streamVersionsOf: streamVersionsOf.bind(undefined, db),
    streamDeletedOf: streamDeletedOf.bind(undefined, needs),
    hide: hidePost.bind(undefined, needs),
    findForChange: findForChange.bind(undefined, needs),
    findAuthor: findAuthor.bind(undefined, needs),
    readAuthor: readAuthor.bind(undefined, needs),
    listNewest: listNewest.bind(undefined, needs),
    streamAllOf: streamAllOf.bind(undefined, needs),
    listed: makePublicPosts(db),
    /** For pages: what they say of a body that was just read. */
    deriveTexts: derive as DeriveTexts,
    lockAllOf: lockPostsOf,
    /** Removes all posts of a person, deleted ones too, in the transaction that ends an account. */
    async removeAllOf(tx: Database, userId: string): Promise<void> {
      await store.deletePostsOf(tx, userId)
      await deleteAllOf(tx, userId)
    },
  }
}
