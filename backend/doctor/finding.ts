// The blog that the doctor checks, and its findings: a line with a level and, unless all is well,
// what to do.
import type { findBytes, readMigrations } from '../backups/blog-contents.ts'
import type { Config } from '../settings/config.ts'
import type { Env } from '../settings/setting-definitions.ts'

const NAMES_SHOWN = 5

export type Level = 'ok' | 'warning' | 'fault'
export type Finding = { level: Level; about: string; text: string }
export type Say = Record<Level, (text: string) => undefined>

export type DoctorContext = Config & { env: Env; now: () => Date }
/** As it is handed to a thread. `isLocal`: only what is quick and asks nobody outside. */
export type Examination = Config & { env: Env; isLocal: boolean }
/** The blog that is checked, with the results of earlier checks for later ones. */
export type Patient = DoctorContext & {
  nowMs: number
  /** The contents of its database; undefined when it cannot be read, or is damaged. */
  known?: Awaited<ReturnType<typeof findBytes>> & {
    migrations: Awaited<ReturnType<typeof readMigrations>>
    newestMs: number
    /** Where operators let the server make backups; undefined when it makes none. */
    backupFolder: string | undefined
    /** How far PostgreSQL's own clock is ahead. */
    aheadMs: number | undefined
  }
  isRunning: boolean
  /** This process may not use the data folder, which belongs to another user. */
  isClosed: boolean
}

/** A few names, and how many more there are. */
export function showNames(names: string[]): string {
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
