// The SQL of a person's own files. Private to this folder; returns rows.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import type { FileRow } from './store.ts'
import { isUsed } from './unused-store.ts'

/** Uses of one kind that the list of own files names for a file. */
const FILE_USES_SHOWN_MAX = 20

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

/** Looked at for one file. */
const SEARCHED_MAX = 100

/** A place that uses a file; `postId` is that of a post, or of a deleted one. */
export type Place = {
  fileId: string
  place: 'cover' | 'body' | 'version' | 'deleted' | 'elsewhere'
  postId: string
  title: string
  seq: number
}
type PlaceOf = (fileId: string, userId: string) => RawBuilder<unknown>

const inOwnPost: PlaceOf = (fileId, userId) =>
  sql`select shown."fileId", shown.place, shown."postId", post.title, post.seq
    from "postFile" as shown inner join post on post.id = shown."postId"
    where shown."fileId" = ${fileId} and post."userId" = ${userId} limit ${FILE_USES_SHOWN_MAX}`

/** Versions that show it, of posts and of deleted posts. */
const inVersions = (fileId: string) =>
  sql`(select "versionFile"."fileId", "postVersion"."postId", "postVersion"."deletedId"
    from "versionFile" inner join "postVersion" on "postVersion".id = "versionFile"."versionId"
    where "versionFile"."fileId" = ${fileId} limit ${SEARCHED_MAX}) as shown`

/** Only in an earlier text. */
const inVersion: PlaceOf = (fileId, userId) =>
  sql`select shown."fileId", 'version' as place, post.id as "postId", post.title, post.seq
    from ${inVersions(fileId)} inner join post on post.id = shown."postId"
    where post."userId" = ${userId} and not exists (select 1 from "postFile"
      where "postFile"."postId" = post.id and "postFile"."fileId" = ${fileId})`

const DELETED = sql`'deleted' as place, "deletedPost".id as "postId", "deletedPost".title,
  "deletedPost".seq`

const inDeletedText: PlaceOf = (fileId, userId) =>
  sql`select shown."fileId", ${DELETED} from ${inVersions(fileId)}
    inner join "deletedPost" on "deletedPost".id = shown."deletedId"
    where "deletedPost"."userId" = ${userId}`

const asDeletedCover: PlaceOf = (fileId, userId) =>
  sql`select "deletedPost"."featuredImage" as "fileId", ${DELETED} from "deletedPost"
    where "deletedPost"."featuredImage" = ${fileId} and "deletedPost"."userId" = ${userId}
    limit ${SEARCHED_MAX}`

const inOtherPost: PlaceOf = (fileId, userId) =>
  sql`select shown."fileId", 'elsewhere' as place, '' as "postId", '' as title, 0 as seq
    from (select "fileId", "postId" from "postFile" where "fileId" = ${fileId}
      limit ${SEARCHED_MAX}) as shown
    inner join post on post.id = shown."postId" where post."userId" <> ${userId} limit 1`

/**
 * The places that use each of these files of a person: posts as they are, what is only kept, posts
 * of others; of each kind the newest first, a cover before a body. Of one file only so many places
 * are looked at, so that one with many uses is cheap.
 */
export async function listPlaces(
  db: Database,
  fileIds: string[],
  userId: string,
): Promise<Map<string, Place[]>> {
  const find = async (...parts: PlaceOf[]): Promise<Place[]> => {
    if (fileIds.length === 0) return []
    const bounded = parts.flatMap((placeOf) =>
      fileIds.map((fileId) => sql`select * from (${placeOf(fileId, userId)}) as bounded`),
    )
    const { rows } = await sql<Place>`${sql.join(bounded, sql` union `)}`.execute(db)
    const places = rows.toSorted(
      (a, b) => Number(b.seq) - Number(a.seq) || (a.place < b.place ? 1 : -1),
    )
    return [...Map.groupBy(places, ({ fileId }) => fileId).values()].flatMap((some) =>
      some.slice(0, FILE_USES_SHOWN_MAX),
    )
  }
  const shown = await find(inOwnPost)
  const kept = await find(inVersion, inDeletedText, asDeletedCover)
  const all = [...shown, ...kept, ...(await find(inOtherPost))]
  return Map.groupBy(all, ({ fileId }) => fileId)
}
