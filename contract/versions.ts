// Shapes of what is kept of posts: their versions, and deleted posts (api.md §15.10, §15.11).
/**
 * How a version came to be: the first save of a post that was not published with it, a save of an
 * active post, a save of an inactive one, saves by themselves, or an older version brought back.
 */
export const VERSION_KINDS = ['draft', 'published', 'saved', 'autosaved', 'restored'] as const
export type VersionKind = (typeof VERSION_KINDS)[number]

/** One version of a post's title and text, without the text. */
export type PostVersion = {
  $id: string
  /** The first save of it. */
  $createdAt: string
  /** The last save of it: only saves by themselves are several. */
  $updatedAt: string
  kind: VersionKind
  /** When the version that was brought back had been saved; empty for other kinds. */
  restoredFrom: string
  title: string
  words: number
  /** Against the version before it. */
  wordsAdded: number
  wordsRemoved: number
}

/** Newest first; the first one is what the post holds now. */
export type PostVersionList = { total: number; versions: PostVersion[] }

export type PostVersionWithText = PostVersion & { content: string }

/** A post that was deleted and can still be brought back. */
export type DeletedPost = {
  /** Not the id of the post. */
  $id: string
  postId: string
  title: string
  featuredImage: string
  /** As of a post; only in lists. */
  ownImage?: string
  userid: string
  /** What it was before; an active one is inactive when it is restored. */
  status: string
  /** Times of the post. */
  $createdAt: string
  $updatedAt: string
  publishedAt: string | null
  deletedAt: string
  /** From then on it is gone for good. */
  expire: string
}

/** One page, the newest first; `next` is the `cursor` of the next one, empty after the last. */
export type DeletedPostList = { total: number; deleted: DeletedPost[]; next: string }
