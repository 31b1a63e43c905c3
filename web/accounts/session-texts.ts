// The texts of a session: device, place, way of signing in. Knows nothing of how it looks.
import type { Session } from '#contract/accounts.ts'
import { texts } from '../locales/texts.ts'

/** "Chrome on GNU/Linux", or as much of it as is known. */
export function deviceText({ clientName, osName, deviceBrand, deviceModel }: Session): string {
  const device = [deviceBrand, deviceModel].filter(Boolean).join(' ')
  const where = device || osName
  if (clientName && where) return texts.session.on(clientName, where)
  return clientName || where || texts.session.unknownDevice
}

/** "Norway, 192.0.2.1"; the country is left out while it is not known. */
export function placeText({ countryCode, countryName, ip }: Session): string {
  const country = countryCode === '--' || countryName === 'Unknown' ? '' : countryName
  return [country, ip].filter(Boolean).join(', ')
}

const { ways } = texts.session
const METHODS: Record<string, string> = {
  email: ways.password,
  'magic-url': ways.link,
  google: ways.google,
}

/** How the person signed in; "" for an unknown provider. */
export function signInMethodText({ provider }: Session): string {
  return Object.hasOwn(METHODS, provider) ? (METHODS[provider] ?? '') : ''
}
