// Lists of files: what they may be asked for, and the answer. Rows of others are never in scope,
// nor counted.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type QuerySchema, readQueries } from '#contract/queries.ts'
import { containsTextIgnoringCase } from '../database/dialect.ts'
import { countRows, inOrder, type ListSource, readPage } from '../database/list-query.ts'
import type { Database } from '../database/schema.ts'
import type { FileRow } from './store.ts'

const FILE_QUERIES: QuerySchema = {
  name: { type: 'string' },
  signature: { type: 'string' },
  mimeType: { type: 'string' },
  sizeOriginal: { type: 'integer' },
  chunksTotal: { type: 'integer' },
  chunksUploaded: { type: 'integer' },
  $id: { type: 'string' },
  $createdAt: { type: 'datetime' },
  $updatedAt: { type: 'datetime' },
}

const FILE_LIST: ListSource = {
  table: 'file',
  seq: sql.ref('file.seq'),
  id: sql.ref('file.id'),
  columns: {
    name: { value: sql.ref('file.name'), isText: true },
    signature: { value: sql.ref('file.signature'), isText: true },
    mimeType: { value: sql.ref('file.mimeType'), isText: true },
    sizeOriginal: { value: sql.ref('file.sizeBytes') },
    chunksTotal: { value: sql.ref('file.chunksTotal') },
    chunksUploaded: { value: sql.ref('file.chunksUploaded') },
    $id: { value: sql.ref('file.id'), isText: true },
    $createdAt: { value: sql.ref('file.createdAt') },
    $updatedAt: { value: sql.ref('file.updatedAt') },
  },
}

/** As sent; `search` is a part of the name, letter case of A to Z aside. */
export type ListParams = { queries: string[] | undefined; search: string | undefined }

/**
 * One page of a bucket's files.
 *
 * @param of  `userId` undefined is the API key, which sees everybody's
 * @throws Refusal as {@link readQueries}; `select` has no meaning for files
 */
export async function findFiles(
  db: Database,
  { bucketId, userId }: { bucketId: string; userId: string | undefined },
  { queries, search }: ListParams,
): Promise<{ total: number; rows: FileRow[] }> {
  const query = readQueries(queries, FILE_QUERIES, { isKey: userId === undefined })
  if (query.select) throw new Refusal('general_argument_invalid', 'Invalid query method: select')
  const parts: RawBuilder<SqlBool>[] = [sql`${sql.ref('file.bucketId')} = ${bucketId}`]
  if (userId !== undefined) parts.push(sql`${sql.ref('file.userId')} = ${userId}`)
  if (search !== undefined) parts.push(containsTextIgnoringCase(db, sql.ref('file.name'), search))
  const scope = sql<SqlBool>`(${sql.join(parts, sql` and `)})`
  const page = await readPage(db, FILE_LIST, query, scope)
  const rows = await db
    .selectFrom('file')
    .selectAll('file')
    .where(page.where)
    .orderBy(page.orderBy)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return { total: await countRows(db, FILE_LIST, query, scope), rows: inOrder(page, rows) }
}
