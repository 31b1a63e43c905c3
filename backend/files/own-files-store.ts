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

/** One place where an own post shows an own file. */
export type OwnPlace = { fileId: string; place: string; postId: string; title: string }

/** At most `most` places of each file; of those found, the newest posts first. */
export async function listOwnPlaces(
  db: Database,
  fileIds: string[],
  { userId, most }: { userId: string; most: number },
): Promise<OwnPlace[]> {
  const shown = await unionOf<OwnPlace & { seq: number }>(
    db,
    fileIds.map(
      (fileId) => sql`select ${columns('postFile', 'fileId', 'place', 'postId')},
          ${columns('post', 'title', 'seq')}
        from ${sql.table('postFile')} inner join post on post.id = ${sql.ref('postFile.postId')}
        where ${sql.ref('postFile.fileId')} = ${fileId} and ${sql.ref('post.userId')} = ${userId}
        limit ${most}`,
    ),
  )
  // A cover before a body of the same post.
  return shown.toSorted(
    (a, b) => Number(b.seq) - Number(a.seq) || (a.place < b.place ? 1 : a.place > b.place ? -1 : 0),
  )
}

/** One own post whose earlier text, or one own deleted post whose cover or text, shows a file. */
export type KeptPlace = { fileId: string; place: string; postId: string; title: string }

/**
 * Posts that show one of these files no longer, only in an earlier text, and deleted posts; of each
 * file no more than `most` texts are looked at. Each post once, the newest first.
 */
export async function listKeptPlaces(
  db: Database,
  fileIds: string[],
  { userId, most }: { userId: string; most: number },
): Promise<KeptPlace[]> {
  const kept = await unionOf<KeptPlace & { seq: number }>(
    db,
    fileIds.flatMap((fileId) => [
      sql`select ${sql.ref('shown.fileId')} as ${sql.ref('fileId')}, 'version' as place,
          ${sql.ref('post.id')} as ${sql.ref('postId')}, ${columns('post', 'title', 'seq')}
        from (${textsShowing(fileId, most)}) as shown
        inner join post on post.id = ${sql.ref('shown.postId')}
        where ${sql.ref('post.userId')} = ${userId} and not exists (
          select 1 from ${sql.table('postFile')} where ${sql.ref('postFile.postId')} = post.id
            and ${sql.ref('postFile.fileId')} = ${fileId})`,
      sql`select ${sql.ref('shown.fileId')} as ${sql.ref('fileId')}, ${DELETED}
        from (${textsShowing(fileId, most)}) as shown
        inner join ${sql.table('deletedPost')} on ${sql.ref('deletedPost.id')} = ${sql.ref('shown.deletedId')}
        where ${sql.ref('deletedPost.userId')} = ${userId}`,
      sql`select ${sql.ref('deletedPost.featuredImage')} as ${sql.ref('fileId')}, ${DELETED}
        from ${sql.table('deletedPost')} where ${sql.ref('deletedPost.featuredImage')} = ${fileId}
          and ${sql.ref('deletedPost.userId')} = ${userId} limit ${most}`,
    ]),
  )
  const once = new Map(
    kept.map((place) => [`${place.fileId} ${place.place} ${place.postId}`, place]),
  )
  return [...once.values()].toSorted((a, b) => Number(b.seq) - Number(a.seq))
}

const DELETED = sql`'deleted' as place, ${sql.ref('deletedPost.id')} as ${sql.ref('postId')},
  ${columns('deletedPost', 'title', 'seq')}`

function textsShowing(fileId: string, most: number): RawBuilder<unknown> {
  return sql`select ${columns('versionFile', 'fileId')}, ${columns('postVersion', 'postId', 'deletedId')}
    from ${sql.table('versionFile')}
    inner join ${sql.table('postVersion')} on ${sql.ref('postVersion.id')} = ${sql.ref('versionFile.versionId')}
    where ${sql.ref('versionFile.fileId')} = ${fileId} limit ${most}`
}

/** Which of these files posts of other people show, looking at no more than `most` of each. */
export async function findShownElsewhere(
  db: Database,
  fileIds: string[],
  { userId, most }: { userId: string; most: number },
): Promise<Set<string>> {
  const found = await unionOf<{ fileId: string }>(
    db,
    fileIds.map(
      (fileId) => sql`select ${columns('place', 'fileId')} from (
          select ${columns('postFile', 'fileId', 'postId')} from ${sql.table('postFile')}
          where ${sql.ref('postFile.fileId')} = ${fileId} limit ${most}
        ) as place inner join post on post.id = ${sql.ref('place.postId')}
        where ${sql.ref('post.userId')} <> ${userId} limit 1`,
    ),
  )
  return new Set(found.map(({ fileId }) => fileId))
}

/** The rows of all parts: each has a limit of its own, so that one file with many uses is cheap. */
async function unionOf<Row>(db: Database, parts: RawBuilder<unknown>[]): Promise<Row[]> {
  if (parts.length === 0) return []
  const bounded = parts.map((part) => sql`select * from (${part}) as bounded`)
  return (await sql<Row>`${sql.join(bounded, sql` union all `)}`.execute(db)).rows
}

function columns(table: string, ...names: string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql`${sql.ref(`${table}.${name}`)} as ${sql.ref(name)}`))
}
