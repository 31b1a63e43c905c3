// What the doctor looks at, and how a check says what it has found: a line with its level and,
// unless all is well, what to do.
import type { findBytes, readMigrations } from '../backups/snapshot.ts'
import type { Config } from '../settings/config.ts'
import type { Env } from '../settings/setting-definitions.ts'

const NAMES_SHOWN = 5

export type Level = 'ok' | 'warning' | 'fault'
export type Finding = { level: Level; about: string; text: string }
export type Say = Record<Level, (text: string) => undefined>

export type DoctorNeeds = Config & { env: Env; now: () => Date }
/** The blog that is looked at, with what earlier checks have found for later ones. */
export type Patient = DoctorNeeds & {
  nowMs: number
  /** What its database holds; undefined when that cannot be read, or is damaged. */
  known?: Awaited<ReturnType<typeof findBytes>> & {
    migrations: Awaited<ReturnType<typeof readMigrations>>
    newestMs: number
    /** How far PostgreSQL's own clock is ahead. */
    aheadMs: number | undefined
  }
  isRunning: boolean
  /** Another user's rights keep this process from using the data folder. */
  isClosed: boolean
}

/** A few names, and how many more there are. */
export function showNames(names: string[]): string {
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
