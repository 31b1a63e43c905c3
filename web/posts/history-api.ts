// The calls about versions of posts and deleted posts (api.md §15.10, §15.11), which the client
// package has no method for.
import type { DeletedPostList, PostVersionList, PostVersionWithText } from '#contract/history.ts'
import type { PostDocument } from '#contract/posts.ts'
import type { Api, Result } from '../api/client.ts'
import { callCollection } from './posts-api.ts'
import { withShownBody } from './shown-post.ts'

async function shown<Held extends { content: string }>(
  { settings }: Api,
  answer: Promise<Result<Held>>,
): Promise<Result<Held>> {
  const found = await answer
  return found.ok ? { ...found, value: withShownBody(settings, found.value) } : found
}

export function listVersions(api: Api, slug: string): Promise<Result<PostVersionList>> {
  return callCollection(api, 'get', `/documents/${slug}/versions`)
}

export function getVersion(
  api: Api,
  slug: string,
  versionId: string,
): Promise<Result<PostVersionWithText>> {
  return shown(api, callCollection(api, 'get', `/documents/${slug}/versions/${versionId}`))
}

/** @returns the post, whose title and text are those of the version */
export function restoreVersion(
  api: Api,
  slug: string,
  versionId: string,
): Promise<Result<PostDocument>> {
  return shown(api, callCollection(api, 'post', `/documents/${slug}/versions/${versionId}/restore`))
}

/** @param cursor `next` of the page before */
export function listDeleted(
  api: Api,
  { cursor = '', limit = 25 }: { cursor?: string; limit?: number } = {},
): Promise<Result<DeletedPostList>> {
  return callCollection(api, 'get', '/deleted', {
    limit: String(limit),
    ...(cursor ? { cursor } : {}),
  })
}

/** @returns the post, which is inactive now */
export function restoreDeleted(api: Api, deletedId: string): Promise<Result<PostDocument>> {
  return shown(api, callCollection(api, 'post', `/deleted/${deletedId}/restore`))
}

export function endDeleted(api: Api, deletedId: string): Promise<Result<unknown>> {
  return callCollection(api, 'delete', `/deleted/${deletedId}`)
}
