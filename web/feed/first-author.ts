// What the page of an author shows: who it is, and a page of their posts.
import { Query } from 'appwrite'
import type { Author } from '#contract/authors.ts'
import type { Api } from '../api/client.ts'
import { type Result, succeed } from '../api/result.ts'
import { getAuthor } from '../posts/authors-api.ts'
import { type PostPage, readPostPage } from '../posts/posts-api.ts'

export type AuthorPosts = PostPage & { author: Author }

/** @param after id of the post behind which the page begins; the newest ones without it */
export async function loadAuthor(
  api: Api,
  userId: string,
  after: string | undefined,
): Promise<Result<AuthorPosts>> {
  const author = await getAuthor(api, userId)
  if (!author.ok) return author
  const page = await readPostPage(api, [Query.equal('userid', userId)], after)
  return page.ok ? succeed({ ...page.value, author: author.value }) : page
}
