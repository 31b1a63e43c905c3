// Makes a blog of any size out of one with one post: copies of its rows, made by the database. No
// word of the copies is in the index of the search, and no search is measured in them.
import { join } from 'node:path'
import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import type { Place } from './blog.ts'

/** Authors and tags in use: each has its share of the posts, a full page of a thousand. */
export const GROUPS = 40
export const postId = (at: number) => `post-${at}`
export const authorId = (at: number) => `author-${at % GROUPS}`
export const tagName = (at: number) => `tag${at % GROUPS}`

type Store = {
  columns(table: string): Promise<string[]>
  run(...statements: string[]): Promise<void>
  /** Statements that put the triggers out of the way, and back; the last ones count the rows. */
  before: string[]
  after: string[]
  close(): Promise<unknown>
}

/** @param posts how many there are afterwards, the first one of them included */
export async function fill({ dataDir, databaseUrl }: Place, posts: number): Promise<void> {
  const isPostgres = databaseUrl !== undefined
  const store = isPostgres ? await openPostgres(databaseUrl) : openSqlite(dataDir)
  const group = `(n.i % ${GROUPS})`
  const time = isPostgres
    ? `to_char(timestamp '2020-01-01' + n.i * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : `strftime('%Y-%m-%dT%H:%M:%fZ', '2020-01-01', '+' || n.i || ' minutes')`
  const by = {
    userId: `'author-' || ${group}`,
    createdAt: time,
    updatedAt: time,
    publishedAt: time,
  }
  const id = `'post-' || n.i`
  const email = `'author-' || ${group} || '@copies.test'`
  const tag = `'tag' || ${group}`
  await store.run(...store.before)
  for (const [table, count, values] of [
    ['user', GROUPS, { id: by.userId, email }],
    ['post', posts - 1, { ...by, id, title: `one.title || ' ' || n.i` }],
    ['postText', posts - 1, { postId: id }],
    ['postTag', posts - 1, { ...by, postSeq: 'n.i + 1', name: tag, key: tag }],
  ] as [string, number, Record<string, string>][]) {
    const names = (await store.columns(table)).filter((name) => name !== 'seq')
    const copied = names.map((name) => values[name] ?? `one."${name}"`).join(', ')
    const numbers = isPostgres
      ? `generate_series(1, ${count}) as n(i)`
      : `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n) as n`
    await store.run(
      `create temp table one as select * from "${table}" limit 1`,
      `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')})
        select ${copied} from ${numbers} cross join one`,
      'drop table one',
    )
  }
  await store.run(...store.after)
  await store.close()
}

function openSqlite(dataDir: string): Store {
  const file = new SqliteFile(join(dataDir, 'blog.sqlite'))
  // A bench that is cut off begins anew. No log of gigabytes is left to the disk.
  file.pragma('journal_mode = off')
  file.pragma('cache_size = -400000')
  const triggers = file
    .prepare(
      `select name, sql from sqlite_master where type = 'trigger'
        and tbl_name in ('user', 'post', 'postText', 'postTag')`,
    )
    .all() as { name: string; sql: string }[]
  return {
    columns: async (table) =>
      (file.pragma(`table_info("${table}")`) as { name: string }[]).map(({ name }) => name),
    run: async (...statements) => statements.forEach((statement) => void file.exec(statement)),
    before: triggers.map(({ name }) => `drop trigger "${name}"`),
    after: [...triggers.map(({ sql }) => sql), 'analyze'],
    close: async () => file.close(),
  }
}

async function openPostgres(connectionString: string): Promise<Store> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return {
    columns: async (table) =>
      (await client.query(`select * from "${table}" limit 0`)).fields.map(({ name }) => name),
    async run(...statements) {
      for (const statement of statements) await client.query(statement)
    },
    before: ['set synchronous_commit = off', 'set session_replication_role = replica'],
    after: ['set session_replication_role = default', 'vacuum analyze', 'checkpoint'],
    close: () => client.end(),
  }
}
