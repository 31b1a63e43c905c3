// What the doctor reads of a database.
import { countRows, findBytes, findMigrations, findMiscounted } from '../backups/blog-data.ts'
import type { Side } from '../backups/side.ts'

/** `clockMs` is PostgreSQL's own clock, as if it had been asked at the moment of the answer. */
export async function readServer({ major, ask }: Side) {
  const askedMs = performance.now()
  const [row] = await ask(
    major === 0
      ? 'select sqlite_version() as "version"'
      : `select current_setting('server_version') as "version",
           extract(epoch from clock_timestamp()) * 1000 as "ms"`,
  )
  const travelMs = (performance.now() - askedMs) / 2
  const server = `${major === 0 ? 'SQLite' : 'PostgreSQL'} ${row?.version}`
  return { server, clockMs: major === 0 ? undefined : Number(row?.ms) + travelMs }
}

export async function readAll(side: Side, clockMs: number | undefined) {
  const migrations = await findMigrations(side)
  const [newest] = await side.ask(
    `select max("at") as "at" from (
       select max("createdAt") as "at" from "user"
       union all select max("lastUsedAt") from "session"
       union all select max("updatedAt") from "post"
     ) as "times"`,
  )
  return {
    ...{ clockMs, migrations, ...(await findBytes(side)) },
    rows: await countRows(side, await side.tables()),
    miscounted: migrations.includes('0019-likes') ? await findMiscounted(side) : [],
    newestMs: newest?.at ? Date.parse(String(newest.at)) : 0,
  }
}
