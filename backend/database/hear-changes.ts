// Hears what was changed, one change after the other: what this process commits, and what others
// tell (decision 0063). A message may be lost, so nobody's right depends on one. Who listens, it
// does not know.
import type { Log } from '../process/log.ts'
import type { OtherWorkers } from '../process/other-workers.ts'
import { makeMessageReader, withoutText } from './change-messages.ts'
import { type Change, hearOwnChanges } from './changes.ts'
import type { Database } from './schema.ts'

export type HearNeeds = {
  db: Database
  databaseUrl: string | undefined
  log: Log
  otherWorkers: OtherWorkers
}

export type Hear = {
  /** The next change waits until this one is done. */
  change(change: Change): Promise<void>
  /** Changes may have been missed. */
  missed(): void
}

/**
 * @returns once it listens, or tries to while PostgreSQL is away; the function stops it, and
 *   resolves when all that came has been heard
 */
export async function hearChanges(needs: HearNeeds, hear: Hear): Promise<() => Promise<void>> {
  const { db, databaseUrl, log, otherWorkers } = needs
  let last = Promise.resolve()
  const inTurn = (work: () => void | Promise<void>) => {
    last = last
      .then(work)
      .catch((err: unknown) => log.error({ err }, 'a change was not told to its listeners'))
  }
  const tell = (changes: Change[]) => {
    for (const change of changes) inTurn(() => hear.change(change))
  }
  if (databaseUrl === undefined) {
    hearOwnChanges(db, (changes) => {
      tell(changes)
      otherWorkers.tell(changes.map(withoutText))
    })
    otherWorkers.hear((body) => tell(body as Change[]))
    return () => last
  }
  const read = makeMessageReader(db)
  const { startListening } = await import('./postgres-listening.ts')
  const listening = startListening(
    { connectionString: databaseUrl, log },
    {
      notify(payload) {
        try {
          tell(read(payload))
        } catch (err) {
          // Whoever may use the database may send anything by NOTIFY.
          log.warn({ err }, 'a message of PostgreSQL could not be read')
        }
      },
      missed: () => inTurn(hear.missed),
    },
  )
  await listening.tried
  return async () => {
    await listening.stop()
    await last
  }
}
