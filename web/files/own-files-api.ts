// The calls about one's own files. The client package has no methods for them. Each rejects when
// it fails.
import type { OwnFiles } from '#contract/files.ts'
import type { Api } from '../api/client.ts'

/** Own files on one page of the settings. */
export const OWN_FILES_PAGE = 12

/** @param options `cursor` is `next` of the page before */
export async function listOwnFiles(
  api: Api,
  { isUnused, cursor }: { isUnused: boolean; cursor: string },
): Promise<OwnFiles> {
  const params = { unused: String(isUnused), limit: String(OWN_FILES_PAGE), cursor }
  const address = new URL(`${api.client.config.endpoint}/account/files`)
  return await api.client.call('get', address, { 'content-type': 'application/json' }, params)
}

/** Deletes every file that nothing uses. @returns how many */
export async function deleteUnusedFiles(api: Api): Promise<number> {
  const address = new URL(`${api.client.config.endpoint}/account/files/unused`)
  const { removed } = await api.client.call('delete', address, {
    'content-type': 'application/json',
  })
  return removed
}
