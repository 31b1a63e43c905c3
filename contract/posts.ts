// Shapes and fixed facts of posts (api.md §3.1, §10.1).

export const POST_STATUSES = ['active', 'inactive'] as const
export type PostStatus = (typeof POST_STATUSES)[number]

/**
 * A post as every answer shows it. `like` is exact; `likeId` holds at most 1,000 ids (api.md §14).
 */
export type PostDocument = {
  title: string
  content: string
  featuredImage: string
  status: PostStatus
  userid: string
  like: number
  likeId: string[]
  userName: string
  $id: string
  $createdAt: string
  $updatedAt: string
  $permissions: string[]
  $databaseId: string
  $collectionId: string
  /**
   * Of the featured image: `#rrggbb`, or empty when unknown. Only in answers to a `select` that
   * names it.
   */
  imageColor?: string
}

export type PostList = { total: number; documents: PostDocument[] }
