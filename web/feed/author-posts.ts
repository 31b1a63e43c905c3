// What the page of an author shows: who it is, and a page of their posts.
import { Query } from 'appwrite'
import type { Author } from '#contract/authors.ts'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { type Api, fail, type Result, succeed } from '../api/client.ts'
import { callCollection, type PostPage, readPostPage } from '../posts/posts-api.ts'

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

/** An invalid id is a missing author: 404. */
async function getAuthor(api: Api, userId: string): Promise<Result<Author>> {
  const path = `/authors/${encodeURIComponent(userId)}`
  const found = await callCollection<Author>(api, 'get', path)
  if (!found.ok) return found.failure.code === 400 ? fail({ ...found.failure, code: 404 }) : found
  const author = found.value
  return succeed(author.name.trim() ? author : { ...author, name: UNKNOWN_USER_NAME })
}
