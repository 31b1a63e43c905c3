// Runs the SQL of the staging file (staging-store.ts).
import type SqliteFile from 'better-sqlite3'

export type Runner = ReturnType<typeof makeRunner>

/** Runs a statement; each is prepared once. */
export function makeRunner(file: SqliteFile.Database) {
  const statements = new Map<string, SqliteFile.Statement>()
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? file.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const run = (sql: string, ...values: unknown[]): number => prepare(sql).run(...values).changes
  run.all = <Row>(sql: string, ...values: unknown[]): Row[] => prepare(sql).all(...values) as Row[]
  run.count = (sql: string, ...values: unknown[]): number =>
    Number((prepare(sql).get(...values) as { total: number | null }).total ?? 0)
  return run
}
