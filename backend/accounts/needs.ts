// What the accounts domain is handed by app.ts, and what every call of it knows of its caller.
import type { Database } from '../database/schema.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { KnownBrowsers } from './known-browsers.ts'
import type { Passwords } from './passwords.ts'

export type AccountsNeeds = {
  db: Database
  background: Background
  log: Log
  rateLimits: RateLimits
  projectId: string
  apiKey: string
  mailer: Mailer
  /** One for all parts of accounts: its queue is the limit of hashing. */
  passwords: Passwords
  browsers: KnownBrowsers
  /** Decrypts an access token of a sign-in provider; undefined when it cannot be decrypted. */
  providerTokens: { open(sealed: string, userId: string): string | undefined }
  siteName: string
  publicUrl: string
  /** Where mailed links may lead: origins. */
  allowedOrigins: readonly string[]
  isRegistrationOpen: boolean
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
