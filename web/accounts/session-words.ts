// A session in words: on what, when, from where. Knows nothing of how it looks.
import type { Session } from '#contract/accounts.ts'

/** "Chrome on GNU/Linux", as much of it as is known. */
export function deviceText({ clientName, osName, deviceBrand, deviceModel }: Session): string {
  const device = [deviceBrand, deviceModel].filter(Boolean).join(' ')
  const where = device || osName
  if (clientName && where) return `${clientName} on ${where}`
  return clientName || where || 'Unknown device'
}

/** "Norway, 192.0.2.1"; the country is left out while it is not known. */
export function placeText({ countryCode, countryName, ip }: Session): string {
  const country = countryCode === '--' || countryName === 'Unknown' ? '' : countryName
  return [country, ip].filter(Boolean).join(', ')
}

const WAYS: Record<string, string> = { email: 'with a password', 'magic-url': 'by an emailed link', google: 'with Google' }

/** How the session came about; "" for a way without a name. */
export function wayText({ provider }: Session): string {
  return Object.hasOwn(WAYS, provider) ? (WAYS[provider] ?? '') : ''
}
