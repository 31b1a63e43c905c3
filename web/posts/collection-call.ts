// Calls about the collection of posts that the client package has no method for.
import type { Api } from '../api/client.ts'
import { type Result, resultOf } from '../api/result.ts'

/** @param path behind the collection's own */
export function callCollection<Value>(
  { client, settings }: Api,
  method: string,
  path: string,
  values: Record<string, unknown> = {},
): Promise<Result<Value>> {
  const collection = `/databases/${settings.databaseId}/collections/${settings.collectionId}`
  const address = new URL(client.config.endpoint + collection + path)
  const answer = client.call(method, address, { 'content-type': 'application/json' }, values)
  return resultOf(answer as Promise<unknown> as Promise<Value>)
}
