// The connection of SQLite that writes: transactions, and statements by themselves, in their turns
// (sqlite-groups.ts).
import type SqliteFile from 'better-sqlite3'
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type GroupLimits, makeGroups, type OnFatal, type Turn } from './sqlite-groups.ts'
import type { LogSync } from './sqlite-log-sync.ts'

const STATEMENTS_MAX = 500

type Prepare = (sql: string) => SqliteFile.Statement

export function makePrepare(file: SqliteFile.Database): Prepare {
  const statements = new LRUCache<string, SqliteFile.Statement>({ max: STATEMENTS_MAX })
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const made = file.prepare(sql)
    statements.set(sql, made)
    return made
  }
}

export function runStatement<Row>(
  statement: SqliteFile.Statement,
  parameters: readonly unknown[],
): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(parameters as unknown[]) as Row[] }
  const { changes, lastInsertRowid } = statement.run(parameters as unknown[])
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

export type SqliteTransaction = {
  run<Row>(query: CompiledQuery): QueryResult<Row>
  /** Lets the next one begin. Resolves once the transaction is durable. */
  commit(): Promise<void>
  /**
   * Lets the next one begin. Resolves once what it may have seen of others, such as a taken id, is
   * there for every reader. Nothing after a commit.
   */
  rollback(): Promise<void>
}

export type SqliteWriter = {
  begin(): Promise<SqliteTransaction>
  /** One statement by itself. */
  runAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>>
  /** @throws DatabaseAway after a failed write */
  refuseAfterFailure(): void
  close(): Promise<void>
}

export type WriterNeeds = GroupLimits & { onFatal: OnFatal }

export function makeSqliteWriter(
  files: { file: SqliteFile.Database; log: LogSync },
  needs: WriterNeeds,
): SqliteWriter {
  const groups = makeGroups({ ...files, ...needs })
  const prepare = makePrepare(files.file)
  return {
    refuseAfterFailure: groups.refuseAfterFailure,
    close: groups.close,
    async begin() {
      return beginInside(await groups.enter(), prepare)
    },
    async runAlone<Row>({ sql, parameters }: CompiledQuery) {
      const turn = await groups.enter()
      let result: QueryResult<Row>
      try {
        result = turn.write(() => runStatement<Row>(prepare(sql), parameters))
      } catch (error) {
        await turn.leave({ isKept: false }).catch(() => {})
        throw error
      }
      await turn.leave({ isKept: true })
      return result
    },
  }
}

/** A transaction of ours is a savepoint for SQLite. */
function beginInside(turn: Turn, prepare: Prepare): SqliteTransaction {
  let isOpen = true
  function end(isKept: boolean): Promise<void> {
    isOpen = false
    return turn.leave({ isKept })
  }
  try {
    turn.write(() => prepare('savepoint one').run())
  } catch (error) {
    void end(false)
    throw error
  }
  return {
    run: ({ sql, parameters }) => turn.write(() => runStatement(prepare(sql), parameters)),
    async commit() {
      turn.write(() => prepare('release one').run())
      await end(true)
    },
    async rollback() {
      if (!isOpen) return
      try {
        turn.write(() => prepare('rollback to one').run())
        turn.write(() => prepare('release one').run())
      } catch (error) {
        turn.abandon(error)
      }
      await end(false).catch(() => {})
    },
  }
}
