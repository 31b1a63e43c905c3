// Dialect differences: everything that SQLite and PostgreSQL need written differently, so that no
// store asks which database it runs on (decision 0003). Error codes are in faults.ts, the SQLite
// driver in sqlite-dialect.ts.
import {
  type CreateTableBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'

type AnyDatabase = Pick<Kysely<unknown>, 'getExecutor'>

function isPostgres(db: AnyDatabase): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** Adds `seq`, the primary key, counting up and never reused. */
export function withSequence<Name extends string>(
  db: Kysely<unknown>,
  table: CreateTableBuilder<Name>,
): CreateTableBuilder<Name, 'seq'> {
  return isPostgres(db)
    ? table.addColumn('seq', 'bigint', (c) => c.generatedAlwaysAsIdentity().primaryKey())
    : table.addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
}

/** The type of a column of bytes. */
export function bytesType(db: AnyDatabase): RawBuilder<unknown> {
  return isPostgres(db) ? sql`bytea` : sql`blob`
}

/**
 * Text that compares and sorts by code point. SQLite does so anyway, PostgreSQL in the language
 * that the database was made for.
 */
export function byCodePoint(db: AnyDatabase, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return isPostgres(db) ? sql`(${text} collate "C")` : text
}

/** Whether the text contains the needle, letter for letter. LIKE would need escaping. */
export function containsText(
  db: AnyDatabase,
  text: RawBuilder<unknown>,
  needle: string,
): RawBuilder<SqlBool> {
  return isPostgres(db) ? sql`strpos(${text}, ${needle}) > 0` : sql`instr(${text}, ${needle}) > 0`
}

/** As {@link containsText}, but A to Z are the same as a to z; other letters keep their case. */
export function containsTextIgnoringCase(
  db: AnyDatabase,
  text: RawBuilder<unknown>,
  needle: string,
): RawBuilder<SqlBool> {
  // SQLite folds ASCII only; so does PostgreSQL's lower() under the collation "C".
  const folded = sql`lower(${byCodePoint(db, text)})`
  return containsText(
    db,
    folded,
    needle.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  )
}

/**
 * Locks the selected rows until the transaction ends; others can still insert rows that refer to
 * them by foreign key. SQLite has one writer at a time anyway.
 */
export function locked<Tables, Table extends keyof Tables, Row>(
  db: AnyDatabase,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return isPostgres(db) ? query.forNoKeyUpdate() : query
}

/**
 * Keeps the selected rows from being deleted until the transaction ends, and waits for deletions
 * that have begun.
 */
export function lockedAsReference<Tables, Table extends keyof Tables, Row>(
  db: AnyDatabase,
  query: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return isPostgres(db) ? query.forKeyShare() : query
}
