// The only reader of the environment: text -> one frozen object. Pure but for the files named by
// `…_FILE` variables. A wrong value throws a SettingError that names the variable; `main.ts` prints
// it and exits with code 1. The names and defaults are in settings/table.ts, what a value may be in
// settings/read-settings.ts.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  loopbackSpellings,
  readBackups,
  readDatabase,
  readForeignOrigin,
  readGoogle,
  readHost,
  readHub,
  readId,
  readKey,
  readLine,
  readLogLevel,
  readMail,
  readOrigin,
  readPort,
  readProcesses,
  readProxy,
  readPublicStatuses,
  readReading,
  readS3,
  readSecretKey,
} from './settings/read-settings.ts'
import { SETTINGS_FILE, withSettingsFile } from './settings/settings-file.ts'
import {
  type Env,
  type Name,
  readChoice,
  readSwitch,
  readValue,
  SettingError,
  splitWords,
} from './settings/table.ts'

export type Config = ReturnType<typeof readConfig>

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
) {
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
    /** 0 asks the system for a free port. */
    port,
    /** How many share the work on this machine; more than 1 are workers of a primary. */
    processes: readProcesses(text('BLOG_PROCESSES'), port),
    /** The site's own origin, without a trailing slash: `http://localhost:3000`. */
    publicUrl,
    /** Every origin that may call with cookies, the own one (in each loopback spelling) first. */
    allowedOrigins: Object.freeze([
      ...new Set([publicUrl, ...loopbackSpellings(publicUrl), ...foreign]),
    ]) as readonly string[],
    /** Addresses, networks (`10.0.0.0/8`), or `loopback`, `linklocal`, `uniquelocal`. */
    trustedProxies: Object.freeze(splitWords(text('BLOG_TRUSTED_PROXIES')).map(readProxy)),
    dataDir,
    ...readDatabase(text),
    /** Undefined means: files are kept in the data folder. */
    s3: readS3(text),
    projectId: readId('BLOG_PROJECT_ID', text('BLOG_PROJECT_ID')),
    databaseId: readId('BLOG_DATABASE_ID', text('BLOG_DATABASE_ID')),
    collectionId: readId('BLOG_COLLECTION_ID', text('BLOG_COLLECTION_ID')),
    contentBucketId: readId('BLOG_CONTENT_BUCKET_ID', text('BLOG_CONTENT_BUCKET_ID')),
    avatarBucketId: readId('BLOG_AVATAR_BUCKET_ID', text('BLOG_AVATAR_BUCKET_ID')),
    // Undefined means: generated once and kept in the data folder.
    apiKey: readKey(text('BLOG_API_KEY')),
    browserKey: readSecretKey('BLOG_BROWSER_KEY', text),
    providerTokenKey: readSecretKey('BLOG_PROVIDER_TOKEN_KEY', text),
    siteName: readLine('BLOG_SITE_NAME', text('BLOG_SITE_NAME'), 80),
    /** One line about the blog. */
    about: readLine('BLOG_ABOUT', text('BLOG_ABOUT'), 160),
    reading: readReading(text('BLOG_READING')),
    /** Is told when feeds change; undefined for none. */
    hubUrl: readHub(text('BLOG_WEBSUB_HUB'), { isProduction }),
    mail: readMail(text, publicUrl),
    /** Undefined means: no sign-in with Google. */
    google: readGoogle(text, { isProduction }),
    /** False: only the operator can add accounts. */
    isRegistrationOpen: readChoice('BLOG_REGISTRATION', text('BLOG_REGISTRATION'), [
      'open',
      'closed',
    ]),
    /** Bodies of posts are text, not HTML: stored untouched. */
    hasTextBodies: !readChoice('BLOG_CONTENT', text('BLOG_CONTENT'), ['html', 'text']),
    /** Posts keep attributes that nobody declared. */
    hasExtraAttributes: readSwitch('BLOG_EXTRA_ATTRIBUTES', text('BLOG_EXTRA_ATTRIBUTES')),
    /** The words of a post's status that mean that it is public. */
    publicStatuses: readPublicStatuses(text('BLOG_PUBLIC_STATUSES')),
    /** Pages are on another site than the API: cookies get SameSite=None. */
    isCrossSite: readSwitch('BLOG_CROSS_SITE', text('BLOG_CROSS_SITE')),
    hasRateLimits,
    /** How often posts are read is counted. */
    hasReadCounts: readSwitch('BLOG_READ_COUNTS', text('BLOG_READ_COUNTS')),
    /** `/metrics` is served. */
    hasMetrics: readSwitch('BLOG_METRICS', text('BLOG_METRICS')),
    logLevel: readLogLevel(text('BLOG_LOG_LEVEL')),
    /** Undefined means: the server makes no backups by itself. */
    backups: readBackups(text, dataDir),
  })
}
