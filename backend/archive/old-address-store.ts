// SQL of the addresses that imported posts had in their old site.
import { sql } from 'kysely'
import type { OldAddressRow } from '../database/archive-tables.ts'
import { prepared } from '../database/dialect.ts'
import type { Database } from '../database/schema.ts'

/** @returns false when another post has the address */
export async function insertAddress(tx: Database, row: OldAddressRow): Promise<boolean> {
  const insert = tx.insertInto('oldAddress').values(row)
  await insert.onConflict((conflict) => conflict.column('address').doNothing()).execute()
  return (await findAddress(tx, row.address))?.postId === row.postId
}

export async function findAddress(db: Database, address: string) {
  return (await find(db, { address })).rows[0]
}

const find = prepared((db, { address }: { address: string }) =>
  db.selectFrom('oldAddress').select(['postId', 'runId']).where('address', '=', address),
)

export async function countAddresses(db: Database, runId: string): Promise<number> {
  const addresses = db.selectFrom('oldAddress').select(sql<number>`count(*)`.as('total'))
  return Number((await addresses.where('runId', '=', runId).executeTakeFirstOrThrow()).total)
}
