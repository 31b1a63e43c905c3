// Dialect differences: everything that SQLite and PostgreSQL need written differently, so that no
// store asks which database it runs on (decision 0003), and statements that are compiled once.
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
 * Text that compares and sorts by code point. SQLite does so anyway, PostgreSQL in the language
 * that the database was made for.
 */
export function byCodePoint(db: AnyDatabase, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return isShared(db) ? sql`(${text} collate "C")` : text
}

/** Whether the text contains the needle, letter for letter. LIKE would need escaping. */
export function containsText(db: AnyDatabase, text: RawBuilder<unknown>, needle: string) {
  return sql<SqlBool>`${sql.raw(isShared(db) ? 'strpos' : 'instr')}(${text}, ${needle}) > 0`
}

/** As {@link containsText}, but A to Z are the same as a to z; other letters keep their case. */
export function containsTextIgnoringCase(
  db: AnyDatabase,
  text: RawBuilder<unknown>,
  needle: string,
): RawBuilder<SqlBool> {
  // SQLite folds ASCII only; so does PostgreSQL's lower() under the collation "C".
  const folded = sql`lower(${byCodePoint(db, text)})`
  const small = needle.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return containsText(db, folded, small)
}

/**
 * A table whose rows are found in this index and no other, where the database can be told so;
 * PostgreSQL knows by its statistics.
 */
export function usingIndex(db: AnyDatabase, table: string, index: string): RawBuilder<unknown> {
  return isShared(db) ? sql.table(table) : sql`${sql.table(table)} indexed by ${sql.id(index)}`
}

/** A table whose rows are found by their `seq`, where the database can be told so. */
export function usingPrimaryKey(db: AnyDatabase, table: string): RawBuilder<unknown> {
  return isShared(db) ? sql.table(table) : sql`${sql.table(table)} not indexed`
}

/**
 * A part of a `union all` that is put into order as a whole, of which so many rows are enough.
 * SQLite merges the parts along their indexes; PostgreSQL does so if each is in order by itself.
 */
export function unionPart(
  db: AnyDatabase,
  select: RawBuilder<unknown>,
  { orderBy, limit }: { orderBy: RawBuilder<unknown>; limit: number },
): RawBuilder<unknown> {
  return isShared(db) ? sql`(${select} order by ${orderBy} limit ${limit})` : select
}

/** Some numbers as one parameter, so that the statement is the same for any number of them. */
export function isOneOfNumbers(db: AnyDatabase, value: RawBuilder<unknown>, numbers: unknown) {
  return isShared(db)
    ? sql<SqlBool>`${value} = any(${numbers}::bigint[])`
    : sql<SqlBool>`${value} in (select value from json_each(${numbers}))`
}

/** Some texts as one parameter: a table `name` with the column `value`. */
export function textsTable(db: AnyDatabase, texts: unknown, name: string): RawBuilder<unknown> {
  return isShared(db)
    ? sql`unnest(${texts}::text[]) as ${sql.id(name)} (value)`
    : sql`json_each(${texts}) as ${sql.id(name)}`
}

/** Whether a column holds one of these texts, which are one parameter, however many they are. */
export function isOneOfTexts(db: AnyDatabase, column: string, texts: unknown): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from ${textsTable(db, texts, 'asked')})`
}

/** The parameter of {@link isOneOfNumbers}, {@link textsTable} and {@link isOneOfTexts}. */
export function listParameter(db: AnyDatabase, list: readonly (number | string)[]): unknown {
  return isShared(db) ? list : JSON.stringify(list)
}

/**
 * Locks the selected rows until the transaction ends; others can still insert rows that refer to
 * them by foreign key. SQLite has one writer at a time anyway.
 *
 * @param how `forKeyShare` only keeps the rows from being deleted
 */
export function withRowLock<Tables, Table extends keyof Tables, Row>(
  db: AnyDatabase,
  query: SelectQueryBuilder<Tables, Table, Row>,
  how: 'forNoKeyUpdate' | 'forKeyShare' = 'forNoKeyUpdate',
): SelectQueryBuilder<Tables, Table, Row> {
  return isShared(db) ? query[how]() : query
}

/** The texts of rows that come in the order of `by` as a JSON list; without rows an empty one. */
export function jsonList(db: AnyDatabase, text: RawBuilder<unknown>, by: RawBuilder<unknown>) {
  return isShared(db)
    ? sql<string>`coalesce(json_agg(${text} order by ${by})::text, '[]')`
    : // In the order of the rows, which costs a third of sorting them again.
      sql<string>`json_group_array(${text})`
}

/** Values as one JSON list; PostgreSQL has the standard's name for it since 16 only. */
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
 * @param build is called once for each database's language, each set of names in `values` and each
 *   shape: it may hand the values on to Kysely as parameters, and must not look at them
 * @returns the statement; its `shape` holds what it is built by, as JSON, of which there are few
 */
export function prepared<Values extends object, Row, Shape = undefined>(
  build: (db: Database, values: Values, shape: Shape) => Compilable<Row>,
): (
  db: Database,
  values: Values,
  ...shape: Shape extends undefined ? [] : [shape: Shape]
) => Promise<QueryResult<Row>> {
  const known = new Map<string, CompiledQuery<Row>>()
  return (db, values, ...[shape]) => {
    const names = Object.keys(values)
    const key = `${isShared(db)} ${names.join(' ')} ${JSON.stringify(shape)}`
    let query = known.get(key)
    if (!query) {
      const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)]))
      query = build(db, placeholders as Values, shape as Shape).compile()
      known.set(key, query)
    }
    const given = values as Record<string, unknown>
    const parameters = query.parameters.map((one) =>
      one instanceof Placeholder ? given[one.name] : one,
    )
    return (straight.get(db) ?? db).executeQuery({ ...query, parameters })
  }
}

const straight = new WeakMap<Database, DatabaseConnection>()

/**
 * On SQLite the compiled statements of this transaction go straight to its connection from now on:
 * the layers of Kysely between cost more than most statements.
 */
export async function useWriterConnection(tx: Database): Promise<void> {
  if (isShared(tx)) return
  straight.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
}

/**
 * In front of a statement that SQLite runs at the end of the transaction that it shares with others
 * (sqlite-write-queue.ts), and that fails there only as the commit does.
 */
export const RUN_AT_COMMIT = '/* at commit */ '

/** SQL in its own words, for {@link prepared}. */
export function rawQuery<Row>(db: Database, raw: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => raw.compile(db) }
}
