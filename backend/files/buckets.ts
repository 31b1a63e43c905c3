// The two buckets: which ids they have, and how large a file in each may be.
import { Refusal } from '#contract/errors.ts'
import { AVATAR_FILE_MAX_BYTES, CONTENT_FILE_MAX_BYTES } from '#contract/limits.ts'
import type { Viewer } from '../http/viewer.ts'

export type Buckets = { contentBucketId: string; avatarBucketId: string }

/**
 * The largest file that a bucket takes. Both buckets may have the same id (product.md §O19); the
 * larger limit then holds.
 *
 * @throws Refusal `storage_bucket_not_found`
 */
export function maxBytesOf({ contentBucketId, avatarBucketId }: Buckets, bucketId: string): number {
  if (bucketId === contentBucketId) return CONTENT_FILE_MAX_BYTES
  if (bucketId === avatarBucketId) return AVATAR_FILE_MAX_BYTES
  throw new Refusal('storage_bucket_not_found')
}

/**
 * Asked before any byte of an upload is read.
 *
 * @throws Refusal `storage_bucket_not_found`, `user_unauthorized` for guests
 */
export function requireCreator(buckets: Buckets, bucketId: string, viewer: Viewer): void {
  maxBytesOf(buckets, bucketId)
  if (viewer.role === 'guest') throw new Refusal('user_unauthorized')
}
