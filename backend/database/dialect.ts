// Dialect differences: all SQL that differs between SQLite and PostgreSQL, so that no store checks
// which database it uses (decision 0003), and prepared statements.
// Error codes are in database-errors.ts, the SQLite driver in sqlite-dialect.ts.
import {
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  PostgresAdapter,
  type QueryResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Database } from './schema.ts'

export type AnyDatabase = Pick<Kysely<unknown>, 'getExecutor'>

/** Whether several processes may share the database: it is PostgreSQL. */
export function isShared(db: AnyDatabase): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/**
 * Text that compares and sorts by code point. SQLite does so anyway; PostgreSQL uses the language
 * of the database by default.
 */
export function byCodePoint(db: AnyDatabase, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return isShared(db) ? sql`(${text} collate "C")` : text
}

/** Whether the text contains the needle, letter for letter. LIKE would need escaping. */
export function containsText(db: AnyDatabase, text: RawBuilder<unknown>, needle: string) {
  return sql<SqlBool>`${sql.raw(isShared(db) ? 'strpos' : 'instr')}(${text}, ${needle}) > 0`
}

/** As {@link containsText}, but ignores the case of A to Z, and only of these letters. */
export function containsTextIgnoringCase(
  db: AnyDatabase,
  text: RawBuilder<unknown>,
  needle: string,
): RawBuilder<SqlBool> {
  // SQLite folds ASCII only; so does PostgreSQL's lower() under the collation "C".
  const folded = sql`lower(${byCodePoint(db, text)})`
  const lowerCaseNeedle = needle.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return containsText(db, folded, lowerCaseNeedle)
}

/**
 * A table that SQLite must read by this index. PostgreSQL chooses by its statistics.
 */
export function usingIndex(db: AnyDatabase, table: string, index: string): RawBuilder<unknown> {
  return isShared(db) ? sql.table(table) : sql`${sql.table(table)} indexed by ${sql.id(index)}`
}

/** A table that SQLite must read by its primary key `seq`. */
export function usingPrimaryKey(db: AnyDatabase, table: string): RawBuilder<unknown> {
  return isShared(db) ? sql.table(table) : sql`${sql.table(table)} not indexed`
}

/**
 * A part of a sorted `union all`, of which at most `limit` rows are needed. SQLite merges the parts
 * along their indexes; PostgreSQL does so if each part is sorted.
 */
export function unionPart(
  db: AnyDatabase,
  select: RawBuilder<unknown>,
  { orderBy, limit }: { orderBy: RawBuilder<unknown>; limit: number },
): RawBuilder<unknown> {
  return isShared(db) ? sql`(${select} order by ${orderBy} limit ${limit})` : select
}

/** Whether a value is in a list of numbers, which is one parameter of any length. */
export function isOneOfNumbers(db: AnyDatabase, value: RawBuilder<unknown>, numbers: unknown) {
  return isShared(db)
    ? sql<SqlBool>`${value} = any(${numbers}::bigint[])`
    : sql<SqlBool>`${value} in (select value from json_each(${numbers}))`
}

/** A list of texts, which is one parameter, as a table `name` with the column `value`. */
export function textsTable(db: AnyDatabase, texts: unknown, name: string): RawBuilder<unknown> {
  return isShared(db)
    ? sql`unnest(${texts}::text[]) as ${sql.id(name)} (value)`
    : sql`json_each(${texts}) as ${sql.id(name)}`
}

/** Whether a column is in a list of texts, which is one parameter of any length. */
export function isOneOfTexts(db: AnyDatabase, column: string, texts: unknown): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from ${textsTable(db, texts, 'texts')})`
}

/** The parameter of {@link isOneOfNumbers}, {@link textsTable} and {@link isOneOfTexts}. */
export function listParameter(db: AnyDatabase, list: readonly (number | string)[]): unknown {
  return isShared(db) ? list : JSON.stringify(list)
}

/**
 * Locks the selected rows until the transaction ends; others can still insert rows that refer to
 * them by foreign key. SQLite has one writer at a time anyway.
 *
 * @param mode `forKeyShare` only prevents the rows from being deleted
 */
export function withRowLock<Tables, Table extends keyof Tables, Row>(
  db: AnyDatabase,
  query: SelectQueryBuilder<Tables, Table, Row>,
  mode: 'forNoKeyUpdate' | 'forKeyShare' = 'forNoKeyUpdate',
): SelectQueryBuilder<Tables, Table, Row> {
  return isShared(db) ? query[mode]() : query
}

/** The texts of rows, which must be sorted by `by`, as a JSON list; empty without rows. */
export function jsonList(db: AnyDatabase, text: RawBuilder<unknown>, by: RawBuilder<unknown>) {
  return isShared(db)
    ? sql<string>`coalesce(json_agg(${text} order by ${by})::text, '[]')`
    : // In the order of the rows, which costs a third of sorting them again.
      sql<string>`json_group_array(${text})`
}

/** Values as one JSON list; PostgreSQL has `json_array` only since version 16. */
export function jsonArray(db: AnyDatabase, ...values: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql`${sql.raw(isShared(db) ? 'json_build_array' : 'json_array')}(${sql.join(values)})`
}

/** Stands for a value while a statement is built. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that Kysely compiles only once.
 *
 * @param build is called once for each dialect, set of names in `values`, and shape: it may only
 *   pass the values to Kysely as parameters
 * @returns a function that runs the statement; `shape`, compared as JSON, selects one of few
 *   variants
 */
export function prepared<Values extends object, Row, Shape = undefined>(
  build: (db: Database, values: Values, shape: Shape) => Compilable<Row>,
): (
  db: Database,
  values: Values,
  ...shape: Shape extends undefined ? [] : [shape: Shape]
) => Promise<QueryResult<Row>> {
  const compiled = new Map<string, CompiledQuery<Row>>()
  return (db, values, ...[shape]) => {
    const names = Object.keys(values)
    const key = `${isShared(db)} ${names.join(' ')} ${JSON.stringify(shape)}`
    let query = compiled.get(key)
    if (!query) {
      const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]))
      query = build(db, placeholders as Values, shape as Shape).compile()
      compiled.set(key, query)
    }
    const parameterValues = values as Record<string, unknown>
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? parameterValues[parameter.name] : parameter,
    )
    return (writerConnections.get(db) ?? db).executeQuery({ ...query, parameters })
  }
}

const writerConnections = new WeakMap<Database, DatabaseConnection>()

/**
 * On SQLite, lets the prepared statements of this transaction use its connection directly: the
 * layers of Kysely cost more than most statements.
 */
export async function useWriterConnection(tx: Database): Promise<void> {
  if (isShared(tx)) return
  writerConnections.set(
    tx,
    await tx.getExecutor().provideConnection(async (connection) => connection),
  )
}

/**
 * Prefix of a statement that SQLite runs at the end of the shared transaction
 * (sqlite-write-queue.ts). It must not fail unless the commit would fail, too.
 */
export const RUN_AT_COMMIT = '/* at commit */ '

/** Raw SQL for {@link prepared}. */
export function rawQuery<Row>(db: Database, raw: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => raw.compile(db) }
}
