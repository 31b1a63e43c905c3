// The data of an author's page: the author, and a page of their posts.
import { Query } from 'appwrite'
import type { Author } from '#contract/authors.ts'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import { type Api, fail, type Result, succeed } from '../api/client.ts'
import { callCollection, type PostPage, readPostPage } from '../posts/posts-api.ts'

export type AuthorPosts = PostPage & { author: Author }

/** @param after id of the post after which the page begins; undefined for the newest posts */
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

/** An invalid id counts as a missing author: 404. */
async function getAuthor(api: Api, userId: string): Promise<Result<Author>> {
  const path = `/authors/${encodeURIComponent(userId)}`
  const author = await callCollection<Author>(api, 'get', path)
  if (!author.ok)
    return author.failure.code === 400 ? fail({ ...author.failure, code: 404 }) : author
  const hasName = author.value.name.trim() !== ''
  return hasName ? author : succeed({ ...author.value, name: UNKNOWN_USER_NAME })
}
