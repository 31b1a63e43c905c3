// What the value of a setting may be.

// --- one word or name: ids, key, site name, registration, log level, processes

import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import { isId } from '#contract/ids.ts'
import { TITLE_MAX_CHARS } from '#contract/limits.ts'
import { trimmedEnd } from '#contract/plain-text.ts'
import { READINGS, type Reading } from '#contract/site-settings.ts'
import { type Name, readSwitch, SettingError, splitWords, type TextOf } from './table.ts'

/** What BLOG_DATABASE_CONNECTIONS may say. */
const POSTGRES_CONNECTIONS_MIN = 2
const POSTGRES_CONNECTIONS_MAX = 500

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export function readId(name: Name, text: string): string {
  if (!isId(text))
    throw new SettingError(
      `${name}: "${text}" is not an id (1 to 36 of A-Z a-z 0-9 . _ -, first one alphanumeric)`,
    )
  return text
}

export function readKey(text: string): string | undefined {
  if (text && !/^[\x21-\x7e]{16,256}$/.test(text))
    throw new SettingError('BLOG_API_KEY: must be 16 to 256 visible ASCII characters')
  return text || undefined
}

/** One of the secrets that are else made at the first start. */
export function readSecretKey(name: Name, text: TextOf): string | undefined {
  const secret = text(name)
  if (secret && !/^[0-9a-f]{64}$/.test(secret))
    throw new SettingError(
      `${name}: must be 64 hexadecimal digits, as openssl rand -hex 32 makes them`,
    )
  return secret || undefined
}

export function readLine(name: Name, text: string, maxChars: number): string {
  if (text.length > maxChars || /\p{Cc}/u.test(text))
    throw new SettingError(`${name}: at most ${maxChars} characters on one line`)
  return text
}

export function readReading(text: string): Reading {
  const reading = READINGS.find((one) => one === text)
  if (!reading) throw new SettingError(`BLOG_READING: "${text}" is neither members nor everyone`)
  return reading
}

/** Texts of posts are at most so long, and nobody has many words for one thing. */
const PUBLIC_STATUSES_MAX = 20

export function readPublicStatuses(text: string): readonly string[] {
  const words = [...new Set(splitWords(text))]
  if (words.length === 0 || words.length > PUBLIC_STATUSES_MAX)
    throw new SettingError(`BLOG_PUBLIC_STATUSES: must be 1 to ${PUBLIC_STATUSES_MAX} words`)
  if (words.includes('inactive'))
    throw new SettingError('BLOG_PUBLIC_STATUSES: "inactive" is what is not public')
  if (words.some((word) => word.length > TITLE_MAX_CHARS || /\p{Cc}/u.test(word)))
    throw new SettingError(
      `BLOG_PUBLIC_STATUSES: each word has at most ${TITLE_MAX_CHARS} characters, none of them a control character`,
    )
  return Object.freeze(words)
}

export function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text)
  if (!level)
    throw new SettingError(`BLOG_LOG_LEVEL: "${text}" is none of ${LOG_LEVELS.join(', ')}`)
  return level
}

const PROCESSES_MAX = 64

/** @param port 0 is another one for each process */
export function readProcesses(text: string, port: number): number {
  const count = text === 'auto' ? Math.min(availableParallelism(), PROCESSES_MAX) : Number(text)
  if (!/^(auto|\d+)$/.test(text) || count < 1 || count > PROCESSES_MAX)
    throw new SettingError(
      `BLOG_PROCESSES: "${text}" is neither a number from 1 to ${PROCESSES_MAX} nor auto`,
    )
  if (count > 1 && port === 0)
    throw new SettingError('BLOG_PROCESSES: several processes need a PORT, not 0')
  return count
}

// --- where the server listens, and which addresses and origins it believes

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
  if (url.pathname !== '/' || hasMore(url)) {
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

/** More than a site and a path. */
function hasMore({ search, hash, username, password }: URL): boolean {
  return `${search}${hash}${username}${password}` !== ''
}

/** Plain HTTP only to what is on this machine, for tests and development. */
function isSafe(url: URL, isProduction: boolean): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url) && !isProduction)
}

/** @returns undefined without a hub */
export function readHub(
  text: string,
  { isProduction }: { isProduction: boolean },
): string | undefined {
  if (!text) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !isSafe(url, isProduction) || url.hash || url.username || url.password)
    throw new SettingError(`BLOG_WEBSUB_HUB: "${text}" is not the https:// address of a hub`)
  return url.href
}

// --- backups that the server makes by itself

/** `keep` is how many of them stay. */
export type BackupConfig = { readonly folder: string; readonly keep: number }

