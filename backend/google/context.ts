import type { AccountsContext } from '../accounts/context.ts'
import type { GoogleProvider } from './google-provider.ts'
import type { ProviderTokens } from './provider-tokens.ts'

export type GoogleContext = AccountsContext & {
  /** Undefined when sign-in with Google is not set up. */
  googleProvider: GoogleProvider | undefined
  providerTokens: ProviderTokens
}
