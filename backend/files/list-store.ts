// Lists of files, with their SQL: who may ask, and for what. Files of other people are neither
// shown nor counted.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { FileList } from '#contract/files.ts'
import { containsTextIgnoringCase } from '../database/dialect.ts'
import { countRows, type ListAttributes, listOf, listRows } from '../database/list-query.ts'
import { readQueries } from '../database/queries.ts'
import type { Viewer } from '../http/viewer.ts'
import { type FindNeeds, requireCreator, toModel } from './file-access.ts'
import type { FileRow } from './store.ts'

/** What a list may ask for, with the columns behind it. */
const FILE_QUERIES: ListAttributes = {
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

/** As sent; `search` is a part of the name, in which A to Z match a to z. */
type ListParams = { queries: string[] | undefined; search: string | undefined }

/**
 * One page of a bucket's files: a person's own, or everybody's for the API key.
 *
 * @throws Refusal `storage_bucket_not_found`, `user_unauthorized` for guests, and as
 *   {@link readQueries}; `select` has no meaning for files and is refused
 */
export async function listFiles(
  needs: FindNeeds,
  bucketId: string,
  viewer: Viewer,
  { queries, search }: ListParams,
): Promise<FileList> {
  requireCreator(needs, bucketId, viewer)
  const userId = viewer.role === 'user' ? viewer.userId : undefined
  const query = readQueries(queries, FILE_QUERIES, { role: userId === undefined ? 'key' : 'user' })
  if (query.select) throw new Refusal('general_argument_invalid', 'Invalid query method: select')
  const parts: RawBuilder<SqlBool>[] = [sql`${sql.ref('file.bucketId')} = ${bucketId}`]
  if (userId !== undefined) parts.push(sql`${sql.ref('file.userId')} = ${userId}`)
  if (search !== undefined)
    parts.push(containsTextIgnoringCase(needs.db, sql.ref('file.name'), search))
  const scope = sql<SqlBool>`(${sql.join(parts, sql` and `)})`
  const call = { source: FILE_LIST, query, scope }
  const rows = await listRows<FileRow>(needs.db, call)
  return { total: await countRows(needs.db, call), files: rows.map(toModel) }
}
