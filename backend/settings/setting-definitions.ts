// Defines all settings with their defaults, and reads the text of one from its variable or from the
// file that NAME_FILE names.

/** A setting is invalid; the message names its variable. */
export class SettingError extends Error {}

/** @throws SettingError when the value is invalid */
export function assertSetting(isValid: unknown, name: string, rule: string): asserts isValid {
  if (!isValid) throw new SettingError(`${name}: ${rule}`)
}

/**
 * Every setting with its default. `npm run settings` writes docs/settings.md and `.env.example`
 * from this table and its comments.
 */
export const SETTINGS = {
  /** Port to listen on; 0 asks the system for a free one. */
  PORT: '3000',
  /** Address to listen on; 0.0.0.0 means every network of this host. */
  HOST: '127.0.0.1',
  /** Processes that share the work on this host: a number, or auto for one per core. */
  BLOG_PROCESSES: '1',
  /** Folder of the database, the files and the secrets. */
  BLOG_DATA_DIR: './data',
  /**
   * URL of the blog in the browser, like https://blog.example; empty means http://localhost and
   * the port.
   */
  BLOG_PUBLIC_URL: '',
  /**
   * Other sites that may call with cookies, separated by spaces or commas; the blog always may.
   * Apps: appwrite-ios://com.example.blog.
   */
  BLOG_ALLOWED_ORIGINS: '',
  /**
   * Reverse proxies whose X-Forwarded-For is trusted: addresses, networks like 10.0.0.0/8, or
   * loopback.
   */
  BLOG_TRUSTED_PROXIES: '',
  /** A postgres:// URL; empty means an SQLite file in the data folder. */
  BLOG_DATABASE_URL: '',
  /** Connections of each process to PostgreSQL, at most. */
  BLOG_DATABASE_CONNECTIONS: '10',
  /**
   * S3 server for files, like https://s3.example; empty means files/ of the data folder. Set the
   * bucket and both keys with it.
   */
  BLOG_S3_ENDPOINT: '',
  /** Bucket of this blog alone: unused files are removed from it. */
  BLOG_S3_BUCKET: '',
  /** Region of the bucket. */
  BLOG_S3_REGION: 'us-east-1',
  /** Access key for the bucket. */
  BLOG_S3_ACCESS_KEY: '',
  /** Secret key that belongs to the access key. */
  BLOG_S3_SECRET_KEY: '',
  /** Project id, which clients send with every call. */
  BLOG_PROJECT_ID: 'blog',
  /** Database id in the paths of documents. */
  BLOG_DATABASE_ID: 'blogdb',
  /** Id of the collection of posts. */
  BLOG_COLLECTION_ID: 'posts',
  /** Id of the bucket for images of posts. */
  BLOG_CONTENT_BUCKET_ID: 'content',
  /** Id of the bucket for avatars. */
  BLOG_AVATAR_BUCKET_ID: 'avatars',
  /**
   * Key of the server API, 16 to 256 characters; empty means one generated at the first start and
   * stored in the data folder.
   */
  BLOG_API_KEY: '',
  /**
   * Secret behind known browsers and account tokens, 64 hexadecimal digits; empty means one
   * generated, as above.
   */
  BLOG_BROWSER_KEY: '',
  /**
   * Secret that encrypts the tokens of sign-in providers, 64 hexadecimal digits; empty means one
   * generated, as above.
   */
  BLOG_PROVIDER_TOKEN_KEY: '',
  /** Name in the header and in page titles. */
  BLOG_SITE_NAME: 'Web App',
  /** One line about the blog: above its list, in the footer, for search engines and feeds. */
  BLOG_ABOUT: 'A quiet place to write and read.',
  /**
   * Who may read the pages of the list, of authors, tags and search: members (signed-in users) or
   * everyone. Each active post, and the API's list of them, is open to everyone.
   */
  BLOG_READING: 'members',
  /** on, or off: then nothing that needs email is offered. */
  BLOG_MAIL: 'on',
  /**
   * Mail server, like smtps://user:password@mail.example:465; empty means .eml files in outbox/ of
   * the data folder.
   */
  BLOG_SMTP_URL: '',
  /**
   * Sender of every mail: an address, or a name and the address in angle brackets; set it together
   * with BLOG_SMTP_URL.
   */
  BLOG_MAIL_FROM: '',
  /** Client id for sign-in with Google; empty means no such sign-in. */
  BLOG_GOOGLE_CLIENT_ID: '',
  /** Client secret that belongs to the client id. */
  BLOG_GOOGLE_CLIENT_SECRET: '',
  /** OpenID provider behind the sign-in; need not be Google. */
  BLOG_GOOGLE_ISSUER: 'https://accounts.google.com',
  /** on: posts may have extra attributes, which are stored and returned as they came. */
  BLOG_EXTRA_ATTRIBUTES: 'off',
  /** open, invitation (only people who were invited add accounts) or closed. */
  BLOG_REGISTRATION: 'open',
  /**
   * on when the pages live on another site than the API; scripts of those pages can then see the
   * session.
   */
  BLOG_CROSS_SITE: 'off',
  /** on, or off for load tests; off is refused where others can reach the blog. */
  BLOG_RATE_LIMITS: 'on',
  /** One of fatal, error, warn, info, debug, trace, silent. */
  BLOG_LOG_LEVEL: 'info',
  /** on: authors see how often their posts are read; off: nothing is counted. */
  BLOG_READ_COUNTS: 'on',
  /** on: /metrics for Prometheus, for this host and holders of the API key. */
  BLOG_METRICS: 'off',
  /** Folder for backups each night and before migrations; empty: as /admin/backups says. */
  BLOG_BACKUP_DIR: '',
  /** Number of these backups to keep; older ones are deleted once a new one is verified. */
  BLOG_BACKUP_KEEP: '7',
} as const

