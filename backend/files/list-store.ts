// The SQL of file lists. Private to this folder; returns rows.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListQuery } from '#contract/queries.ts'
import { containsTextIgnoringCase } from '../database/dialect.ts'
import { countRows, type ListSource, listRows } from '../database/list-query.ts'
import type { Database } from '../database/schema.ts'
import type { FileRow } from './store.ts'

/** The attributes of a list query and the columns behind them. */
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

/**
 * Which files a list is about. Without `userId` they are everybody's; `search` is part of a name.
 */
export type ListScope = {
  bucketId: string
  userId: string | undefined
  search: string | undefined
}

/**
 * One page of the files in scope, and how many there are in all.
 *
 * @throws Refusal `general_cursor_not_found`
 */
export async function findFilePage(
  db: Database,
  { bucketId, userId, search }: ListScope,
  query: ListQuery,
): Promise<{ total: number; rows: FileRow[] }> {
  const parts: RawBuilder<SqlBool>[] = [sql`${sql.ref('file.bucketId')} = ${bucketId}`]
  if (userId !== undefined) parts.push(sql`${sql.ref('file.userId')} = ${userId}`)
  if (search !== undefined) parts.push(containsTextIgnoringCase(db, sql.ref('file.name'), search))
  const scope = sql<SqlBool>`(${sql.join(parts, sql` and `)})`
  const rows = await listRows<FileRow>(db, FILE_LIST, query, scope)
  return { total: await countRows(db, FILE_LIST, query, scope), rows }
}
