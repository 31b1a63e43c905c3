// The one column that the two databases spell differently: a number that grows with each row.
import { type CreateTableBuilder, type Kysely, PostgresAdapter } from 'kysely'

/** Adds `seq`, the primary key, counting up and never reused. */
export function withSequence<Name extends string>(db: Kysely<unknown>, table: CreateTableBuilder<Name>): CreateTableBuilder<Name, 'seq'> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  return isPostgres
    ? table.addColumn('seq', 'bigint', (c) => c.generatedAlwaysAsIdentity().primaryKey())
    : table.addColumn('seq', 'integer', (c) => c.primaryKey().autoIncrement())
}
