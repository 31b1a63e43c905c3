// Validates the values of settings. Messages do not repeat values that may hold a secret.

import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { relative, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { DEFAULT_ACCENT } from '#contract/accent.ts'
import { COMMENTS_COLLECTION_ID } from '#contract/comments.ts'
import { isId } from '#contract/ids.ts'
import { trimEndChars } from '#contract/plain-text.ts'
import {
  ABOUT_MAX_CHARS,
  READINGS,
  REGISTRATIONS,
  type SiteValueName,
  type SiteValues,
} from '#contract/site-settings.ts'
import { isVisible, withoutBidiControls } from '#contract/visible-text.ts'
import {
  assertSetting,
  type Env,
  readChoice,
  readNumber,
  readSwitch,
  SettingError,
  type SettingName,
  type SettingText,
  splitList,
} from './setting-definitions.ts'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Range of BLOG_DATABASE_CONNECTIONS. */
const POSTGRES_CONNECTIONS: [min: number, max: number] = [2, 500]

// --- one word or name

export function readId(name: SettingName, text: SettingText): string {
  const id = text(name)
  assertSetting(
    isId(id),
    name,
    `"${id}" is not an id (1 to 36 of A-Z a-z 0-9 . _ -, first one alphanumeric)`,
  )
  return id
}

/** A secret; undefined when the first start generates one. */
function readSecret(
  name: SettingName,
  text: SettingText,
  form: RegExp,
  rule: string,
): string | undefined {
  const secret = text(name)
  assertSetting(!secret || form.test(secret), name, `must be ${rule}`)
  return secret || undefined
}

export function readApiKey(text: SettingText): string | undefined {
  const rule = '16 to 256 visible ASCII characters'
  return readSecret('BLOG_API_KEY', text, /^[\x21-\x7e]{16,256}$/, rule)
}

export function readSecretKey(name: SettingName, text: SettingText): string | undefined {
  const rule = '64 hexadecimal digits, as openssl rand -hex 32 makes them'
  return readSecret(name, text, /^[0-9a-f]{64}$/, rule)
}

export function readLine(name: SettingName, text: string, maxChars: number): string {
  const isValid = text.length <= maxChars && !/\p{Cc}/u.test(text)
  assertSetting(isValid, name, `at most ${maxChars} characters on one line`)
  assertSetting(text === '' || isVisible(text), name, 'empty, or have a character that can be seen')
  return withoutBidiControls(text)
}

/** Comments have a collection of their own. */
export function readCollectionId(text: SettingText): string {
  const id = readId('BLOG_COLLECTION_ID', text)
  assertSetting(id !== COMMENTS_COLLECTION_ID, 'BLOG_COLLECTION_ID', `"${id}" is that of comments`)
  return id
}

/** Settings that operators can also set in the browser. */
const SITE_VARIABLES: readonly [SiteValueName, SettingName][] = [
  ['siteName', 'BLOG_SITE_NAME'],
  ['about', 'BLOG_ABOUT'],
  ['reading', 'BLOG_READING'],
  ['registration', 'BLOG_REGISTRATION'],
]

export function readSite(env: Env, text: SettingText) {
  const siteDefaults: SiteValues = {
    siteName: readLine('BLOG_SITE_NAME', text('BLOG_SITE_NAME'), 80),
    about: readLine('BLOG_ABOUT', text('BLOG_ABOUT'), ABOUT_MAX_CHARS),
    reading: readChoice('BLOG_READING', text('BLOG_READING'), READINGS),
    registration: readChoice('BLOG_REGISTRATION', text('BLOG_REGISTRATION'), REGISTRATIONS),
    newRole: 'author',
    comments: 'on',
    approveFirst: 'on',
    accent: DEFAULT_ACCENT,
  }
  const isSet = (name: SettingName) => Boolean(env[name]?.trim() || env[`${name}_FILE`])
  const fixedSite = SITE_VARIABLES.flatMap(([value, name]) => (isSet(name) ? [value] : []))
  return { siteDefaults, fixedSite }
}

const PROCESSES_MAX = 64

/** @param port 0 would give each process its own port */
export function readProcesses(text: SettingText, port: number): number {
  const value = text('BLOG_PROCESSES')
  const processes =
    value === 'auto' ? Math.min(availableParallelism(), PROCESSES_MAX) : Number(value)
  const isValid = /^(auto|\d+)$/.test(value) && processes >= 1 && processes <= PROCESSES_MAX
  const rule = `"${value}" is neither a number from 1 to ${PROCESSES_MAX} nor auto`
  assertSetting(isValid, 'BLOG_PROCESSES', rule)
  const isReachable = processes === 1 || port !== 0
  assertSetting(isReachable, 'BLOG_PROCESSES', 'several processes need a PORT, not 0')
  return processes
}

// --- the address to listen on, and trusted addresses and origins

export function readHost(text: SettingText): string {
  const host = text('HOST')
  const isName = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(host)
  assertSetting(isName || isIP(host), 'HOST', `"${host}" is not an address or host name`)
  return host
}

/** @returns undefined for an invalid URL or another scheme */
function findUrl(text: string, ...protocols: string[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && protocols.includes(url.protocol) ? url : undefined
}

export function readOrigin(name: SettingName, text: string): string {
  const url = findUrl(text, 'http:', 'https:')
  assertSetting(url, name, `Invalid endpoint URL: ${text}`)
  const isOrigin = url.pathname === '/' && !hasExtraParts(url)
  assertSetting(isOrigin, name, `${text} must be an origin only, like https://blog.example`)
  return url.origin
}

/** The origin of mobile clients: `appwrite-ios://com.example.app`. */
const APP_ORIGIN = /^appwrite-[a-z]{1,20}:\/\/[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/

/** Loopback hosts, as `URL` writes them. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** Whether other machines can reach a blog with this URL that listens on this host. */
export function isPublic(publicUrl: string, host: string): boolean {
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = LOOPBACK_HOSTS.includes(hostname) && isLoopback(host)
  return protocol === 'https:' || !isLocal
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}

/** The blog's own origin and its loopback aliases, then other sites and programs. */
export function readAllowedOrigins(text: SettingText, publicUrl: string): readonly string[] {
  const { protocol, hostname, port } = new URL(publicUrl)
  const hosts = LOOPBACK_HOSTS.includes(hostname) ? LOOPBACK_HOSTS : []
  const aliases = hosts.map((host) => `${protocol}//${host}${port ? `:${port}` : ''}`)
  const foreign = splitList(text('BLOG_ALLOWED_ORIGINS')).map((origin) =>
    APP_ORIGIN.test(origin) ? origin : readOrigin('BLOG_ALLOWED_ORIGINS', origin),
  )
  return Object.freeze([...new Set([publicUrl, ...aliases, ...foreign])])
}

/** Addresses, networks (`10.0.0.0/8`), or `loopback`, `linklocal`, `uniquelocal`. */
export function readProxies(text: SettingText): readonly string[] {
  const proxies = splitList(text('BLOG_TRUSTED_PROXIES'))
  for (const proxy of proxies) {
    const [address = '', bits = '0'] = proxy.split('/')
    const isNetwork = /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(address) === 6 ? 128 : 32)
    const isWord = /^(loopback|linklocal|uniquelocal)$/.test(proxy)
    const isValid = isWord || (isIP(address) && isNetwork)
    assertSetting(isValid, 'BLOG_TRUSTED_PROXIES', `"${proxy}" is not an address or network`)
  }
  return Object.freeze(proxies)
}

/** Whether a URL has a query, fragment or credentials. */
function hasExtraParts({ search, hash, username, password }: URL): boolean {
  return `${search}${hash}${username}${password}` !== ''
}

/** Plain HTTP is allowed to loopback hosts only. */
function isSafe(url: URL): boolean {
  return url.protocol === 'https:' || LOOPBACK_HOSTS.includes(url.hostname)
}

// --- scheduled backups

/** @returns undefined when operators choose in the browser; `keep` is the number of backups */
export function readBackups(text: SettingText, dataDir: string) {
  const keep = readNumber('BLOG_BACKUP_KEEP', text, [1, 9999])
  if (!text('BLOG_BACKUP_DIR')) return undefined
  const folder = resolve(text('BLOG_BACKUP_DIR'))
  const isOther = relative(dataDir, folder) !== ''
  assertSetting(isOther, 'BLOG_BACKUP_DIR', 'must be another folder than BLOG_DATA_DIR')
  return { folder, keep }
}

/** @returns undefined unless it is set */
export function readBackupKeep(env: Env, text: SettingText): number | undefined {
  const isSet = Boolean(env.BLOG_BACKUP_KEEP?.trim() || env.BLOG_BACKUP_KEEP_FILE)
  return isSet ? readNumber('BLOG_BACKUP_KEEP', text, [1, 9999]) : undefined
}

// --- sign-in with Google or another OpenID provider, and mail

export type GoogleConfig = NonNullable<ReturnType<typeof readGoogle>>

export function readGoogle(text: SettingText) {
  const clientId = text('BLOG_GOOGLE_CLIENT_ID')
  const clientSecret = text('BLOG_GOOGLE_CLIENT_SECRET')
  const issuer = text('BLOG_GOOGLE_ISSUER')
  requireAll(['BLOG_GOOGLE_CLIENT_ID', 'BLOG_GOOGLE_CLIENT_SECRET'], text)
  const url = findUrl(issuer, 'http:', 'https:')
  const isValid = url && isSafe(url) && !hasExtraParts(url)
  const rule = `"${issuer}" is not the https:// address of an OpenID provider`
  assertSetting(isValid, 'BLOG_GOOGLE_ISSUER', rule)
  return clientId ? { clientId, clientSecret, issuer } : undefined
}

/** Requires all or none of these settings. @returns whether they are set */
function requireAll(names: SettingName[], text: SettingText): boolean {
  const missing = names.filter((name) => !text(name))
  if (missing.length === 0 || missing.length === names.length) return missing.length === 0
  const all = names.join(names.length === 2 ? ' and ' : ', ')
  throw new SettingError(`${all} belong together: ${missing.join(', ')} is missing`)
}

/**
 * `from` is an address, or `Name <address>`. An outbox is a folder of `.eml` files in the data
 * folder.
 */
export type MailConfig =
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
  | { readonly kind: 'outbox'; readonly from: string }
  | { readonly kind: 'off' }

const ADDRESS = /^[^<>\s@,;\p{Cc}]+@[^<>\s@,;\p{Cc}]+$/u
const NAMED_ADDRESS = /^[^<>"\p{Cc}]+ <[^<>\s@\p{Cc}]+@[^<>\s@\p{Cc}]+>$/u

export function readMail(text: SettingText, publicUrl: string): MailConfig {
  const isOn = readSwitch('BLOG_MAIL', text)
  const url = text('BLOG_SMTP_URL')
  const from = text('BLOG_MAIL_FROM')
  const isSmtp = requireAll(['BLOG_SMTP_URL', 'BLOG_MAIL_FROM'], text)
  if (!isOn) return { kind: 'off' }
  if (!isSmtp) return { kind: 'outbox', from: `no-reply@${new URL(publicUrl).hostname}` }
  const hostname = findUrl(url, 'smtp:', 'smtps:')?.hostname
  assertSetting(hostname, 'BLOG_SMTP_URL', 'not an smtp:// or smtps:// address')
  const isFrom = ADDRESS.test(from) || NAMED_ADDRESS.test(from)
  const rule = 'must be one address, or a name and the address in angle brackets'
  assertSetting(isFrom, 'BLOG_MAIL_FROM', rule)
  return { kind: 'smtp', url, from }
}

// --- where rows and files are stored

export function readDatabase(text: SettingText) {
  const url = text('BLOG_DATABASE_URL')
  const isValid = !url || (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url))
  assertSetting(
    isValid,
    'BLOG_DATABASE_URL',
    'not a postgres:// address (leave it empty for SQLite)',
  )
  return {
    /** A `postgres://` address; undefined means SQLite in the data folder. */
    databaseUrl: url || undefined,
    /** Connections of one process to it, at most. */
    databaseConnections: readNumber('BLOG_DATABASE_CONNECTIONS', text, POSTGRES_CONNECTIONS),
  }
}

/** `endpoint` is an http(s) address without the bucket. */
export type S3Config = NonNullable<ReturnType<typeof readS3>>

export function readS3(text: SettingText) {
  const endpoint = text('BLOG_S3_ENDPOINT')
  const bucket = text('BLOG_S3_BUCKET')
  const accessKey = text('BLOG_S3_ACCESS_KEY')
  const secretKey = text('BLOG_S3_SECRET_KEY')
  const region = text('BLOG_S3_REGION')
  const names = ['ENDPOINT', 'BUCKET', 'ACCESS_KEY', 'SECRET_KEY'] as const
  const isSet = requireAll(
    names.map((name) => `BLOG_S3_${name}` as const),
    text,
  )
  if (!isSet) return undefined
  const url = findUrl(endpoint, 'http:', 'https:')
  const isAddress = url && !hasExtraParts(url)
  assertSetting(
    isAddress,
    'BLOG_S3_ENDPOINT',
    `"${endpoint}" is not an http:// or https:// address`,
  )
  const isBucket = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)
  assertSetting(isBucket, 'BLOG_S3_BUCKET', `"${bucket}" is not the name of a bucket`)
  const isRegion = /^[a-z0-9-]{1,64}$/.test(region)
  assertSetting(isRegion, 'BLOG_S3_REGION', `"${region}" is not the name of a region`)
  const areKeys = !/[\s\p{Cc}]/u.test(accessKey + secretKey)
  assertSetting(areKeys, 'BLOG_S3_ACCESS_KEY, BLOG_S3_SECRET_KEY', 'must not hold spaces')
  return { endpoint: trimEndChars(endpoint, '/'), bucket, region, accessKey, secretKey }
}
