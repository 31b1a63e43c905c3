// Who has the sum of what several processes count: nobody where there is one process on SQLite.
import { besideReading } from '../database/read-scope.ts'
import type { Database } from '../database/schema.ts'
import type { Siblings } from '../process/siblings.ts'
import { countsInDatabase } from './counts-store.ts'
import { type CountOwner, countsOfSupervisor } from './shared-counts.ts'

export function findCountOwner(
  db: Database,
  databaseUrl: string | undefined,
  siblings: Siblings,
): CountOwner | undefined {
  if (databaseUrl) {
    const { add, take, forget, sweep } = countsInDatabase(db)
    return {
      add: (shares) => besideReading(() => add(shares)),
      take: (wishes) => besideReading(() => take(wishes)),
      forget: (id) => besideReading(() => forget(id)),
      sweep,
    }
  }
  return siblings.count > 1 ? countsOfSupervisor(siblings) : undefined
}
