// Rights on posts (threat-model.md §5): `can` decides about one post, `readableBy` gives the scope
// that stores turn into a condition for lists. Also the owner of a new post, and the locks of every
// change: the user first, then the post. Independent of HTTP.

import { Refusal } from '#contract/errors.ts'
import { lowerRole, readersOf, roleIn } from '#contract/permissions.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { lockUser } from '../database/transaction.ts'
import { inScope, type PostScope } from '../database/visible-posts.ts'
import { isOperator, readerGroups, requireScope, type Viewer } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { lockPost } from '../post-texts/post-texts-store.ts'
import type { SentData } from './attributes.ts'
import type { PostRow } from './store.ts'
import * as store from './store.ts'

export type PostAction = 'read' | 'edit' | 'delete' | 'like'

/** The columns of a post that decide about rights. The flags are 0 or 1. */
export type PostOwnership = {
  userId: string
  status: string
  readers: string
  /** Hidden by an operator. */
  isHidden: number
  isAuthorBlocked: number
}

/**
 * Decides every access to a single post.
 *
 * @source api.md §10.2, threat-model.md §5
 */
export function can(viewer: Viewer, action: PostAction, post: PostOwnership): boolean {
  if (viewer.role === 'key') return action !== 'like'
  if (isPage(post)) return canForPage(viewer, action, post)
  if (post.isAuthorBlocked) return false
  switch (action) {
    case 'read':
      return isInScope(readableBy(viewer), post)
    case 'edit':
    case 'delete':
      return viewer.role === 'user' && viewer.userId === post.userId
    case 'like':
      return viewer.role === 'user' && isPublished(post) && can(viewer, 'read', post)
  }
}

/** A page of the blog, such as "About", is a post whose readers are those of pages. */
export function isPage({ readers }: Pick<PostOwnership, 'readers'>): boolean {
  return readers === 'page'
}

/** Pages are the blog's own: all operators write them, whoever began them. */
export function mayWritePages(viewer: Viewer): boolean {
  return viewer.role === 'key' || isOperator(viewer)
}

function canForPage(viewer: Viewer, action: PostAction, page: PostOwnership): boolean {
  if (action === 'like') return false
  return mayWritePages(viewer) || (action === 'read' && isPublished(page))
}

/**
 * Operators may hide and remove published posts, including hidden ones; unpublished posts belong to
 * their authors alone.
 */
export function canModerate(viewer: Viewer, post: Pick<PostOwnership, 'status'>): boolean {
  return viewer.role === 'key' || (isOperator(viewer) && post.status === 'active')
}

/** The subject of an activity entry about a post. */
export function subjectOf({ id, title }: { id: string; title: string }) {
  return { type: 'post', id, name: title } as const
}

/** Operators act on posts by others with the rights of the API key, which may read them all. */
export const MODERATOR: Viewer = { role: 'key' }

/** The scope of the posts that `can` lets this viewer read, without pages, which no list has. */
export function readableBy(viewer: Viewer): PostScope {
  if (viewer.role === 'key') return 'all'
  return {
    readers: readerGroups(viewer),
    ownerId: viewer.role === 'user' ? viewer.userId : undefined,
  }
}

/** The scope of the search, which also finds pages. */
export function searchableBy(viewer: Viewer): PostScope {
  const scope = readableBy(viewer)
  return scope === 'all' ? scope : { ...scope, readers: [...scope.readers, 'page'] }
}

/** The scope of `readableBy` as an SQL condition, for queries that have joined `post`. */
export function isReadablePost(viewer: Viewer) {
  return inScope(readableBy(viewer))
}

/** The same as the condition of lists, `inScope`, for a post that has been read. */
export function isInScope(scope: PostScope, post: PostOwnership): boolean {
  if (scope === 'all') return true
  if (post.isAuthorBlocked) return false
  const isOwner = scope.ownerId !== undefined && post.userId === scope.ownerId && !isPage(post)
  return isOwner || (isPublished(post) && scope.readers.some((group) => group === post.readers))
}

function isPublished({ status, isHidden }: PostOwnership): boolean {
  return status === 'active' && !isHidden
}

