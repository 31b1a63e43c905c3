// Settings about where the server listens, and which addresses and origins it believes.
import { isIP } from 'node:net'
import { type Name, SettingError } from './table.ts'

export function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port >= 0 && port <= 65_535))
    throw new SettingError(`PORT: "${text}" is not a port (0 to 65535)`)
  return port
}

export function readHost(text: string): string {
  if (!isIP(text) && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text))
    throw new SettingError(`HOST: "${text}" is not an address or host name`)
  return text
}

export function readOrigin(name: Name, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new SettingError(`${name}: Invalid endpoint URL: ${text}`)
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new SettingError(`${name}: ${text} must be an origin only, like https://blog.example`)
  }
  return url.origin
}

/** What clients for phones send as their origin: `appwrite-ios://com.example.app`. */
const APP_ORIGIN = /^appwrite-[a-z]{1,20}:\/\/[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/

/** A site, or a program on a phone. */
export function readForeignOrigin(name: Name, text: string): string {
  return APP_ORIGIN.test(text) ? text : readOrigin(name, text)
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

export function isLoopback(url: URL): boolean {
  return LOOPBACK_HOSTS.includes(url.hostname)
}

/** localhost, 127.0.0.1 and [::1] are the same machine, and people type any of them. */
export function loopbackSpellings(origin: string): string[] {
  const url = new URL(origin)
  return isLoopback(url)
    ? LOOPBACK_HOSTS.map((host) => `${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`)
    : []
}

export function readProxy(text: string): string {
  const [address = '', bits] = text.split('/')
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return text
  const bitsMax = isIP(address) === 6 ? 128 : 32
  if (
    !isIP(address) ||
    (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax))
  )
    throw new SettingError(`BLOG_TRUSTED_PROXIES: "${text}" is not an address or network`)
  return text
}

/** @returns undefined without a hub */
export function readHub(
  text: string,
  { isProduction }: { isProduction: boolean },
): string | undefined {
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Plain HTTP only to a hub on this machine, for tests and development.
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url) && !isProduction)
  if (!url || !isSafe || url.hash || url.username || url.password)
    throw new SettingError(`BLOG_WEBSUB_HUB: "${text}" is not the https:// address of a hub`)
  return url.href
}
