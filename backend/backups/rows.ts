// What copies and the doctor read of the tables, the same on both databases and on the tables of
// older programs: columns of the first migration, or of one that it asks for.
import type { Row, Side } from './side.ts'

/** Bytes that a row names; `md5` is empty where the row has none. */
export type NamedBytes = { name: string; md5: string }

/** Bytes of complete files, and chunks of unfinished uploads. */
export async function findBytes({ ask }: Side): Promise<Record<'files' | 'uploads', NamedBytes[]>> {
  const read = (rows: Row[]): NamedBytes[] =>
    rows.map((row) => ({ name: String(row.storedName), md5: String(row.signature ?? '') }))
  return {
    files: read(await ask(`select "storedName", "signature" from "file" where "isComplete" = 1`)),
    uploads: read(await ask(`select "storedName" from "fileChunk"`)),
  }
}

/** Whether a row names these bytes. */
export async function hasName({ ask }: Side, name: string): Promise<boolean> {
  const rows = await ask(
    `select 1 as "one" from "file" where "storedName" = $1 and "isComplete" = 1
     union all select 1 from "fileChunk" where "storedName" = $2`,
    [name, name],
  )
  return rows.length > 0
}

export async function countRows({ ask }: Side, tables: readonly string[]) {
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const [row] = await ask(`select count(*) as "n" from "${table.replaceAll('"', '""')}"`)
    counts[table] = Number(row?.n)
  }
  return counts
}

/** Names of the migrations that the database has had; none when it is empty. */
export async function findMigrations({ ask, tables }: Side): Promise<string[]> {
  if (!(await tables()).includes('kysely_migration')) return []
  const rows = await ask(`select "name" from "kysely_migration" order by "name"`)
  return rows.map((row) => String(row.name))
}

/** Posts that count other likes than they have, in a database that counts them. */
export async function findMiscounted({ ask }: Side): Promise<string[]> {
  const rows = await ask(
    `select "id" from "post" left join
       (select "postId", count(*) as "total" from "postLike" group by "postId") as "counted"
       on "postId" = "id" where "likes" <> coalesce("total", 0) order by "seq"`,
  )
  return rows.map((row) => String(row.id))
}
