// Whatever is kept in memory of the database (pages, lists, totals) hears of changes here, to be
// emptied by them: at once, in the order of commits, what other processes change included. Knows no
// receiver and no transport.
import type { Change } from './changes.ts'
import type { Database } from './schema.ts'

/** Both return before anything else happens: nothing waits in them. */
export type ChangeEar = {
  /** What this process changed itself comes after its commit and before the call is answered. */
  change(change: Change): void
  /** Changes were missed, and cannot be found again: nothing may be kept. */
  missed(): void
}

type Ears = { all: Set<ChangeEar>; isDeaf: boolean }

const ears = new WeakMap<Database, Ears>()

function earsOf(db: Database): Ears {
  const known = ears.get(db)
  if (known) return known
  const made = { all: new Set<ChangeEar>(), isDeaf: false }
  ears.set(db, made)
  return made
}

/** Hears of every change from now on. */
export function hearAtOnce(db: Database, ear: ChangeEar): void {
  earsOf(db).all.add(ear)
}

/**
 * Whether the changes of other processes arrive at the moment. While they do not, nothing that was
 * kept may be used without asking the database whether it still holds.
 */
export function isHearing(db: Database): boolean {
  return !earsOf(db).isDeaf
}

/** The channel between processes is lost, or works again and all that came meanwhile was heard. */
export function setHearing(db: Database, isHearing: boolean): void {
  earsOf(db).isDeaf = !isHearing
}

export function tellAtOnce(db: Database, change: Change): void {
  for (const ear of earsOf(db).all) ear.change(change)
}

export function tellMissed(db: Database): void {
  for (const ear of earsOf(db).all) ear.missed()
}
