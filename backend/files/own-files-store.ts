// The SQL of a person's own files. Private to this folder; returns rows.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { FileRow } from './store.ts'
import { isUsed } from './uses-store.ts'

type OwnScope = { userId: string; contentBucketId: string; isUnused: boolean }

/** Files of a person, unfinished uploads too, unless only unused ones are asked for. */
function selectOwn(db: Database, { userId, contentBucketId, isUnused }: OwnScope) {
  const own = db.selectFrom('file').where('userId', '=', userId)
  if (!isUnused) return own
  return own.where('isComplete', '=', 1).where(({ not }) => not(isUsed(contentBucketId)))
}

/** The newest first, from before `before` on. */
export async function findOwnPage(
  db: Database,
  { before, limit, ...scope }: OwnScope & { before: number | undefined; limit: number },
): Promise<FileRow[]> {
  let query = selectOwn(db, scope).selectAll('file')
  if (before !== undefined) query = query.where('seq', '<', before)
  return await query.orderBy('seq', 'desc').limit(limit).execute()
}

export async function countOwn(db: Database, scope: OwnScope): Promise<number> {
  const { count } = await selectOwn(db, scope)
    .select((e) => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A post, or a deleted one, of which one place shows a file. */
export type OwnPlace = { fileId: string; place: string; postId: string; title: string }

type OfPerson = { userId: string; most: number }

/** At most `most` places of each file; of those found, the newest posts first. */
export async function listOwnPlaces(
  db: Database,
  fileIds: string[],
  { userId, most }: OfPerson,
): Promise<OwnPlace[]> {
  const shown = await unionOf<OwnPlace & { seq: number }>(db, fileIds, (fileId) => [
    sql`select "postFile"."fileId", "postFile".place, "postFile"."postId", post.title, post.seq
      from "postFile" inner join post on post.id = "postFile"."postId"
      where "postFile"."fileId" = ${fileId} and post."userId" = ${userId} limit ${most}`,
  ])
  // A cover before a body of the same post.
  return shown.toSorted(
    (a, b) => Number(b.seq) - Number(a.seq) || (a.place < b.place ? 1 : a.place > b.place ? -1 : 0),
  )
}

/**
 * Posts that show one of these files no longer, only in an earlier text, and deleted posts; of each
 * file no more than `most` texts are looked at. Each post once, the newest first.
 */
export async function listKeptPlaces(
  db: Database,
  fileIds: string[],
  { userId, most }: OfPerson,
): Promise<OwnPlace[]> {
  const kept = await unionOf<OwnPlace & { seq: number }>(db, fileIds, (fileId) => {
    const shown = sql`(select "versionFile"."fileId", "postVersion"."postId", "postVersion"."deletedId"
      from "versionFile" inner join "postVersion" on "postVersion".id = "versionFile"."versionId"
      where "versionFile"."fileId" = ${fileId} limit ${most}) as shown`
    return [
      sql`select shown."fileId", 'version' as place, post.id as "postId", post.title, post.seq
        from ${shown} inner join post on post.id = shown."postId"
        where post."userId" = ${userId} and not exists (select 1 from "postFile"
          where "postFile"."postId" = post.id and "postFile"."fileId" = ${fileId})`,
      sql`select shown."fileId", ${DELETED}
        from ${shown} inner join "deletedPost" on "deletedPost".id = shown."deletedId"
        where "deletedPost"."userId" = ${userId}`,
      sql`select "deletedPost"."featuredImage" as "fileId", ${DELETED} from "deletedPost"
        where "deletedPost"."featuredImage" = ${fileId} and "deletedPost"."userId" = ${userId}
        limit ${most}`,
    ]
  })
  const once = new Map(
    kept.map((place) => [`${place.fileId} ${place.place} ${place.postId}`, place]),
  )
  return [...once.values()].toSorted((a, b) => Number(b.seq) - Number(a.seq))
}

const DELETED = sql`'deleted' as place, "deletedPost".id as "postId", "deletedPost".title,
  "deletedPost".seq`

/** Which of these files posts of other people show, looking at no more than `most` of each. */
export async function findShownElsewhere(
  db: Database,
  fileIds: string[],
  { userId, most }: OfPerson,
): Promise<Set<string>> {
  const found = await unionOf<{ fileId: string }>(db, fileIds, (fileId) => [
    sql`select place."fileId" from (select "fileId", "postId" from "postFile"
        where "fileId" = ${fileId} limit ${most}) as place
      inner join post on post.id = place."postId" where post."userId" <> ${userId} limit 1`,
  ])
  return new Set(found.map(({ fileId }) => fileId))
}

/** The rows of all parts: each has a limit of its own, so that one file with many uses is cheap. */
async function unionOf<Row>(
  db: Database,
  fileIds: string[],
  partsOf: (fileId: string) => RawBuilder<unknown>[],
): Promise<Row[]> {
  if (fileIds.length === 0) return []
  const bounded = fileIds.flatMap(partsOf).map((part) => sql`select * from (${part}) as bounded`)
  return (await sql<Row>`${sql.join(bounded, sql` union all `)}`.execute(db)).rows
}
