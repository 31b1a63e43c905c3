// What a backup reads of the tables, the same on both databases and on the tables of older
// programs: columns of the first migration, or of one that it asks for.

/** Asks the database and gives the rows. */
export type Ask = (sql: string) => Promise<Record<string, unknown>[]>

/** Bytes that a row names; `md5` is empty where the row has none. */
export type NamedBytes = { name: string; md5: string }

/** Bytes of complete files. */
export async function findFileBytes(ask: Ask): Promise<NamedBytes[]> {
  const rows = await ask(`select "storedName", "signature" from "file" where "isComplete" = 1`)
  return rows.map((row) => ({ name: String(row.storedName), md5: String(row.signature) }))
}

/** Chunks of unfinished uploads. */
export async function findChunkBytes(ask: Ask): Promise<NamedBytes[]> {
  const rows = await ask(`select "storedName" from "fileChunk"`)
  return rows.map((row) => ({ name: String(row.storedName), md5: '' }))
}

/** Whether a row names these bytes. `name` is one that the server made. */
export async function hasName(ask: Ask, name: string): Promise<boolean> {
  if (!/^[\w-]+$/.test(name)) return false
  const rows = await ask(
    `select 1 from "file" where "storedName" = '${name}' and "isComplete" = 1
     union all select 1 from "fileChunk" where "storedName" = '${name}'`,
  )
  return rows.length > 0
}

export async function countRows(ask: Ask, tables: string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await ask(`select count(*) as "n" from "${table.replaceAll('"', '""')}"`)
    counts[table] = Number(row?.n)
  }
  return counts
}

/** Names of the migrations that the database has had; none when it is empty. */
export async function findMigrations(ask: Ask, tables: string[]): Promise<string[]> {
  if (!tables.includes('kysely_migration')) return []
  const rows = await ask(`select "name" from "kysely_migration" order by "name"`)
  return rows.map((row) => String(row.name))
}

/** Posts that count other likes than they have; none while the database counts none. */
export async function findMiscounted(ask: Ask, migrations: string[]): Promise<string[]> {
  if (!migrations.includes('0019-likes')) return []
  const rows = await ask(
    `select "id" from "post" left join
       (select "postId", count(*) as "total" from "postLike" group by "postId") as "counted"
       on "postId" = "id" where "likes" <> coalesce("total", 0) order by "seq"`,
  )
  return rows.map((row) => String(row.id))
}

/** The newest time that the blog has written; 0 when it has written nothing. */
export async function findNewestMs(ask: Ask): Promise<number> {
  const [row] = await ask(
    `select max("at") as "at" from (
       select max("createdAt") as "at" from "user"
       union all select max("lastUsedAt") from "session"
       union all select max("updatedAt") from "post"
     ) as "times"`,
  )
  return row?.at ? Date.parse(String(row.at)) : 0
}
