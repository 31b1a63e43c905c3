// PostgreSQL for backups: reads a database at one moment that pg_dump can share.
import type { Ask } from './rows-store.ts'

/** `snapshot` names the moment for pg_dump; `major` is the server's version. */
export type PostgresReader = AsyncDisposable & {
  ask: Ask
  tables(): Promise<string[]>
  snapshot: string
  major: number
}

const CONNECT_TIMEOUT_MS = 10_000

/** @throws Error when the database cannot be reached */
export async function openPostgresReader(
  url: string,
  { isSnapshot }: { isSnapshot: boolean },
): Promise<PostgresReader> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // A connection that breaks is told of by the query that needed it.
  client.on('error', () => {})
  await client.connect()
  const ask: Ask = async (sql) => (await client.query(sql)).rows
  try {
    // The moment has to last as long as pg_dump needs.
    await ask('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
    const [version] = await ask('show server_version_num')
    let snapshot = ''
    if (isSnapshot) {
      await ask('begin isolation level repeatable read read only')
      const [row] = await ask('select pg_export_snapshot() as "snapshot"')
      snapshot = String(row?.snapshot)
    }
    return {
      ask,
      snapshot,
      major: Math.trunc(Number(version?.server_version_num) / 10_000),
      tables: async () => {
        const rows = await ask(
          `select tablename from pg_tables where schemaname = current_schema() order by tablename`,
        )
        return rows.map(({ tablename }) => String(tablename))
      },
      [Symbol.asyncDispose]: () => client.end(),
    }
  } catch (error) {
    await client.end()
    throw error
  }
}

/** `clockMs` is the server's own clock, as if it had been asked at the moment of the answer. */
export async function readServer({
  ask,
}: PostgresReader): Promise<{ name: string; clockMs: number }> {
  const askedMs = performance.now()
  const [row] = await ask(
    `select current_setting('server_version') as "version",
       extract(epoch from clock_timestamp()) * 1000 as "ms"`,
  )
  const travelMs = (performance.now() - askedMs) / 2
  return { name: `PostgreSQL ${row?.version}`, clockMs: Number(row?.ms) + travelMs }
}

/** Reads every row of every table. @returns a line for each table that cannot be read */
export async function findUnreadable({ ask, tables }: PostgresReader): Promise<string[]> {
  const lines: string[] = []
  for (const table of await tables()) {
    const name = table.replaceAll('"', '""')
    try {
      await ask(`select sum(length(row::text)) from "${name}" as row`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      lines.push(`the table "${table}" is damaged (${reason})`)
    }
  }
  return lines
}