/** Former settings, with the message for operators who still set one. */
const FORMER_SETTINGS: Readonly<Record<string, string>> = {
  BLOG_CONTENT: 'is no longer used: the text of a post is always HTML',
  BLOG_PUBLIC_STATUSES: 'is no longer used: the status of a public post is always active',
  BLOG_DATABASE_REPLICA_URL:
    'is no longer used: everything is read from BLOG_DATABASE_URL (docs/operating.md, "Reads at a replica")',
  BLOG_WEBSUB_HUB: 'is no longer used: no hub is notified when a feed changes',
}

export type SettingName = keyof typeof SETTINGS
export type Env = Readonly<Record<string, string | undefined>>

export function isSettingName(name: string): boolean {
  return Object.hasOwn(SETTINGS, name) || Object.hasOwn(FORMER_SETTINGS, name)
}

/** A message for each former setting that is still set. */
export function describeFormerSettings(env: Env): string[] {
  return Object.entries(FORMER_SETTINGS)
    .filter(([name]) => env[name] || env[`${name}_FILE`])
    .map(([name, text]) => `${name} ${text}`)
}

/** Returns the text of a setting. */
export type SettingText = (name: SettingName) => string

export function readSettingText(
  env: Env,
  name: SettingName,
  readText: (path: string) => string,
): string {
  const path = env[`${name}_FILE`]
  if (!path) return env[name]?.trim() || SETTINGS[name]
  if (env[name]) throw new SettingError(`${name} and ${name}_FILE are both set: keep one`)
  let value: string
  try {
    value = readText(path).trim()
  } catch (cause) {
    throw new SettingError(`${name}_FILE: ${path} cannot be read`, { cause })
  }
  if (!value) throw new SettingError(`${name}_FILE: ${path} is empty`)
  return value
}

export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** The text, which must be one of these words. */
export function readChoice<Word extends string>(
  name: SettingName,
  text: string,
  words: readonly Word[],
) {
  const word = words.find((choice) => choice === text)
  assertSetting(word, name, `"${text}" is none of ${words.join(', ')}`)
  return word
}

export function readSwitch(name: SettingName, text: SettingText): boolean {
  return readChoice(name, text(name), ['on', 'off']) === 'on'
}

export function readNumber(
  name: SettingName,
  text: SettingText,
  [min, max]: [number, number],
): number {
  const number = /^\d{1,5}$/.test(text(name)) ? Number(text(name)) : Number.NaN
  assertSetting(
    number >= min && number <= max,
    name,
    `"${text(name)}" is not a number from ${min} to ${max}`,
  )
  return number
}
