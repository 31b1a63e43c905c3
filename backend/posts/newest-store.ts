// Files that everybody may see, as feeds and pages of authors show them, in SQL. Knows no rule.
import type { Database } from '../database/schema.ts'

type ImageRow = { id: string; mimeType: string; sizeBytes: number }

/** Those of these images that everybody may see. */
export async function findPublicImages(
  db: Database,
  { bucketId, ids }: { bucketId: string; ids: string[] },
): Promise<Map<string, ImageRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('file')
    .select(['id', 'mimeType', 'sizeBytes'])
    .where('bucketId', '=', bucketId)
    .where('id', 'in', ids)
    .where('isComplete', '=', 1)
    .where('readers', '=', 'any')
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The avatar of a person that everybody may see; empty for none. */
export async function findPublicAvatar(
  db: Database,
  { userId, bucketId }: { userId: string; bucketId: string },
): Promise<string> {
  const found = await db
    .selectFrom('avatarFile')
    .innerJoin('file', 'file.id', 'avatarFile.fileId')
    .select('file.id')
    .where('avatarFile.userId', '=', userId)
    .where('file.bucketId', '=', bucketId)
    .where('file.isComplete', '=', 1)
    .where('file.readers', '=', 'any')
    .where((eb) => eb.or([eb('file.userId', '=', userId), eb('file.userId', 'is', null)]))
    .executeTakeFirst()
  return found?.id ?? ''
}
