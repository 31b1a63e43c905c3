// What the rules of posts are handed by their routes, and posts as the other parts of the server
// see them. What a call does and refuses stands at its rule. Knows no HTTP and no rule of its own.

import type { DeriveTexts } from '#contract/pages.ts'
import type { Database } from '../database/schema.ts'
import type { Viewer } from '../http/viewer.ts'
import { streamDeletedOf, sweepDeleted } from './deleted-posts.ts'
import { deleteAllOf } from './deleted-posts-store.ts'
import type { PostNeeds } from './needs.ts'
import { listNewest } from './newest.ts'
import { findForChange } from './post-serialiser.ts'
import { makePublicPosts } from './public-posts.ts'
import { findAuthor, hasOwnPosts, readPost, streamAllOf } from './read-posts.ts'
import { backfillIndex, renewSome, renewTexts } from './renew-texts.ts'
import { deletePostsOf, lockPostsOf } from './store.ts'
import { findTag } from './tags-and-files.ts'
import { streamVersionsOf } from './versions.ts'

export type Posts = ReturnType<typeof makePosts>

export function makePosts(given: Omit<PostNeeds, 'renew'>) {
  const needs: PostNeeds = { ...given, renew: (seqs) => renewSome(given, seqs) }
  const { db, bodies } = needs
  const derive = async (...asked: Parameters<DeriveTexts>) => bodies.derive(db, ...asked)
  return {
    ...needs,
    hasOwnPosts: hasOwnPosts.bind(undefined, needs),
    backfillIndex: backfillIndex.bind(undefined, needs),
    renewTexts: renewTexts.bind(undefined, needs),
    read: (viewer: Viewer, id: string, queries?: string[]) => readPost(needs, viewer, id, queries),
    findTag: findTag.bind(undefined, db),
    sweepDeleted: sweepDeleted.bind(undefined, needs),
    streamVersionsOf: streamVersionsOf.bind(undefined, db),
    streamDeletedOf: streamDeletedOf.bind(undefined, needs),
    findForChange: findForChange.bind(undefined, needs),
    findAuthor: findAuthor.bind(undefined, needs),
    listNewest: listNewest.bind(undefined, needs),
    streamAllOf: streamAllOf.bind(undefined, needs),
    listed: makePublicPosts(db),
    /** For pages: what they say of a body that was just read. */
    deriveTexts: derive as DeriveTexts,
    lockAllOf: lockPostsOf,
    /** Removes all posts of a person, deleted ones too, in the transaction that ends an account. */
    async removeAllOf(tx: Database, userId: string): Promise<void> {
      await deletePostsOf(tx, userId)
      await deleteAllOf(tx, userId)
    },
  }
}
