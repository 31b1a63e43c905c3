// The calls about how often posts are read. Knows nothing of screens.
import type { ReadNumbers } from '#contract/reads.ts'
import type { Api } from '../api/client.ts'
import { callCollection } from './collection-call.ts'

/**
 * Tells that a post was opened in the app; the server counts the pages that it sends itself.
 * Whether it worked is not worth knowing.
 */
export function noteRead(api: Api, slug: string): void {
  if (api.settings.hasReadCounts) void callCollection(api, 'post', `/documents/${slug}/reads`)
}

/** Of the viewer's own posts; undefined when nothing is counted, or the call fails. */
export async function findReadNumbers(api: Api): Promise<ReadNumbers | undefined> {
  if (!api.settings.hasReadCounts) return undefined
  const found = await callCollection<ReadNumbers>(api, 'get', '/reads')
  return found.ok && found.value.isCounted ? found.value : undefined
}
