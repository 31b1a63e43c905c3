// The blog that the doctor checks, and its findings: lines with a level and, for a fault, advice.
import type { findBytes, readMigrations } from '../backups/blog-contents.ts'
import type { Config } from '../settings/config.ts'
import type { Env } from '../settings/setting-definitions.ts'

const NAMES_SHOWN = 5

export type Level = 'ok' | 'warning' | 'fault'
export type Finding = { level: Level; about: string; text: string }
export type Report = Record<Level, (text: string) => undefined>

export type DoctorContext = Config & { env: Env; now: () => Date }
/** The data for the doctor's thread. `isLocal`: only checks that are quick and use no network. */
export type Examination = Config & { env: Env; isLocal: boolean }
/** The blog that is checked, with results that later checks use. */
export type CheckedBlog = DoctorContext & {
  nowMs: number
  /** Set by the check of the database; undefined when it cannot be read, or is damaged. */
  databaseState?: Awaited<ReturnType<typeof findBytes>> & {
    migrations: Awaited<ReturnType<typeof readMigrations>>
    newestMs: number
    /** The folder of automatic backups; undefined when the server makes none. */
    backupFolder: string | undefined
    /** How much later the clock of PostgreSQL is than that of this host. */
    clockOffsetMs: number | undefined
  }
  isRunning: boolean
  /** This process may not use the data folder, because it belongs to another user. */
  isInaccessible: boolean
}

/** The first names of a list, and how many more there are. */
export function abbreviateNames(names: string[]): string {
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
