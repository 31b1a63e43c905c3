// SQL of the versions of posts (table `postVersion`), with compressed texts. Only functions whose
// names mention a text read it.
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, PostVersionTable } from '../database/schema.ts'
import type { Page } from '../process/batches.ts'
import { makeYieldToEventLoop } from '../process/event-loop.ts'

type Row = Omit<Insertable<PostVersionTable>, 'seq' | 'deletedId'>
export type NewVersion = Omit<Row, 'body' | 'textBytes' | 'sizeBytes'> & { text: string }
export type VersionRow = Omit<
  Selectable<PostVersionTable>,
  'body' | 'sizeBytes' | 'postId' | 'deletedId'
>

const COLUMNS = [
  'seq',
  'id',
  'title',
  'kind',
  'restoredFrom',
  'textBytes',
  'createdAt',
  'savedAt',
  'words',
  'wordsAdded',
  'wordsRemoved',
] as const

/** Reduces prose to a third of its size; a million letters take a thread about 20 ms. */
const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 },
}
const compress = promisify<Uint8Array, typeof COMPRESSION, Buffer>(brotliCompress)
const decompress = promisify<Uint8Array, Buffer>(brotliDecompress)

export async function compressText(text: string) {
  const bytes = Buffer.from(text)
  const body = await compress(bytes, COMPRESSION)
  return { body, textBytes: bytes.length, sizeBytes: body.length }
}

export async function insertVersion(tx: Database, { text, ...rest }: NewVersion): Promise<void> {
  const row = { ...rest, ...(await compressText(text)) }
  await tx.insertInto('postVersion').values(row).execute()
}

export async function changeVersion(
  tx: Database,
  id: string,
  { text, ...changes }: Partial<Omit<NewVersion, 'id' | 'postId'>>,
): Promise<void> {
  const compressed = text === undefined ? {} : await compressText(text)
  const version = tx.updateTable('postVersion').where('id', '=', id)
  await version.set({ ...changes, ...compressed }).execute()
}

/** Newest first. */
export async function listVersions(db: Database, postId: string, limit: number) {
  const versions = db.selectFrom('postVersion').select(COLUMNS).where('postId', '=', postId)
  return await versions.orderBy('seq', 'desc').limit(limit).execute()
}

export async function findVersion(db: Database, { postId, id }: { postId: string; id: string }) {
  const versions = db.selectFrom('postVersion').select(COLUMNS)
  return await versions.where('id', '=', id).where('postId', '=', postId).executeTakeFirst()
}

/** The ids and compressed sizes of the versions of a post, newest first. */
export async function listSizes(tx: Database, postId: string) {
  const versions = tx.selectFrom('postVersion').select(['id', 'sizeBytes'])
  return await versions.where('postId', '=', postId).orderBy('seq', 'desc').execute()
}

export async function deleteVersions(tx: Database, ids: string[]): Promise<void> {
  await tx.deleteFrom('postVersion').where('id', 'in', ids).execute()
}

/** Moves the versions of a post to its deleted post. */
export async function moveToDeleted(tx: Database, postId: string, deletedId: string) {
  const versions = tx.selectFrom('postVersion').select('id').where('postId', '=', postId)
  const ids = (await versions.execute()).map(({ id }) => id)
  await move(tx, ids, { postId: null, deletedId })
}

export async function moveToPost(tx: Database, deletedId: string, postId: string): Promise<void> {
  await move(tx, await listVersionIdsOfDeleted(tx, deletedId), { postId, deletedId: null })
}

/** One row at a time: SQLite rewrites each row with its text, up to 20 MiB together. */
async function move(
  tx: Database,
  ids: string[],
  to: Pick<Selectable<PostVersionTable>, 'postId' | 'deletedId'>,
): Promise<void> {
  const yieldToEventLoop = makeYieldToEventLoop()
  for (const id of ids) {
    await tx.updateTable('postVersion').set(to).where('id', '=', id).execute()
    await yieldToEventLoop()
  }
}

export async function listVersionIdsOfDeleted(tx: Database, deletedId: string): Promise<string[]> {
  const versions = tx.selectFrom('postVersion').select('id').where('deletedId', '=', deletedId)
  return (await versions.execute()).map(({ id }) => id)
}

/** `versionId` is null for the implicit version of a post that was never changed. */
export type OwnedVersion = {
  createdAt: string
  position: number
  postId: string
  versionId: string | null
}

/** Versions of a user's posts and deleted posts, oldest first, under the original post id. */
export async function listVersionsOf(
  db: Database,
  userId: string,
  { after, limit }: Page<OwnedVersion>,
): Promise<OwnedVersion[]> {
  const { createdAt = '', position = 0 } = after ?? {}
  const { rows } = await sql<OwnedVersion>`select * from (
      select v."createdAt", v.seq as position, v.id as "versionId",
        coalesce(v."postId", d."postId") as "postId"
      from "postVersion" as v left join post as p on p.id = v."postId"
        left join "deletedPost" as d on d.id = v."deletedId"
      where p."userId" = ${userId} or d."userId" = ${userId}
      union all
      select "createdAt", -seq, null, id from post where "userId" = ${userId}
        and not exists (select 1 from "postVersion" where "postVersion"."postId" = post.id)
    ) as version where ("createdAt", position) > (${createdAt}, ${position})
    order by "createdAt", position limit ${limit}`.execute(db)
  return rows
}

/** @returns undefined when the version is gone */
export async function findVersionWithText(db: Database, id: string) {
  const versions = db.selectFrom('postVersion').select([...COLUMNS, 'body'])
  const row = await versions.where('id', '=', id).executeTakeFirst()
  return row && { ...row, text: (await decompress(row.body)).toString() }
}
