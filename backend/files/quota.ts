// How much one person may store. Knows no HTTP.
import { Refusal } from '#contract/errors.ts'
import type { Database } from '../database/schema.ts'
import { lockUser } from '../database/transaction.ts'
import * as store from './store.ts'

/** What one person may store, in both buckets together. */
export const STORED_PER_USER_MAX_BYTES = 1024 * 1024 * 1024
export const FILES_PER_USER_MAX = 5000
export const UNFINISHED_UPLOADS_PER_USER_MAX = 20
/** Then an upload that was not completed is removed. */
export const UNFINISHED_UPLOAD_SECONDS = 24 * 60 * 60

/**
 * Refuses a file beyond the limits of its person; the API key has none. Inside a transaction the
 * user row stays locked, so that uploads at the same time cannot exceed the limits together.
 *
 * @throws Refusal `user_unauthorized` when the account is gone, `general_argument_invalid` for too
 *   many files or unfinished uploads, `storage_invalid_file_size` for too many bytes
 * @source threat-model.md §3
 */
export async function refuseBeyondQuota(
  db: Database,
  { userId, sizeBytes, chunksTotal }: store.NewFileRow,
): Promise<void> {
  if (userId === null) return
  // The account may have been deleted while the bytes came.
  if (!(await lockUser(db, userId))) throw new Refusal('user_unauthorized')
  const used = await store.sumUsage(db, userId)
  if (used.files >= FILES_PER_USER_MAX)
    throw new Refusal(
      'general_argument_invalid',
      `You keep ${FILES_PER_USER_MAX} files already. Delete some first.`,
    )
  if (used.sizeBytes + sizeBytes > STORED_PER_USER_MAX_BYTES)
    throw new Refusal('storage_invalid_file_size', 'Your storage is full. Delete some files first.')
  if (chunksTotal > 1 && used.unfinished >= UNFINISHED_UPLOADS_PER_USER_MAX)
    throw new Refusal(
      'general_argument_invalid',
      `You have ${UNFINISHED_UPLOADS_PER_USER_MAX} unfinished uploads already.`,
    )
}
