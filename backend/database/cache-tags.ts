// Cache tags (migrations/0101-cache-tags.ts, decision 0082): a cached response stays valid while
// each tag of its content has the same version.
import { sql } from 'kysely'
import { makeBatchedRead } from './batched-read.ts'
import { isOneOfTexts, listParameter, prepared, rawQuery } from './dialect.ts'
import type { Database } from './schema.ts'

export const tagOfPost = (id: string) => `post:${id}`
/** For pages that only link to a post. */
export const tagOfLink = (id: string) => `link:${id}`
export const tagOfUser = (id: string) => `user:${id}`

/** Versions by tag; 0 for a tag without rows. */
export type TagVersions = ReadonlyMap<string, number>

export type ReadTagVersions = (tags: readonly string[]) => Promise<TagVersions>

/**
 * Reads the versions of these tags, and maybe of others, as committed at some time after the call.
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
