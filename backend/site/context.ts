// The base of the contexts that rules get as their first argument.
import type { Database } from '../database/schema.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { Config } from '../settings/config.ts'
import type { Site } from './site.ts'

/** The database, the settings, the clock, the log, background work and the values of the site. */
export type BaseContext = Config & {
  db: Database
  background: Background
  log: Log
  now: () => Date
  site: Site
}
