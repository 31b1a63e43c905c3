// Shapes and fixed facts of posts (api.md §3.1, §10.1).

/** Only the author and the API key see an inactive post. */
export const POST_STATUSES = ['active', 'inactive'] as const
export type PostStatus = (typeof POST_STATUSES)[number]

/** The featured image is gone; the author is blocked, or a reader by now. */
export const PUBLISH_PROBLEMS = ['imageMissing', 'authorMayNotWrite'] as const
export type PublishProblem = (typeof PUBLISH_PROBLEMS)[number]

/**
 * A post as every answer shows it.
 *
 * @source api.md §3.1
 */
export type PostDocument = {
  /**
   * Plain text, 1 to `TITLE_MAX_CHARS` characters.
   */
  title: string
  /** Sanitised HTML, at most `CONTENT_MAX_CHARS` characters; may be empty. */
  content: string
  /**
   * Id of a file in the content bucket; empty for a post without an image. Where posts may have
   * extra attributes, any value that a program wrote: pages show `ownImage`.
   */
  featuredImage: string
  /** `active` or `inactive`. */
  status: string
  /** Id of the author. */
  userid: string
  /** The same id, under the name that most programs use. */
  userId?: string
  /** Number of people who like it. */
  like: number
  /**
   * Ids of people who like it, oldest like first; at most 1,000, always with the caller's own
   * (api.md §10.3).
   */
  likeId: string[]
  /** The author's current name, or "Unknown User" when the account is gone. */
  userName: string
  /** The slug in the post's address. */
  $id: string
  /** The number of the post, ascending; only in answers of newer formats (api.md §12). */
  $sequence?: number
  /** Times are ISO 8601 with milliseconds and +00:00 (api.md §1.6). */
  $createdAt: string
  $updatedAt: string
  /**
   * When it was active for the first time, which also became its `$createdAt`; null until then. On
   * a scheduled post, when it turns active.
   * Where posts may have extra attributes, any value that a program wrote.
   */
  publishedAt: string | null
  /** Permission strings (api.md §3.5). */
  $permissions: string[]
  $databaseId: string
  $collectionId: string
  /**
   * Colour of the featured image: `#rrggbb`, or empty when unknown. Only in answers to a `select`
   * that names it.
   */
  imageColor?: string
  /**
   * An operator has hidden the post: only its author and the API key read it, whatever its status.
   * Only in answers to a `select` that names it.
   */
  hidden?: boolean
  /**
   * Id of the author's avatar in the avatar bucket; empty when there is none that the caller may
   * see. Only in answers to a `select` that names it.
   */
  userAvatar?: string
  /**
   * The featured image where it is a file of the blog that the post shows; empty otherwise. Only in
   * answers to a `select` that names it.
   */
  ownImage?: string
  /**
   * At most `TAGS_MAX`, as they were written. Only where the post has some, or in answers to a
   * `select` that names it.
   */
  tags?: string[]
  /** The author's own summary (`DETAIL_MAX_CHARS`). Absent: the beginning of the text. */
  excerpt?: string
  /** The last segment of the post's URL, in the author's own words. Absent: from the title. */
  addressWords?: string
  /** Title and description for search engines and link previews. Absent: title and excerpt. */
  metaTitle?: string
  metaDescription?: string
  /** Where the text was published first: the canonical URL, `https://…` or `http://…`. */
  canonicalUrl?: string
  /** True where nobody may comment. */
  commentsClosed?: boolean
  /** True for a page of the blog, such as "About": in no list and no feed, without likes. */
  page?: boolean
  /** Why a scheduled post was not published; only for those who may edit it. */
  publishProblem?: PublishProblem
  /** How many words the text has. Only in answers to a `select` that names it. */
  words?: number
  /** Number of shown comments. Only in answers to a `select` that names it. */
  comments?: number
  /**
   * `content` with its code samples highlighted: parts of them are in `span`s of the classes `c-k`
   * keyword, `c-s` string, `c-n` number, `c-f` function, `c-t` type, `c-a` attribute or variable
   * and `c-c` comment. Headings have ids (`h-…`). Only when the `select` of a get names it; lists
   * do not have it.
   */
  highlightedContent?: string
}

/** Tags, the most used first. `posts` is counted up to `TAG_POSTS_MAX`. */
export type TagList = {
  total: number
  /** `tag` is the key (`tagKey` of plain-text.ts), `name` its spelling in the newest post. */
  tags: { tag: string; name: string; posts: number }[]
}

/** The neighbours of a post for its page, as far as the caller may read them. */
export type AdjacentPosts = {
  /** The next older and the next newer active post, of any author. */
  previous: AdjacentPost | null
  next: AdjacentPost | null
  /** The newest other active posts by the author, at most `OTHER_POSTS`. */
  others: OtherPost[]
  /** The line of the author about themselves (authors.ts); "" when there is none. */
  about: string
}
export type AdjacentPost = Pick<PostDocument, '$id' | 'title' | 'addressWords'>
/** Its `featuredImage` is empty unless it is a file of the blog. */
export type OtherPost = Pick<
  PostDocument,
  '$id' | '$createdAt' | 'title' | 'addressWords' | 'featuredImage' | 'imageColor'
>
