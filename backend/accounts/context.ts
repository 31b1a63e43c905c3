import type { HttpContext } from '../http/context.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Passwords } from './passwords.ts'
import type { KnownBrowsers, SessionCookies } from './session-cookies.ts'

export type AccountsContext = HttpContext & {
  mailer: Mailer
  passwords: Passwords
  browsers: KnownBrowsers
  cookies: SessionCookies
  /** Decrypts an access token of a sign-in provider; undefined when it cannot be decrypted. */
  providerTokens: { decrypt(encrypted: string, userId: string): string | undefined }
}
