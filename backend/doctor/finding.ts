// What the doctor says of one thing: a line with its level and, unless all is well, what to do.
import type { BlogPlaces } from '../backups/blog-data.ts'
import type { BackupConfig, MailConfig } from '../settings/read-settings.ts'
import type { Env } from '../settings/table.ts'
import type { readAll } from './inspection.ts'

/** How long a mail server or the own public address may take to answer. */
export const DOCTOR_WAIT_MS = 10_000

export type Level = 'ok' | 'warning' | 'fault'
export type Finding = { level: Level; about: string; text: string }
/** How a check says what it has found. */
export type Say = Record<Level, (text: string) => undefined>

export type DoctorNeeds = BlogPlaces & {
  host: string
  port: number
  publicUrl: string
  apiKey: string | undefined
  browserKey: string | undefined
  providerTokenKey: string | undefined
  isProduction: boolean
  mail: MailConfig
  backups: BackupConfig | undefined
  env: Env
  now: () => Date
}
/** The blog that is looked at, with what earlier checks have found for later ones. */
export type Patient = DoctorNeeds & {
  nowMs: number
  /** What its database holds; undefined when that cannot be read, or is damaged. */
  known: Awaited<ReturnType<typeof readAll>> | undefined
  isRunning: boolean
  /** Another user's rights keep this process from using the data folder. */
  isClosed: boolean
}

const LEVEL_WIDTH = 8
const ABOUT_WIDTH = 12
const NAMES_SHOWN = 5

export function showFinding({ level, about, text }: Finding): string {
  const lines = text.split('\n').map((line) => line.trim())
  return `${level.padEnd(LEVEL_WIDTH)}${about.padEnd(ABOUT_WIDTH)}${lines.join(' ')}`
}

/** A few names, and how many more there are. */
export function showNames(names: string[]): string {
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
