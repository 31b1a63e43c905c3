// Shapes and limits of comments (api.md §15.18): documents of the collection `comments`, and the
// page of them that a post shows.

/** The id of the collection, in the same database as the posts. */
export const COMMENTS_COLLECTION_ID = 'comments'

/** Characters of a comment's text. */
export const COMMENT_MAX_CHARS = 5000
/** A page renders each comment up to these limits, also longer ones that were stored before. */
export const COMMENT_MAX_LINES = 200
/** Paragraphs, line breaks, quotations, links and pieces of code. */
export const COMMENT_MAX_ELEMENTS = 300
export const COMMENT_MAX_HTML_CHARS = 12_000
/** Comments on one page: top-level comments that are shown or have shown replies. */
export const COMMENTS_PAGE = 50
/** Replies below a comment: the first ones and the newest. The thread's page has all. */
export const REPLIES_SHOWN = 3
/** How long the writer may change a comment. */
export const COMMENT_EDIT_SECONDS = 15 * 60

/**
 * `waiting` needs approval, `hidden` was hidden by the post's author or an operator, `deleted`
 * was deleted by its writer and stays because it has replies.
 */
export const COMMENT_STATUSES = ['shown', 'waiting', 'hidden', 'deleted'] as const
export type CommentStatus = (typeof COMMENT_STATUSES)[number]

export type CommentDocument = {
  postId: string
  /** The comment that this one replies to; empty at the top level. */
  parentId: string
  userId: string
  /** The writer's current name; "deleted person" when the account is gone. */
  userName: string
  /** Present if it was imported from another blog: `userName` is the name that it had there. */
  imported?: boolean | undefined
  /** Id of the writer's avatar in the avatar bucket; empty without a public one. */
  userAvatar: string
  /**
   * Text with line breaks, links, `code` and lines that begin with ">", 1 to `COMMENT_MAX_CHARS`
   * characters. Empty where the caller may not read it.
   */
  content: string
  /** Replaces `content` when HTML was requested; has links if `hasLinks`. */
  html?: string | undefined
  status: CommentStatus
  /** Who hid it: `author` of the post, `operator`; else empty. */
  hiddenBy: '' | 'author' | 'operator'
  /** When it was hidden; else empty. */
  hiddenAt: string
  /** Whether its URLs become links: false for the first comments of a new account. */
  hasLinks: boolean
  /** When its writer last changed the text; empty for never. */
  editedAt: string
  /** Shown replies; 0 for a reply. */
  replies: number
  /** Position of a top-level comment in its post, from 1, never reused; 0 for a reply. */
  place: number
  $id: string
  $createdAt: string
  $updatedAt: string
  $permissions: string[]
  $databaseId: string
  $collectionId: string
}

/** A top-level comment with its first replies and the newest, the oldest first. */
export type CommentThread = CommentDocument & { replyList: CommentDocument[] }

export const COMMENT_ORDERS = ['oldest', 'newest'] as const
export type CommentOrder = (typeof COMMENT_ORDERS)[number]

/** The format of the comments on a page. */
export const COMMENT_FORMATS = ['plain', 'html'] as const
export type CommentFormat = (typeof COMMENT_FORMATS)[number]

/**
 * One page of a post's comments: `COMMENTS_PAGE` that are shown or have shown replies, and between
 * them some of the hidden and waiting ones that the caller may see. `newest` reverses each page,
 * and starts with the last page by default.
 */
export type CommentPage = {
  /** Shown comments of the post, replies included. */
  total: number
  /** The number of this page, from 1, and of all pages, at least 1. */
  page: number
  pages: number
  order: CommentOrder
  /** Id of the comment whose replies are paged by `COMMENTS_PAGE`; empty for all comments. */
  thread: string
  /** `off` for the whole blog. */
  state: 'open' | 'closed' | 'off'
  /**
   * Whether the caller may write a comment, and whether they may hide others' comments and close
   * the discussion.
   */
  canWrite: boolean
  canModerate: boolean
  comments: CommentThread[]
}
