// SQL of the Markdown of an export: all posts, drafts too, of the blog or of one person.
import { sql } from 'kysely'
import type { Database } from '../../database/schema.ts'
import { AUTHOR_NAME, isPage } from '../../database/visible-posts.ts'
import type { Page } from '../../process/batches.ts'

export type MarkdownPost = {
  seq: number
  id: string
  title: string
  content: string
  featuredImage: string
  status: string
  isHidden: number
  isPage: number
  userName: string
  createdAt: string
  updatedAt: string
  publishedAt: string
  /** When it will be published; null for a post that is not scheduled. */
  publishAt: string | null
  /** As JSON (posts/post-details.ts); empty for none. */
  details: string
}

/** Large texts are few in a batch. */
export async function listMarkdownPosts(
  db: Database,
  ownerId: string | undefined,
  { after, limit }: Page<MarkdownPost>,
): Promise<MarkdownPost[]> {
  const posts = db
    .selectFrom('post')
    .leftJoin('postSchedule', 'postSchedule.postId', 'post.id')
    .leftJoin('postDetails', 'postDetails.postId', 'post.id')
    .select(['post.seq', 'post.id', 'title', 'content', 'featuredImage', 'status', 'isHidden'])
    .select(['createdAt', 'updatedAt', 'publishedAt', 'publishAt', AUTHOR_NAME.as('userName')])
    .select(sql<string>`coalesce(details, '')`.as('details'))
    .select(sql<number>`case when ${isPage('post')} then 1 else 0 end`.as('isPage'))
    .where('post.seq', '>', after?.seq ?? -1)
    .orderBy('post.seq')
    .limit(limit)
  // Pages such as "About" are the blog's, not a person's.
  if (ownerId === undefined) return await posts.execute()
  return await posts
    .where('post.userId', '=', ownerId)
    .where(sql<boolean>`not ${isPage('post')}`)
    .execute()
}

export async function countMarkdownPosts(
  db: Database,
  ownerId: string | undefined,
): Promise<number> {
  let posts = db.selectFrom('post').select(sql<number>`count(*)`.as('total'))
  if (ownerId !== undefined) posts = posts.where('userId', '=', ownerId)
  return Number((await posts.executeTakeFirstOrThrow()).total)
}

/** In the order of the tags. */
export async function listTagNames(db: Database, postSeq: number): Promise<string[]> {
  const tags = db.selectFrom('postTag').select('name').where('postSeq', '=', postSeq)
  return (await tags.orderBy('place').execute()).map(({ name }) => name)
}
