// Lists of files: who may ask, and for what. Files of other people are neither shown nor counted.
import { Refusal } from '#contract/errors.ts'
import type { FileList } from '#contract/files.ts'
import { readQueries } from '../database/queries.ts'
import type { Viewer } from '../http/viewer.ts'
import { type FindNeeds, requireCreator, toModel } from './file-access.ts'
import { FILE_QUERIES, findFilePage } from './list-store.ts'

/** As sent; `search` is a part of the name, in which A to Z match a to z. */
export type ListParams = { queries: string[] | undefined; search: string | undefined }

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
  const query = readQueries(queries, FILE_QUERIES, {
    role: userId === undefined ? 'key' : 'user',
  })
  if (query.select) throw new Refusal('general_argument_invalid', 'Invalid query method: select')
  const { total, rows } = await findFilePage(needs.db, { bucketId, userId, search }, query)
  return { total, files: rows.map(toModel) }
}