/** The owner of a new post; empty for guests, and when the API key names no user. */
export function ownerOfNewPost(viewer: Viewer, { userid }: SentData): string {
  if (viewer.role === 'user') return viewer.userId
  return viewer.role === 'key' ? String(userid ?? '') : ''
}

/** `userid` may be sent again, but not changed. */
export function refuseForeignAuthor({ userid }: SentData, ownerId: string): void {
  if (typeof userid === 'string' && userid !== ownerId) throw new Refusal('user_unauthorized')
}

export function toStoredPermissions(list: string[]): { permissions: string; readers: string } {
  return { permissions: JSON.stringify(list), readers: readersOf(list) }
}

/** @throws Refusal `document_not_found`, the same for a missing and for an unreadable post */
export async function readVisible(
  tx: Database,
  viewer: Viewer,
  id: string,
  parts?: Partial<store.PostParts>,
): Promise<store.PostRow> {
  const row = await store.findPost(tx, id, parts)
  if (!row || !can(viewer, 'read', row)) throw new Refusal('document_not_found')
  return row
}

/**
 * Reads a post without its body, for calls about its comments and reports, which have the readers
 * of the post. Nobody, not even the author or the API key, reads them while the post is a draft or
 * hidden. Pages have none.
 *
 * @param options `isLocked`: locks the post until the transaction ends
 * @throws Refusal `document_not_found`
 */
export async function readPublished(
  tx: Database,
  viewer: Viewer,
  id: string,
  { isLocked = false } = {},
): Promise<store.PostRow> {
  if (isLocked) await lockPost(tx, { id })
  const row = await readVisible(tx, viewer, id, { hasContent: false })
  if (!isPublished(row) || row.isAuthorBlocked || isPage(row))
    throw new Refusal('document_not_found')
  return row
}

/**
 * Refuses a user who was blocked after the request began. Locks the user, always before the post:
 * a block waits for the transactions that have begun, and all later ones are refused.
 *
 * @throws Refusal `user_blocked`
 */
export async function refuseBlocked(tx: Database, viewer: Viewer): Promise<UserRow | undefined> {
  if (viewer.role !== 'user') return undefined
  const user = await lockUser(tx, viewer.userId)
  if (user?.isBlocked) throw new Refusal('user_blocked')
  return user
}

/**
 * Like {@link refuseBlocked}, for writing and changing posts, which readers may not do.
 * @throws Refusal `user_is_reader`
 */
export async function refuseReaders(tx: Database, viewer: Viewer): Promise<void> {
  const user = await refuseBlocked(tx, viewer)
  if (user && isReader(viewer, user)) throw new Refusal('user_is_reader')
}

/**
 * Whether this user is a reader, by the current role or by the role that the session check found.
 */
export function isReader(viewer: Viewer, user: Pick<UserRow, 'labels'>): boolean {
  return viewer.role === 'user' && lowerRole(viewer.accountRole, roleIn(user)) === 'reader'
}

/**
 * Locks the post until the transaction ends, and reads it.
 *
 * @throws Refusal `document_not_found`, `document_update_conflict`
 */
export async function lockVisible(
  tx: Database,
  viewer: Viewer,
  id: string,
  unlessNewerThan: string | undefined,
): Promise<store.PostRow> {
  await lockPost(tx, { id })
  const row = await readVisible(tx, viewer, id)
  if (unlessNewerThan !== undefined && row.updatedAt > unlessNewerThan)
    throw new Refusal('document_update_conflict')
  return row
}

/** Refuses guests if lists are for members only. @throws Refusal `general_unauthorized_scope` */
export async function refuseGuests({ site }: PostsContext, viewer: Viewer): Promise<void> {
  if (viewer.role !== 'guest') return
  if ((await site.read()).reading === 'members') requireScope(viewer, 'account')
}

/** @throws Refusal `document_not_found`, `user_unauthorized` for a post that is only readable */
export async function readEditable(db: Database, viewer: Viewer, id: string): Promise<PostRow> {
  const post = await readVisible(db, viewer, id)
  if (!can(viewer, 'edit', post)) throw new Refusal('user_unauthorized')
  return post
}
