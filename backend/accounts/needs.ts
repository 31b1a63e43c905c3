// What the rules of accounts need, in this module and in those that build on it.
import type { Prefs } from '#contract/accounts.ts'
import type { Database } from '../database/schema.ts'
import type { After, Live } from '../database/transaction.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Config } from '../settings/config.ts'
import type { Site } from '../site/site.ts'
import type { Passwords } from './passwords.ts'
import type { KnownBrowsers, SessionCookies } from './session-cookies.ts'

/** A rule that uses few of them takes {@link Live} or picks them. */
export type AccountNeeds = Live &
  Config & {
    site: Site
    mailer: Mailer
    rateLimits: RateLimits
    passwords: Passwords
    browsers: KnownBrowsers
    cookies: SessionCookies
    /** Decrypts an access token of a sign-in provider; undefined when it cannot be decrypted. */
    providerTokens: { open(encrypted: string, userId: string): string | undefined }
    /** From files: see `Files.setAvatarFile`. */
    setAvatarFile: (
      tx: Database,
      after: After,
      avatar: { userId: string; fileId: string | undefined },
    ) => Promise<void>
    /** From reads: see `Reads.notePrefs`. */
    notePrefs: (tx: Database, user: { userId: string; prefs: Prefs }) => Promise<void>
  }
