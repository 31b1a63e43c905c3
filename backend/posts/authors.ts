// What a person's page as an author says of them. A person who is not shown and one who is not
// there are the same. Knows no HTTP.
import type { Author } from '#contract/authors.ts'
import { wireTime } from '#contract/ids.ts'
import { aboutIn } from '../accounts/personal-details.ts'
import { findUserRow, isShown } from '../accounts/users.ts'
import type { Database } from '../database/schema.ts'
import { findPublicAvatar } from './newest-store.ts'

/** A person as everybody may see them. */
export type ShownAuthor = Omit<Author, 'posts'>

/** @returns undefined for somebody who is not there, or is blocked */
export async function findAuthor(
  { db, avatarBucketId }: { db: Database; avatarBucketId: string },
  userId: string,
): Promise<ShownAuthor | undefined> {
  const user = await findUserRow(db, userId)
  if (!user || !isShown(user)) return undefined
  return {
    $id: user.id,
    $createdAt: wireTime(user.createdAt),
    name: user.name,
    about: aboutIn(JSON.parse(user.prefs)),
    avatar: await findPublicAvatar(db, { userId, bucketId: avatarBucketId }),
  }
}
