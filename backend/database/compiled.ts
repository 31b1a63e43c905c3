// Statements of busy calls, built and compiled once instead of for each call: building one with
// Kysely costs more than SQLite takes to run it.
import type { Compilable, CompiledQuery, DatabaseConnection, QueryResult, RawBuilder } from 'kysely'
import { isShared } from './dialect.ts'
import type { Database } from './schema.ts'

/** Stands for a value while a statement is built. */
class Place {
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
export function compiledOnce<Values extends object, Row, Shape = undefined>(
  build: (db: Database, values: Values, shape: Shape) => Compilable<Row>,
): (
  db: Database,
  values: Values,
  ...shape: Shape extends undefined ? [] : [shape: Shape]
) => Promise<QueryResult<Row>> {
  const [onPostgres, onSqlite] = [new Map<string, CompiledQuery<Row>>(), new Map()]
  return (db, values, ...[shape]) => {
    const names = Object.keys(values)
    const known: typeof onPostgres = isShared(db) ? onPostgres : onSqlite
    const key = names.join(' ') + (shape === undefined ? '' : JSON.stringify(shape))
    let query = known.get(key)
    if (!query) {
      const places = Object.fromEntries(names.map((name) => [name, new Place(name)]))
      query = build(db, places as Values, shape as Shape).compile()
      known.set(key, query)
    }
    const given = values as Record<string, unknown>
    const parameters = query.parameters.map((one) => (one instanceof Place ? given[one.name] : one))
    return (straight.get(db) ?? db).executeQuery({ ...query, parameters })
  }
}

const straight = new WeakMap<Database, DatabaseConnection>()

/**
 * On SQLite the compiled statements of this transaction go straight to its connection from now on:
 * the layers of Kysely between cost more than most statements.
 */
export async function goStraight(tx: Database): Promise<void> {
  if (isShared(tx)) return
  straight.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
}

/** SQL in its own words, for {@link compiledOnce}. */
export function rawIn<Row>(db: Database, raw: RawBuilder<Row>): Compilable<Row> {
  return { compile: () => raw.compile(db) }
}
