// Finds out why a post by the viewer was "not found". A guest gets the same answer for a post that
// only its author may see (product.md §O20), so after the session has ended the post looks deleted.
// Only the server knows who is signed in.
import type { Account } from '#contract/accounts.ts'
import type { Failure, Result } from '../api/client.ts'
import { refusalText } from '../api/error-text.ts'
import { texts } from '../locales/texts.ts'

const SIGNED_OUT: Failure = { message: '', code: 401, type: '' }

/**
 * The cause of a failed call for a post by the viewer. A "not found" becomes a 401 if the author is
 * no longer signed in, or the failure of `getViewer` if that fails; any other failure is its own
 * cause.
 *
 * @param userId id of the author
 * @param getViewer requests the account that is signed in now
 */
export async function causeOf(
  failure: Failure,
  userId: string,
  getViewer: () => Promise<Result<Account>>,
): Promise<Failure> {
  if (failure.code !== 404) return failure
  const viewer = await getViewer()
  if (!viewer.ok) return viewer.failure
  return viewer.value.$id === userId ? failure : SIGNED_OUT
}

/** Says why a call by the signed-in user failed, in a sentence to follow another one. */
export function reasonText(failure: Failure): string {
  if (failure.code === 401) return texts.failures.signedOut
  return failure.code === 0 ? texts.failures.checkConnection : refusalText(failure)
}
