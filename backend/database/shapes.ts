// Statements that are asked again and again, built and written as SQL once for each shape: that
// costs more than SQLite takes to answer most of them. What differs from call to call is a slot.
import type { CompiledQuery } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from './schema.ts'

const SHAPES_MAX = 200

/** Stands in a statement for a value that comes with each call. */
export class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const shapes = new WeakMap<Database, LRUCache<string, CompiledQuery>>()

/**
 * Runs the statement of a shape.
 *
 * @param shape `key` names all that `build` is made by; `values` are those of its slots
 */
export async function runShape<Row>(
  db: Database,
  shape: { key: string; build: () => { compile(): CompiledQuery<Row> } },
  values: Readonly<Record<string, unknown>>,
): Promise<Row[]> {
  const known = shapes.get(db) ?? new LRUCache<string, CompiledQuery>({ max: SHAPES_MAX })
  shapes.set(db, known)
  const statement = known.get(shape.key) ?? shape.build().compile()
  known.set(shape.key, statement)
  const parameters = statement.parameters.map((one) =>
    one instanceof Slot ? values[one.name] : one,
  )
  const { rows } = await db.executeQuery({ ...statement, parameters } as CompiledQuery<Row>)
  return rows
}
