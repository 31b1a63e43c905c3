// Cache tags (migrations/0101-cache-tags.ts, decision 0082): what is made for readers is as it was
// while each tag of what it shows has the same version.
import { sql } from 'kysely'
import { among, listParameter, prepared, rawIn } from './dialect.ts'
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
 * call. One query answers all calls that came before it began.
 *
 * @throws Refusal `general_service_disabled` while the database is away
 */
export function makeReadTagVersions(db: Database): ReadTagVersions {
  let next: { tags: Set<string>; versions: Promise<TagVersions> } | undefined
  let running: Promise<unknown> = Promise.resolve()
  return (tags) => {
    if (!next) {
      const asked = new Set<string>()
      next = { tags: asked, versions: begin(asked) }
    }
    for (const tag of tags) next.tags.add(tag)
    return next.versions
  }
  async function begin(tags: Set<string>): Promise<TagVersions> {
    await running
    await new Promise(setImmediate)
    next = undefined
    const reading = read(db, { tags: listParameter(db, [...tags]) })
    running = reading.catch(() => undefined)
    const versions = new Map([...tags].map((tag) => [tag, 0]))
    for (const { name, version } of (await reading).rows) versions.set(name, Number(version))
    return versions
  }
}

const read = prepared((db, { tags }: { tags: unknown }) =>
  rawIn<{ name: string; version: number }>(
    db,
    sql`select name, sum(version) as version from ${sql.table('cacheTag')}
      where ${among(db, 'name', tags)} group by name`,
  ),
)
