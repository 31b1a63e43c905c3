// Cache tags (migrations/0101-cache-tags.ts, decision 0082): what is made for readers is as it was
// while each tag of what it shows has the same version.
import { sql } from 'kysely'
import { makeBatchedRead } from './batched-read.ts'
import { isOneOfTexts, listParameter, prepared, rawQuery } from './dialect.ts'
import type { Database } from './schema.ts'

export const tagOfPost = (id: string) => `post:${id}`
/** For pages that name a post without being its own. */
export const tagOfLink = (id: string) => `link:${id}`
export const tagOfUser = (id: string) => `user:${id}`

/** By tag; 0 for a tag of something that does not exist. */
export type TagVersions = ReadonlyMap<string, number>

export type ReadTagVersions = (tags: readonly string[]) => Promise<TagVersions>

/**
 * The versions of these tags, and maybe of others, as they are committed at a moment after the
 * call.
 *
 * @throws Refusal `general_service_disabled` while the database is away
 */
export function makeReadTagVersions(db: Database): ReadTagVersions {
  return makeBatchedRead(async (tags) => {
    const { rows } = await read(db, { tags: listParameter(db, tags) })
    const versions = new Map(tags.map((tag) => [tag, 0]))
    for (const { name, version } of rows) versions.set(name, Number(version))
    return versions
  })
}

const read = prepared((db, { tags }: { tags: unknown }) =>
  rawQuery<{ name: string; version: number }>(
    db,
    sql`select name, sum(version) as version from ${sql.table('cacheTag')}
      where ${isOneOfTexts(db, 'name', tags)} group by name`,
  ),
)
