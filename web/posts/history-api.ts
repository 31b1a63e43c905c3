// The calls about versions of posts and deleted posts (api.md §15.10, §15.11), for which the client
// package has no methods.

import type { PostDocument } from '#contract/posts.ts'
import type { DeletedPostList, PostVersionList, PostVersionWithText } from '#contract/versions.ts'
import { type Api, fail, type Result } from '../api/client.ts'
import { callCollection } from './posts-api.ts'

export function listVersions(api: Api, slug: string): Promise<Result<PostVersionList>> {
  return callCollection(api, 'get', `/documents/${slug}/versions`)
}

export function getVersion(
  api: Api,
  slug: string,
  versionId: string,
): Promise<Result<PostVersionWithText>> {
  return callCollection(api, 'get', `/documents/${slug}/versions/${versionId}`)
}

/** @returns the post, with the title and text of the version */
export function restoreVersion(
  api: Api,
  slug: string,
  versionId: string,
): Promise<Result<PostDocument>> {
  return callCollection(api, 'post', `/documents/${slug}/versions/${versionId}/restore`)
}

/** @param cursor `next` of the previous page */
export function listDeleted(
  api: Api,
  { cursor = '', limit = 25 }: { cursor?: string; limit?: number } = {},
): Promise<Result<DeletedPostList>> {
  return callCollection(api, 'get', '/deleted', {
    limit: String(limit),
    ...(cursor ? { cursor } : {}),
  })
}

const NO_POST = { message: '', code: 404, type: 'document_not_found' }

/** @returns the post, which is inactive now */
export function restoreDeleted(api: Api, deletedId: string): Promise<Result<PostDocument>> {
  return callCollection(api, 'post', `/deleted/${deletedId}/restore`)
}

/** Restores a post that was deleted just now: it is on the first page of deleted posts. */
export async function restoreJustDeleted(api: Api, postId: string): Promise<Result<PostDocument>> {
  const newest = await listDeleted(api)
  if (!newest.ok) return newest
  const deleted = newest.value.deleted.find((post) => post.postId === postId)
  return deleted ? restoreDeleted(api, deleted.$id) : fail(NO_POST)
}

export function purgeDeleted(api: Api, deletedId: string): Promise<Result<unknown>> {
  return callCollection(api, 'delete', `/deleted/${deletedId}`)
}
