// What the accounts domain is handed by app.ts, and what every call of it knows of its caller.
import type { Database } from '../database/schema.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { ProviderTokens } from './provider-tokens.ts'

export type AccountsNeeds = {
  db: Database
  background: Background
  log: Log
  rateLimits: RateLimits
  projectId: string
  apiKey: string
  /** Signs the marks of browsers that have signed in before. */
  browserKey: string
  /** Opens what Google sign-in has sealed. */
  providerTokens: ProviderTokens
  publicUrl: string
  /** See `Config.isCrossSite`. */
  isCrossSite: boolean
  /** The clock; a test moves it. */
  now: () => Date
}

/** Where a call comes from: for rate limits, the session list and the log. */
export type Caller = {
  requestId: string
  address: string
  userAgent: string
  /** The mark of a known browser, if the request carries one. */
  browserMark: string | undefined
}
