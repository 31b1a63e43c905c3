// The only reader of the environment: text -> one frozen object. Pure but for the files named by
// `…_FILE` variables. A wrong value throws a SettingError that names the variable; `main.ts` prints
// it and exits with code 1. The names and defaults are in settings/table.ts, what a value may be in
// the file of its topic beside it.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Reading } from '#contract/site-settings.ts'
import {
  loopbackSpellings,
  readForeignOrigin,
  readHost,
  readHub,
  readOrigin,
  readPort,
  readProxy,
} from './settings/addresses.ts'
import { type BackupConfig, readBackups } from './settings/backups.ts'
import { type GoogleConfig, readGoogle } from './settings/google.ts'
import { type MailConfig, readMail } from './settings/mail.ts'
import { SETTINGS_FILE, withSettingsFile } from './settings/settings-file.ts'
import { type DatabaseConfig, readDatabase, readS3, type S3Config } from './settings/storage.ts'
import {
  type Env,
  type Name,
  readSwitch,
  readValue,
  SettingError,
  splitWords,
} from './settings/table.ts'
import {
  type LogLevel,
  readAbout,
  readContentKind,
  readId,
  readKey,
  readLogLevel,
  readProcesses,
  readPublicStatuses,
  readReading,
  readRegistration,
  readSecretKey,
  readSiteName,
} from './settings/words.ts'

export type Config = DatabaseConfig & {
  readonly isProduction: boolean
  readonly host: string
  /** 0 asks the system for a free port. */
  readonly port: number
  /** How many share the work on this machine; more than 1 are workers of a primary. */
  readonly processes: number
  /** The site's own origin, without a trailing slash: `http://localhost:3000`. */
  readonly publicUrl: string
  /** Every origin that may call with cookies, the own one (in each loopback spelling) first. */
  readonly allowedOrigins: readonly string[]
  /** Addresses, networks (`10.0.0.0/8`), or `loopback`, `linklocal`, `uniquelocal`. */
  readonly trustedProxies: readonly string[]
  readonly dataDir: string
  /** Undefined means: files are kept in the data folder. */
  readonly s3: S3Config | undefined
  readonly projectId: string
  readonly databaseId: string
  readonly collectionId: string
  readonly contentBucketId: string
  readonly avatarBucketId: string
  /** Undefined means: generated once and kept in the data folder. */
  readonly apiKey: string | undefined
  readonly browserKey: string | undefined
  readonly providerTokenKey: string | undefined
  readonly siteName: string
  /** One line about the blog. */
  readonly about: string
  readonly reading: Reading
  /** Is told when feeds change; undefined for none. */
  readonly hubUrl: string | undefined
  readonly mail: MailConfig
  /** Undefined means: no sign-in with Google. */
  readonly google: GoogleConfig | undefined
  /** False: only the operator can add accounts. */
  readonly isRegistrationOpen: boolean
  /** Posts keep attributes that nobody declared. */
  readonly hasExtraAttributes: boolean
  /** The words of a post's status that mean that it is public. */
  readonly publicStatuses: readonly string[]
  /** Bodies of posts are text, not HTML: stored untouched. */
  readonly hasTextBodies: boolean
  /**
   * True for pages of another site than the API's: cookies get SameSite=None, and answers may carry
   * X-Fallback-Cookies.
   */
  readonly isCrossSite: boolean
  readonly hasRateLimits: boolean
  /** `/metrics` is served. */
  readonly hasMetrics: boolean
  /** How often posts are read is counted. */
  readonly hasReadCounts: boolean
  readonly logLevel: LogLevel
  /** Undefined means: the server makes no backups by itself. */
  readonly backups: BackupConfig | undefined
}

/**
 * The environment, and under it the settings file of the data folder that it names, if there is
 * one.
 *
 * @throws SettingError for a file that cannot be read or names something else than settings
 */
export function findEnv(
  env: Env,
  readText = (path: string): string => readFileSync(path, 'utf8'),
): Env {
  const path = join(resolve(readValue(env, 'BLOG_DATA_DIR', readText)), SETTINGS_FILE)
  try {
    return withSettingsFile(env, readText(path), path)
  } catch (error) {
    if (error instanceof SettingError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return env
    throw new SettingError(`${path} cannot be read`, { cause: error })
  }
}

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
  const dataDir = resolve(text('BLOG_DATA_DIR'))
  const publicUrl = readOrigin(
    'BLOG_PUBLIC_URL',
    text('BLOG_PUBLIC_URL') || `http://localhost:${port}`,
  )
  const foreign = splitWords(text('BLOG_ALLOWED_ORIGINS')).map((one) =>
    readForeignOrigin('BLOG_ALLOWED_ORIGINS', one),
  )
  const hasRateLimits = readSwitch('BLOG_RATE_LIMITS', text('BLOG_RATE_LIMITS'))
  if (isProduction && !hasRateLimits)
    throw new SettingError('BLOG_RATE_LIMITS: "off" is refused under NODE_ENV=production')
  return Object.freeze({
    isProduction,
    host: readHost(text('HOST')),
    port,
    processes: readProcesses(text('BLOG_PROCESSES'), port),
    publicUrl,
    allowedOrigins: Object.freeze([
      ...new Set([publicUrl, ...loopbackSpellings(publicUrl), ...foreign]),
    ]),
    trustedProxies: Object.freeze(splitWords(text('BLOG_TRUSTED_PROXIES')).map(readProxy)),
    dataDir,
    ...readDatabase(text),
    s3: readS3(text),
    projectId: readId('BLOG_PROJECT_ID', text('BLOG_PROJECT_ID')),
    databaseId: readId('BLOG_DATABASE_ID', text('BLOG_DATABASE_ID')),
    collectionId: readId('BLOG_COLLECTION_ID', text('BLOG_COLLECTION_ID')),
    contentBucketId: readId('BLOG_CONTENT_BUCKET_ID', text('BLOG_CONTENT_BUCKET_ID')),
    avatarBucketId: readId('BLOG_AVATAR_BUCKET_ID', text('BLOG_AVATAR_BUCKET_ID')),
    apiKey: readKey(text('BLOG_API_KEY')),
    browserKey: readSecretKey('BLOG_BROWSER_KEY', text),
    providerTokenKey: readSecretKey('BLOG_PROVIDER_TOKEN_KEY', text),
    siteName: readSiteName(text('BLOG_SITE_NAME')),
    about: readAbout(text('BLOG_ABOUT')),
    reading: readReading(text('BLOG_READING')),
    hubUrl: readHub(text('BLOG_WEBSUB_HUB'), { isProduction }),
    mail: readMail(text, publicUrl),
    google: readGoogle(text, { isProduction }),
    isRegistrationOpen: readRegistration(text('BLOG_REGISTRATION')),
    hasTextBodies: readContentKind(text('BLOG_CONTENT')),
    hasExtraAttributes: readSwitch('BLOG_EXTRA_ATTRIBUTES', text('BLOG_EXTRA_ATTRIBUTES')),
    publicStatuses: readPublicStatuses(text('BLOG_PUBLIC_STATUSES')),
    isCrossSite: readSwitch('BLOG_CROSS_SITE', text('BLOG_CROSS_SITE')),
    hasRateLimits,
    hasReadCounts: readSwitch('BLOG_READ_COUNTS', text('BLOG_READ_COUNTS')),
    hasMetrics: readSwitch('BLOG_METRICS', text('BLOG_METRICS')),
    logLevel: readLogLevel(text('BLOG_LOG_LEVEL')),
    backups: readBackups(text, dataDir),
  })
}
