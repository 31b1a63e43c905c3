// Selects the avatar of a person, as a part of a SELECT.
import { type RawBuilder, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'

/** Only a file by the person or the operator, so that nobody can show another user's file. */
export function avatarOf(
  userId: RawBuilder<unknown>,
  { avatarBucketId, readers }: { avatarBucketId: string; readers: readonly Readers[] },
) {
  return sql<string>`coalesce((select file.id from ${sql.table('avatarFile')} join file on file.id = ${sql.ref('avatarFile.fileId')}
    where ${sql.ref('avatarFile.userId')} = ${userId} and ${sql.ref('file.bucketId')} = ${avatarBucketId}
    and ${sql.ref('file.isComplete')} = 1 and file.readers in (${sql.join(readers)})
    and (${sql.ref('file.userId')} = ${userId} or ${sql.ref('file.userId')} is null)), '')`
}
