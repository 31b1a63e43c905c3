// The address of a person without a known one: in an archive without people, and of imported
// authors until they claim their account. It is always the same for one person, and no mail ever
// reaches it: names below `.invalid` do not exist.
// @source RFC 2606
import { hash } from 'node:crypto'

const DOMAIN = '@no-address.invalid'
const CHARACTERS = 24

export function makePlaceholderEmail(userId: string): string {
  return `${hash('sha256', userId).slice(0, CHARACTERS)}${DOMAIN}`
}

export function isPlaceholderEmail(email: string): boolean {
  return email.endsWith(DOMAIN)
}
