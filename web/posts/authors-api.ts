// The call about a person who writes. Knows nothing of screens.
import type { Author } from '#contract/authors.ts'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import type { Api } from '../api/client.ts'
import { fail, type Result, succeed } from '../api/result.ts'
import { callCollection } from './collection-call.ts'

/** What is no id at all is the id of nobody: 404. */
export async function getAuthor(api: Api, userId: string): Promise<Result<Author>> {
  const path = `/authors/${encodeURIComponent(userId)}`
  const found = await callCollection<Author>(api, 'get', path)
  if (!found.ok) return found.failure.code === 400 ? fail({ ...found.failure, code: 404 }) : found
  const author = found.value
  return succeed(author.name.trim() ? author : { ...author, name: UNKNOWN_USER_NAME })
}
