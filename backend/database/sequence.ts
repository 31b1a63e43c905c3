// What the two databases spell differently: above all a number that grows with each row.
import { type CreateTableBuilder, type Kysely, PostgresAdapter } from 'kysely'

export function isPostgres(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
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
