// The SQL of file lists. Private to this folder; returns rows.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsTextIgnoringCase } from '../database/dialect.ts'
import { countRows, type ListAttributes, listOf, listRows } from '../database/list-query.ts'
import type { ListQuery } from '../database/queries.ts'
import type { Database } from '../database/schema.ts'
import type { FileRow } from './store.ts'

/** What a list may ask for, with the columns behind it. */
export const FILE_QUERIES: ListAttributes = {
  name: { type: 'string', column: 'name' },
  signature: { type: 'string', column: 'signature' },
  mimeType: { type: 'string', column: 'mimeType' },
  sizeOriginal: { type: 'integer', column: 'sizeBytes' },
  chunksTotal: { type: 'integer', column: 'chunksTotal' },
  chunksUploaded: { type: 'integer', column: 'chunksUploaded' },
  $id: { type: 'string', column: 'id' },
  $createdAt: { type: 'datetime', column: 'createdAt' },
  $updatedAt: { type: 'datetime', column: 'updatedAt' },
}

const FILE_LIST = listOf('file', FILE_QUERIES, sql.ref('file.seq'))

/** Without `userId` they are everybody's; `search` is part of a name. */
type ListScope = {
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
  const call = { source: FILE_LIST, query, scope }
  return { rows: await listRows<FileRow>(db, call), total: await countRows(db, call) }
}
