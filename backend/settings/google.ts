// Settings about sign-in with Google or another OpenID provider.
import { isLoopback } from './addresses.ts'
import { SettingError, type TextOf } from './table.ts'

export type GoogleConfig = {
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer: string
}

export function readGoogle(
  text: TextOf,
  { isProduction }: { isProduction: boolean },
): GoogleConfig | undefined {
  const [clientId, clientSecret, issuer] = [
    text('BLOG_GOOGLE_CLIENT_ID'),
    text('BLOG_GOOGLE_CLIENT_SECRET'),
    text('BLOG_GOOGLE_ISSUER'),
  ]
  if (Boolean(clientId) !== Boolean(clientSecret))
    throw new SettingError(
      'BLOG_GOOGLE_CLIENT_ID and BLOG_GOOGLE_CLIENT_SECRET belong together: set both or neither',
    )
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  // Plain HTTP only to a provider on this machine, for tests and development.
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url) && !isProduction)
  if (!url || !isSafe || url.search || url.hash || url.username || url.password)
    throw new SettingError(
      `BLOG_GOOGLE_ISSUER: "${issuer}" is not the https:// address of an OpenID provider`,
    )
  return clientId ? { clientId, clientSecret, issuer } : undefined
}
