// Why a post of one's own was "not found". A guest is told the same of a post that only its author
// may see (product.md §O20), so that a session that ended looks like a deleted post until somebody
// asks.

import type { Account } from '#contract/accounts.ts'
import type { Failure, Result } from '../api/result.ts'

const SIGNED_OUT: Failure = { message: '', code: 401, type: '' }

/**
 * The failure as it was, unless it is a "not found" told to somebody else than this person: then
 * 401, or why nobody could say.
 *
 * @param askViewer asks the server who is signed in now
 */
export async function trueReasonOf(
  failure: Failure,
  userId: string,
  askViewer: () => Promise<Result<Account>>,
): Promise<Failure> {
  if (failure.code !== 404) return failure
  const viewer = await askViewer()
  if (!viewer.ok) return viewer.failure
  return viewer.value.$id === userId ? failure : SIGNED_OUT
}
