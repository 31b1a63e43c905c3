// Secret links to posts that are not published, which open without an account (api.md §15.26).
import type { PostDocument } from './posts.ts'

export const PREVIEW_LINK_DAYS = 14

/** A link as its author sees it. The secret is known only in the answer that made the link. */
export type PreviewLink = {
  secret: string
  expire: string
  /** How often it was opened, not counting its author. */
  opens: number
  /** Empty until then. */
  lastOpenedAt: string
}

/** `GET …/documents/{id}/preview-link`; null when there is none. */
export type PreviewLinkAnswer = { link: PreviewLink | null }

/** What a reader of the link sees: the newest stored state of the post. */
export type PostPreviewDocument = Pick<
  PostDocument,
  '$id' | '$updatedAt' | 'title' | 'content' | 'userName'
> &
  Required<
    Pick<PostDocument, 'highlightedContent' | 'userAvatar' | 'ownImage' | 'imageColor' | 'tags'>
  > & { expire: string }

export const PREVIEW_SECRET_PATTERN = /^[0-9a-f]{40}$/

/** The path of the page that shows a draft. */
export function previewPath(secret: string): string {
  return `/preview/${secret}`
}

export function isPreviewPath(path: string): boolean {
  return /^\/preview\//i.test(path)
}
