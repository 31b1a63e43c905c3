// The only reader of the environment: text -> one frozen object. Pure but for the files named by
// `…_FILE` variables. A wrong value throws a SettingError that names the variable; `main.ts` prints
// it and exits with code 1.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isId } from '#contract/ids.ts'

/** A setting is wrong; the message names its variable. */
export class SettingError extends Error {}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * `from` is an address, or `Name <address>`. An outbox is a folder of `.eml` files in the data
 * folder.
 */
export type MailConfig =
  | { readonly kind: 'smtp'; readonly url: string; readonly from: string }
  | { readonly kind: 'outbox'; readonly from: string }
  | { readonly kind: 'off' }

export type GoogleConfig = {
  readonly clientId: string
  readonly clientSecret: string
  readonly issuer: string
}

/** `endpoint` is an http(s) address without the bucket. */
export type S3Config = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

export type Config = {
  readonly isProduction: boolean
  readonly host: string
  /** 0 asks the system for a free port. */
  readonly port: number
  /** The site's own origin, without a trailing slash: `http://localhost:3000`. */
  readonly publicUrl: string
  /** Every origin that may call with cookies, the own one (in each loopback spelling) first. */
  readonly allowedOrigins: readonly string[]
  /** Addresses, networks (`10.0.0.0/8`), or `loopback`, `linklocal`, `uniquelocal`. */
  readonly trustedProxies: readonly string[]
  readonly dataDir: string
  /** A `postgres://` address; undefined means SQLite in the data folder. */
  readonly databaseUrl: string | undefined
  /** Undefined means: files are kept in the data folder. */
  readonly s3: S3Config | undefined
  readonly projectId: string
  readonly databaseId: string
  readonly collectionId: string
  readonly contentBucketId: string
  readonly avatarBucketId: string
  /** Undefined means: generated once and kept in the data folder. */
  readonly apiKey: string | undefined
  readonly siteName: string
  readonly mail: MailConfig
  /** Undefined means: no sign-in with Google. */
  readonly google: GoogleConfig | undefined
  /** False: only the operator can add accounts. */
  readonly isRegistrationOpen: boolean
  /**
   * True for pages of another site than the API's: cookies get SameSite=None, and answers may carry
   * X-Fallback-Cookies.
   */
  readonly isCrossSite: boolean
  readonly hasRateLimits: boolean
  readonly logLevel: LogLevel
}

/** Every variable with the default as `.env.example` shows it; a test compares the two. */
export const SETTINGS = {
  PORT: '3000',
  HOST: '127.0.0.1',
  BLOG_DATA_DIR: './data',
  BLOG_PUBLIC_URL: '',
  BLOG_ALLOWED_ORIGINS: '',
  BLOG_TRUSTED_PROXIES: '',
  BLOG_DATABASE_URL: '',
  BLOG_S3_ENDPOINT: '',
  BLOG_S3_BUCKET: '',
  BLOG_S3_REGION: 'us-east-1',
  BLOG_S3_ACCESS_KEY: '',
  BLOG_S3_SECRET_KEY: '',
  BLOG_PROJECT_ID: 'blog',
  BLOG_DATABASE_ID: 'blogdb',
  BLOG_COLLECTION_ID: 'posts',
  BLOG_CONTENT_BUCKET_ID: 'content',
  BLOG_AVATAR_BUCKET_ID: 'avatars',
  BLOG_API_KEY: '',
  BLOG_SITE_NAME: 'Web App',
  BLOG_MAIL: 'on',
  BLOG_SMTP_URL: '',
  BLOG_MAIL_FROM: '',
  BLOG_GOOGLE_CLIENT_ID: '',
  BLOG_GOOGLE_CLIENT_SECRET: '',
  BLOG_GOOGLE_ISSUER: 'https://accounts.google.com',
  BLOG_REGISTRATION: 'open',
  BLOG_CROSS_SITE: 'off',
  BLOG_RATE_LIMITS: 'on',
  BLOG_LOG_LEVEL: 'info',
} as const

type Name = keyof typeof SETTINGS
export type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads all settings.
 *
 * @param readText how a `NAME_FILE` is read; a test hands in its own
 * @throws SettingError that names the variable and says what is wrong
 * @source README.md "Settings"
 */