/** @returns undefined when the server makes none */
export function readBackups(text: TextOf, dataDir: string): BackupConfig | undefined {
  const keep = Number(/^\d{1,4}$/.test(text('BLOG_BACKUP_KEEP')) ? text('BLOG_BACKUP_KEEP') : 0)
  if (keep < 1)
    throw new SettingError(
      `BLOG_BACKUP_KEEP: "${text('BLOG_BACKUP_KEEP')}" is not a number of backups (1 to 9999)`,
    )
  if (!text('BLOG_BACKUP_DIR')) return undefined
  const folder = resolve(text('BLOG_BACKUP_DIR'))
  if (relative(dataDir, folder) === '')
    throw new SettingError('BLOG_BACKUP_DIR: must be another folder than BLOG_DATA_DIR')
  return { folder, keep }
}

// --- sign-in with Google or another OpenID provider

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
  if (!url || !isSafe(url, isProduction) || hasMore(url))
    throw new SettingError(
      `BLOG_GOOGLE_ISSUER: "${issuer}" is not the https:// address of an OpenID provider`,
    )
  return clientId ? { clientId, clientSecret, issuer } : undefined
}

// --- mail

/**
 * `from` is an address, or `Name <address>`. An outbox is a folder of `.eml` files in the data
 * folder.
 */
export type MailConfig =
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
  | { readonly kind: 'outbox'; readonly from: string }
  | { readonly kind: 'off' }

export function readMail(text: TextOf, publicUrl: string): MailConfig {
  const isOn = readSwitch('BLOG_MAIL', text('BLOG_MAIL'))
  const [url, from] = [text('BLOG_SMTP_URL'), text('BLOG_MAIL_FROM')]
  if (Boolean(url) !== Boolean(from))
    throw new SettingError('BLOG_SMTP_URL and BLOG_MAIL_FROM belong together: set both or neither')
  if (!isOn) return { kind: 'off' }
  if (!url) return { kind: 'outbox', from: `no-reply@${new URL(publicUrl).hostname}` }
  if (!/^smtps?:\/\//.test(url) || !URL.canParse(url) || !new URL(url).hostname)
    throw new SettingError('BLOG_SMTP_URL: not an smtp:// or smtps:// address')
  if (
    !/^(?:[^<>"\p{Cc}]+ <[^<>\s@\p{Cc}]+@[^<>\s@\p{Cc}]+>|[^<>\s@,;\p{Cc}]+@[^<>\s@,;\p{Cc}]+)$/u.test(
      from,
    )
  )
    throw new SettingError(
      'BLOG_MAIL_FROM: must be one address, or a name and the address in angle brackets',
    )
  return { kind: 'smtp', url, from }
}

// --- where rows and files are kept

/** `endpoint` is an http(s) address without the bucket. */
export type S3Config = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

export function readDatabase(text: TextOf) {
  const databaseConnections = readConnections(text('BLOG_DATABASE_CONNECTIONS'))
  const url = text('BLOG_DATABASE_URL')
  if (url && (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)))
    throw new SettingError(
      'BLOG_DATABASE_URL: not a postgres:// address (leave it empty for SQLite)',
    )
  return {
    /** A `postgres://` address; undefined means SQLite in the data folder. */
    databaseUrl: url || undefined,
    /** Connections of one process to it, at most. */
    databaseConnections,
  }
}

function readConnections(text: string): number {
  const connections = Number(text)
  const [min, max] = [POSTGRES_CONNECTIONS_MIN, POSTGRES_CONNECTIONS_MAX]
  if (!/^\d+$/.test(text) || connections < min || connections > max)
    throw new SettingError(
      `BLOG_DATABASE_CONNECTIONS: "${text}" is no number from ${min} to ${max}`,
    )
  return connections
}

export function readS3(text: TextOf): S3Config | undefined {
  const names = [
    'BLOG_S3_ENDPOINT',
    'BLOG_S3_BUCKET',
    'BLOG_S3_ACCESS_KEY',
    'BLOG_S3_SECRET_KEY',
  ] as const
  const [endpoint = '', bucket = '', accessKey = '', secretKey = ''] = names.map(text)
  const region = text('BLOG_S3_REGION')
  const missing = names.filter((name) => !text(name))
  if (missing.length === names.length) return undefined
  if (missing.length > 0)
    throw new SettingError(`${names.join(', ')} belong together: ${missing.join(', ')} is missing`)
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol) || hasMore(url))
    throw new SettingError(`BLOG_S3_ENDPOINT: "${endpoint}" is not an http:// or https:// address`)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new SettingError(`BLOG_S3_BUCKET: "${bucket}" is not the name of a bucket`)
  if (!/^[a-z0-9-]{1,64}$/.test(region))
    throw new SettingError(`BLOG_S3_REGION: "${region}" is not the name of a region`)
  if (/[\s\p{Cc}]/u.test(accessKey + secretKey))
    throw new SettingError('BLOG_S3_ACCESS_KEY, BLOG_S3_SECRET_KEY: must not hold spaces')
  return { endpoint: trimmedEnd(endpoint, '/'), bucket, region, accessKey, secretKey }
}
