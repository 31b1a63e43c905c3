// The calls about how often posts are read. Knows nothing of screens.
import type { ReadNumbers } from '#contract/reads.ts'
import type { Api } from '../api/client.ts'
import { resultOf } from '../api/result.ts'

function collectionPath({ settings }: Api): string {
  return `/databases/${settings.databaseId}/collections/${settings.collectionId}`
}

/**
 * Tells that a post was opened in the app; the server counts the pages that it sends itself.
 * Whether it worked is not worth knowing.
 */
export function noteRead(api: Api, slug: string): void {
  const { client, settings } = api
  if (!settings.hasReadCounts) return
  const path = `${collectionPath(api)}/documents/${slug}/reads`
  client
    .call('post', new URL(client.config.endpoint + path), { 'content-type': 'application/json' })
    .catch(() => undefined)
}

/** Of the viewer's own posts; undefined when nothing is counted, or the call fails. */
export async function findReadNumbers(api: Api): Promise<ReadNumbers | undefined> {
  const { client, settings } = api
  if (!settings.hasReadCounts) return undefined
  const url = new URL(`${client.config.endpoint}${collectionPath(api)}/reads`)
  const call = client.call('get', url, {})
  const found = await resultOf(call as Promise<unknown> as Promise<ReadNumbers>)
  return found.ok && found.value.isCounted ? found.value : undefined
}
