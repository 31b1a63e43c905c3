// Shapes of the versions of posts, and of deleted posts (api.md §15.10, §15.11).
/**
 * What created a version: the first save of an unpublished post, a save of an active post, a save
 * of an inactive one, autosaves, or the restoring of an older version.
 */
export const VERSION_KINDS = ['draft', 'published', 'saved', 'autosaved', 'restored'] as const
export type VersionKind = (typeof VERSION_KINDS)[number]

/** One version of a post's title and text, without the text. */
export type PostVersion = {
  $id: string
  /** Its first save. */
  $createdAt: string
  /** Its last save: only autosaves share a version. */
  $updatedAt: string
  kind: VersionKind
  /** When the restored version had been saved; empty for other kinds. */
  restoredFrom: string
  title: string
  words: number
  /** Compared with the previous version. */
  wordsAdded: number
  wordsRemoved: number
}

/** Newest first; the first is the current text of the post. */
export type PostVersionList = { total: number; versions: PostVersion[] }

export type PostVersionWithText = PostVersion & { content: string }

/** A deleted post that can still be restored. */
export type DeletedPost = {
  /** Not the id of the post. */
  $id: string
  postId: string
  title: string
  featuredImage: string
  /** Like `ownImage` of a post; only in lists. */
  ownImage?: string
  userid: string
  /** Its status before the deletion; an active post is inactive when it is restored. */
  status: string
  /** Times of the post. */
  $createdAt: string
  $updatedAt: string
  publishedAt: string | null
  deletedAt: string
  /** When it is deleted for good. */
  expire: string
}

/** One page, the newest first; `next` is the `cursor` of the next one, empty after the last. */
export type DeletedPostList = { total: number; deleted: DeletedPost[]; next: string }
