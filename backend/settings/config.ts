// The only reader of the environment: reads it into one frozen object. Pure except for files named
// by `…_FILE` variables. An invalid value throws a SettingError that names the variable; `main.ts`
// prints it and exits with code 1. Names and defaults are in setting-definitions.ts, validation is
// in read-settings.ts.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as settings from './read-settings.ts'
import {
  type Env,
  readChoice,
  readNumber,
  readSettingText,
  readSwitch,
  SettingError,
  type SettingName,
} from './setting-definitions.ts'
import { mergeSettingsFile, SETTINGS_FILE } from './settings-file.ts'

export type Config = ReturnType<typeof readConfig>

/**
 * The environment, completed by the settings file of its data folder, if there is one.
 *
 * @throws SettingError for a file that cannot be read or names unknown settings
 */
export function readEnvironment(
  env: Env,
  readText = (path: string): string => readFileSync(path, 'utf8'),
): Env {
  const path = join(resolve(readSettingText(env, 'BLOG_DATA_DIR', readText)), SETTINGS_FILE)
  try {
    return mergeSettingsFile(env, readText(path), path)
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
 * @param readText reads the file of a `NAME_FILE`; tests pass their own
 * @throws SettingError that names the variable and says what is wrong
 * @source settings.md
 */
export function readConfig(
  env: Env,
  readText = (path: string): string => readFileSync(path, 'utf8'),
) {
  const text = (name: SettingName): string => readSettingText(env, name, readText)
  const word = <Word extends string>(name: SettingName, words: readonly Word[]): Word =>
    readChoice(name, text(name), words)
  const port = readNumber('PORT', text, [0, 65_535])
  const dataDir = resolve(text('BLOG_DATA_DIR'))
  const publicUrl = settings.readOrigin(
    'BLOG_PUBLIC_URL',
    text('BLOG_PUBLIC_URL') || `http://localhost:${port}`,
  )
  const host = settings.readHost(text)
  const isPublic = settings.isPublic(publicUrl, host)
  const hasRateLimits = readSwitch('BLOG_RATE_LIMITS', text)
  if (isPublic && !hasRateLimits)
    throw new SettingError(
      'BLOG_RATE_LIMITS: "off" is refused where others can reach the blog (BLOG_PUBLIC_URL, HOST)',
    )
  return Object.freeze({
    /** Whether other machines can reach the blog, judging by its settings. */
    isPublic,
    host,
    /** 0 asks the system for a free port. */
    port,
    /** Processes on this host; if more than 1, workers of a primary. */
    processes: settings.readProcesses(text, port),
    /** The site's own origin, without a trailing slash: `http://localhost:3000`. */
    publicUrl,
    isHttps: publicUrl.startsWith('https:'),
    /** Origins that may call with cookies, the blog's own first. */
    allowedOrigins: settings.readAllowedOrigins(text, publicUrl),
    trustedProxies: settings.readProxies(text),
    dataDir,
    ...settings.readDatabase(text),
    /** Undefined: files are stored in the data folder. */
    s3: settings.readS3(text),
    projectId: settings.readId('BLOG_PROJECT_ID', text),
    databaseId: settings.readId('BLOG_DATABASE_ID', text),
    collectionId: settings.readCollectionId(text),
    contentBucketId: settings.readId('BLOG_CONTENT_BUCKET_ID', text),
    avatarBucketId: settings.readId('BLOG_AVATAR_BUCKET_ID', text),
    // Undefined: generated once and stored in the data folder.
    apiKey: settings.readApiKey(text),
    browserKey: settings.readSecretKey('BLOG_BROWSER_KEY', text),
    providerTokenKey: settings.readSecretKey('BLOG_PROVIDER_TOKEN_KEY', text),
    ...settings.readSite(env, text),
    mail: settings.readMail(text, publicUrl),
    /** Undefined: no sign-in with Google. */
    google: settings.readGoogle(text),
    /** Posts may have extra attributes. */
    hasExtraAttributes: readSwitch('BLOG_EXTRA_ATTRIBUTES', text),
    /** Pages are on another site than the API: cookies get SameSite=None. */
    isCrossSite: readSwitch('BLOG_CROSS_SITE', text),
    hasRateLimits,
    /** Reads of posts are counted. */
    hasReadCounts: readSwitch('BLOG_READ_COUNTS', text),
    /** `/metrics` is served. */
    hasMetrics: readSwitch('BLOG_METRICS', text),
    logLevel: word('BLOG_LOG_LEVEL', settings.LOG_LEVELS),
    /** Undefined: operators choose in the browser. */
    backups: settings.readBackups(text, dataDir),
    backupKeep: settings.readBackupKeep(env, text),
  })
}
