// The links that carry a mailed secret. Pure functions.
import { wireTime } from '#contract/ids.ts'
import type { TokenRow } from '../database/schema.ts'

/** Where a sign-in link leads when the caller names no address. @source api.md §2.2 */
export const MAGIC_URL_PATH = '/auth/magic-url'

/**
 * The link of a mail: the caller's address with its own query, and the secret added.
 *
 * @param projectId for sign-in links, whose expiry is also written in another format
 * @source api.md §2.3
 */
export function addSecret(
  url: string,
  { userId, expiresAt }: Pick<TokenRow, 'userId' | 'expiresAt'>,
  secret: string,
  projectId?: string,
): string {
  const link = new URL(url)
  link.searchParams.set('userId', userId)
  link.searchParams.set('secret', secret)
  link.searchParams.set(
    'expire',
    projectId === undefined ? expiresAt.replace('T', ' ').replace('Z', '') : wireTime(expiresAt),
  )
  if (projectId !== undefined) link.searchParams.set('project', projectId)
  return link.href
}
