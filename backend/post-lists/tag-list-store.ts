// SQL of the tags in use (table `postTag`).
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readers } from '#contract/permissions.ts'
import type { Database } from '../database/schema.ts'
import { isBlocked } from '../database/visible-posts.ts'

/** Keys with this prefix, in order. Each is one index look-up, however many posts it has. */
export async function findKeysWithPrefix(
  db: Database,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const key = sql.ref('postTag.key')
  const last = `${prefix}\u{10ffff}`
  const { rows } = await sql<{ key: string }>`
    with recursive found(key) as (
      select (select min(${key}) from ${sql.table('postTag')} where ${key} >= ${prefix} and ${key} < ${last})
      union all
      select (select min(${key}) from ${sql.table('postTag')} where ${key} > found.key and ${key} < ${last})
      from found where found.key is not null
    )
    select key from found where key is not null limit ${limit}`.execute(db)
  return rows.map((row) => row.key)
}

/**
 * The most frequent keys among the newest tags.
 *
 * @param options reads up to `among` tags, and counts up to `visible` of them that readers can see
 */
export async function findMostUsed(
  db: Database,
  readers: readonly Readers[],
  { among, visible, limit }: { among: number; visible: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select shown.key from (
      select ${sql.ref('postTag.key')} from (
        select * from ${sql.table('postTag')} order by ${sql.ref('postSeq')} desc limit ${among}
      ) as ${sql.ref('postTag')}
      where ${isVisibleTo(readers)} order by ${sql.ref('postTag.postSeq')} desc limit ${visible}
    ) as shown
    group by shown.key order by count(*) desc, shown.key limit ${limit}`.execute(db)
  return rows.map((row) => row.key)
}

export type UsedTag = { key: string; name: string; posts: number }

/**
 * A tag as its newest post writes it, and the number of its posts up to `countLimit`; undefined if
 * there is none. The index of tags includes their readers, so no other posts are read.
 */
export async function findTagUse(
  db: Database,
  readers: readonly Readers[],
  { key, countLimit }: { key: string; countLimit: number },
): Promise<UsedTag | undefined> {
  const tag = sql.table('postTag')
  const name = sql.ref('name')
  const seq = sql.ref('postSeq')
  const time = sql.ref('createdAt')
  const newestByGroup = readers.map(
    (group) => sql`select ${name}, ${seq}, ${time} from (
      select * from ${tag} where ${sql.ref('key')} = ${key} and ${isVisibleTo([group])}
        order by ${time} desc, ${seq} limit 1) as newest`,
  )
  const { rows } = await sql<{ name: string | null; posts: number }>`
    select (select ${name} from (${sql.join(newestByGroup, sql` union all `)}) as seen
        order by ${time} desc, ${seq} limit 1) as name,
      (select count(*) from (select 1 as one from ${tag}
        where ${sql.ref('key')} = ${key} and ${isVisibleTo(readers)} limit ${countLimit}) as found) as posts`.execute(
    db,
  )
  const [row] = rows
  return row && row.name !== null ? { key, name: row.name, posts: Number(row.posts) } : undefined
}

function isVisibleTo(readers: readonly Readers[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref('postTag.shown')} in (${sql.join(readers)})
    and not ${isBlocked('postTag')})`
}