export function readConfig(
  env: Env,
  readText = (path: string): string => readFileSync(path, 'utf8'),
): Config {
  const text = (name: Name): string => readValue(env, name, readText)
  const isProduction = env.NODE_ENV === 'production'
  const port = readPort(text('PORT'))
  const publicUrl = readOrigin(
    'BLOG_PUBLIC_URL',
    text('BLOG_PUBLIC_URL') || `http://localhost:${port}`,
  )
  const foreign = splitWords(text('BLOG_ALLOWED_ORIGINS')).map((one) =>
    readOrigin('BLOG_ALLOWED_ORIGINS', one),
  )
  const hasRateLimits = readSwitch('BLOG_RATE_LIMITS', text('BLOG_RATE_LIMITS'))
  if (isProduction && !hasRateLimits)
    throw new SettingError('BLOG_RATE_LIMITS: "off" is refused under NODE_ENV=production')
  return Object.freeze({
    isProduction,
    host: readHost(text('HOST')),
    port,
    publicUrl,
    allowedOrigins: Object.freeze([
      ...new Set([publicUrl, ...loopbackSpellings(publicUrl), ...foreign]),
    ]),
    trustedProxies: Object.freeze(splitWords(text('BLOG_TRUSTED_PROXIES')).map(readProxy)),
    dataDir: resolve(text('BLOG_DATA_DIR')),
    databaseUrl: readDatabaseUrl(text('BLOG_DATABASE_URL')),
    s3: readS3(text),
    projectId: readId('BLOG_PROJECT_ID', text('BLOG_PROJECT_ID')),
    databaseId: readId('BLOG_DATABASE_ID', text('BLOG_DATABASE_ID')),
    collectionId: readId('BLOG_COLLECTION_ID', text('BLOG_COLLECTION_ID')),
    contentBucketId: readId('BLOG_CONTENT_BUCKET_ID', text('BLOG_CONTENT_BUCKET_ID')),
    avatarBucketId: readId('BLOG_AVATAR_BUCKET_ID', text('BLOG_AVATAR_BUCKET_ID')),
    apiKey: readKey(text('BLOG_API_KEY')),
    siteName: readSiteName(text('BLOG_SITE_NAME')),
    mail: readMail(text, publicUrl),
    google: readGoogle(text, { isProduction }),
    isRegistrationOpen: readRegistration(text('BLOG_REGISTRATION')),
    isCrossSite: readSwitch('BLOG_CROSS_SITE', text('BLOG_CROSS_SITE')),
    hasRateLimits,
    logLevel: readLogLevel(text('BLOG_LOG_LEVEL')),
  })
}

function readValue(env: Env, name: Name, readText: (path: string) => string): string {
  const path = env[`${name}_FILE`]
  if (!path) return env[name]?.trim() || SETTINGS[name]
  if (env[name]) throw new SettingError(`${name} and ${name}_FILE are both set: keep one`)
  const value = readFileText(name, path, readText)
  if (!value) throw new SettingError(`${name}_FILE: ${path} is empty`)
  return value
}

function readFileText(name: Name, path: string, readText: (path: string) => string): string {
  try {
    return readText(path).trim()
  } catch (cause) {
    throw new SettingError(`${name}_FILE: ${path} cannot be read`, { cause })
  }
}

function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port >= 0 && port <= 65_535))
    throw new SettingError(`PORT: "${text}" is not a port (0 to 65535)`)
  return port
}

function readHost(text: string): string {
  if (!isIP(text) && !/^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text))
    throw new SettingError(`HOST: "${text}" is not an address or host name`)
  return text
}

function readOrigin(name: Name, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new SettingError(`${name}: Invalid endpoint URL: ${text}`)
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password) {
    throw new SettingError(`${name}: ${text} must be an origin only, like https://blog.example`)
  }
  return url.origin
}

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

function isLoopback(url: URL): boolean {
  return LOOPBACK_HOSTS.includes(url.hostname)
}

/** localhost, 127.0.0.1 and [::1] are the same machine, and people type any of them. */
function loopbackSpellings(origin: string): string[] {
  const url = new URL(origin)
  return isLoopback(url)
    ? LOOPBACK_HOSTS.map((host) => `${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`)
    : []
}

function readProxy(text: string): string {
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

function readDatabaseUrl(text: string): string | undefined {
  if (!text) return undefined
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new SettingError(
      'BLOG_DATABASE_URL: not a postgres:// address (leave it empty for SQLite)',
    )
  return text
}

function readS3(text: (name: Name) => string): S3Config | undefined {
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
  if (
    !url ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.search ||
    url.hash ||
    url.username ||
    url.password
  )
    throw new SettingError(`BLOG_S3_ENDPOINT: "${endpoint}" is not an http:// or https:// address`)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new SettingError(`BLOG_S3_BUCKET: "${bucket}" is not the name of a bucket`)
  if (!/^[a-z0-9-]{1,64}$/.test(region))
    throw new SettingError(`BLOG_S3_REGION: "${region}" is not the name of a region`)
  if (/[\s\p{Cc}]/u.test(accessKey + secretKey))
    throw new SettingError('BLOG_S3_ACCESS_KEY, BLOG_S3_SECRET_KEY: must not hold spaces')
  return { endpoint: endpoint.replace(/\/+$/, ''), bucket, region, accessKey, secretKey }
}

function readId(name: Name, text: string): string {
  if (!isId(text))
    throw new SettingError(
      `${name}: "${text}" is not an id (1 to 36 of A-Z a-z 0-9 . _ -, first one alphanumeric)`,
    )
  return text
}

function readKey(text: string): string | undefined {
  if (text && !/^[\x21-\x7e]{16,256}$/.test(text))
    throw new SettingError('BLOG_API_KEY: must be 16 to 256 visible ASCII characters')
  return text || undefined
}

function readSiteName(text: string): string {
  if (text.length > 80 || /\p{Cc}/u.test(text))
    throw new SettingError('BLOG_SITE_NAME: at most 80 characters on one line')
  return text
}

function readMail(text: (name: Name) => string, publicUrl: string): MailConfig {
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

function readGoogle(
  text: (name: Name) => string,
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

function readRegistration(text: string): boolean {
  if (text !== 'open' && text !== 'closed')
    throw new SettingError(`BLOG_REGISTRATION: "${text}" is neither open nor closed`)
  return text === 'open'
}

function readSwitch(name: Name, text: string): boolean {
  if (text !== 'on' && text !== 'off')
    throw new SettingError(`${name}: "${text}" is neither on nor off`)
  return text === 'on'
}

function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((one) => one === text)
  if (!level)
    throw new SettingError(`BLOG_LOG_LEVEL: "${text}" is none of ${LOG_LEVELS.join(', ')}`)
  return level
}
