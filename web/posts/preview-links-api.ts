// The calls about preview links (api.md §15.26), for which the client package has no methods.
import type {
  PostPreviewDocument,
  PreviewLink,
  PreviewLinkAnswer,
} from '#contract/preview-links.ts'
import { type Api, callPath, type Result } from '../api/client.ts'
import { callCollection } from './posts-api.ts'

export function readPreviewLink(api: Api, slug: string): Promise<Result<PreviewLinkAnswer>> {
  return callCollection(api, 'get', `/documents/${slug}/preview-link`)
}

/** The previous link of the post ends. */
export function makePreviewLink(api: Api, slug: string): Promise<Result<PreviewLink>> {
  return callCollection(api, 'post', `/documents/${slug}/preview-link`)
}

export function withdrawPreviewLink(api: Api, slug: string): Promise<Result<unknown>> {
  return callCollection(api, 'delete', `/documents/${slug}/preview-link`)
}

/** @param seen `$updatedAt` of the version on the screen; such a call does not count as opening */
export function readPreview(
  api: Api,
  secret: string,
  seen?: string,
): Promise<Result<PostPreviewDocument>> {
  return callPath(api, 'get', `/previews/${secret}`, seen ? { seen } : {})
}
