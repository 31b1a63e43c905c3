// The call about a person who writes. Knows nothing of screens.
import type { Author } from '#contract/authors.ts'
import { UNKNOWN_USER_NAME } from '#contract/limits.ts'
import type { Api } from '../api/client.ts'
import { fail, type Result, resultOf, succeed } from '../api/result.ts'

/** What is no id at all is the id of nobody: 404. */
export async function getAuthor(
  { client, settings }: Api,
  userId: string,
): Promise<Result<Author>> {
  const { databaseId, collectionId } = settings
  const id = encodeURIComponent(userId)
  const path = `/databases/${databaseId}/collections/${collectionId}/authors/${id}`
  const call = client.call('get', new URL(client.config.endpoint + path), {})
  const found = await resultOf(call as Promise<unknown> as Promise<Author>)
  if (!found.ok) return found.failure.code === 400 ? fail({ ...found.failure, code: 404 }) : found
  const author = found.value
  return succeed(author.name.trim() ? author : { ...author, name: UNKNOWN_USER_NAME })
}
