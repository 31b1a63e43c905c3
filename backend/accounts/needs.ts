// What the accounts domain is handed by app.ts.
import type { Database } from '../database/schema.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'

export type AccountsNeeds = {
  db: Database
  background: Background
  log: Log
  rateLimits: RateLimits
  projectId: string
  apiKey: string
  publicUrl: string
  /** The clock; a test moves it. */
  now: () => Date
}
