// `search` in a list of posts by the index of words, as SQL.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type SearchFilter, searchSql } from '../database/list-conditions.ts'
import type { Database } from '../database/schema.ts'
import { isDue, isMatching } from '../database/word-index.ts'

/** As SQL, for a filter that was looked up. */
export function searchIndexed(
  db: Database,
  value: RawBuilder<unknown>,
  { values, indexed }: SearchFilter,
): RawBuilder<SqlBool> {
  const inText = searchSql(db, value, values)
  if (!indexed) return inText
  const matching = isMatching(db, sql.ref('post.seq'), indexed.match)
  const found = indexed.isExact ? matching : sql<SqlBool>`(${matching} and ${inText})`
  // Alone it is what the database begins with.
  if (indexed.due?.posts === 0) return found
  return sql<SqlBool>`(${found} or (${isDue()} and ${inText}))`
}
