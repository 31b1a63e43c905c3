// Every setting with its default, and how the text of one is found: in its variable, or in the file
// that NAME_FILE names.

/** A setting is wrong; the message names its variable. */
export class SettingError extends Error {}

/** @throws SettingError when the value is not fine */
export function must(isFine: unknown, name: string, says: string): asserts isFine {
  if (!isFine) throw new SettingError(`${name}: ${says}`)
}

/** Every variable with the default as `.env.example` shows it; a test compares the two. */
export const SETTINGS = {
  PORT: '3000',
  HOST: '127.0.0.1',
  BLOG_PROCESSES: '1',
  BLOG_DATA_DIR: './data',
  BLOG_PUBLIC_URL: '',
  BLOG_ALLOWED_ORIGINS: '',
  BLOG_TRUSTED_PROXIES: '',
  BLOG_DATABASE_URL: '',
  BLOG_DATABASE_CONNECTIONS: '10',
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
  BLOG_BROWSER_KEY: '',
  BLOG_PROVIDER_TOKEN_KEY: '',
  BLOG_SITE_NAME: 'Web App',
  BLOG_ABOUT: 'A quiet place to write and read.',
  BLOG_READING: 'members',
  BLOG_WEBSUB_HUB: '',
  BLOG_MAIL: 'on',
  BLOG_SMTP_URL: '',
  BLOG_MAIL_FROM: '',
  BLOG_GOOGLE_CLIENT_ID: '',
  BLOG_GOOGLE_CLIENT_SECRET: '',
  BLOG_GOOGLE_ISSUER: 'https://accounts.google.com',
  BLOG_EXTRA_ATTRIBUTES: 'off',
  BLOG_PUBLIC_STATUSES: 'active',
  BLOG_CONTENT: 'html',
  BLOG_REGISTRATION: 'open',
  BLOG_CROSS_SITE: 'off',
  BLOG_RATE_LIMITS: 'on',
  BLOG_LOG_LEVEL: 'info',
  BLOG_READ_COUNTS: 'on',
  BLOG_METRICS: 'off',
  BLOG_BACKUP_DIR: '',
  BLOG_BACKUP_KEEP: '7',
} as const

/** Settings that are not read any more, and what whoever still sets one has to know. */
const FORMER: Readonly<Record<string, string>> = {
  BLOG_DATABASE_REPLICA_URL:
    'is not used any more: everything is read from BLOG_DATABASE_URL (docs/operating.md, "Reads at a replica")',
}

export type Name = keyof typeof SETTINGS
export type Env = Readonly<Record<string, string | undefined>>

export function isKnown(name: string): boolean {
  return Object.hasOwn(SETTINGS, name) || Object.hasOwn(FORMER, name)
}

/** A line for each setting that is still set and not read any more. */
export function sayFormer(env: Env): string[] {
  return Object.entries(FORMER)
    .filter(([name]) => env[name] || env[`${name}_FILE`])
    .map(([name, text]) => `${name} ${text}`)
}

/** Gives the text of a setting. */
export type TextOf = (name: Name) => string

export function readValue(env: Env, name: Name, readText: (path: string) => string): string {
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

export function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** One of some words. */
export function readWord<Word extends string>(name: Name, text: string, words: readonly Word[]) {
  const word = words.find((one) => one === text)
  must(word, name, `"${text}" is none of ${words.join(', ')}`)
  return word
}

export function readSwitch(name: Name, text: TextOf): boolean {
  return readWord(name, text(name), ['on', 'off']) === 'on'
}

export function readNumber(name: Name, text: TextOf, [min, max]: [number, number]): number {
  const number = /^\d{1,5}$/.test(text(name)) ? Number(text(name)) : Number.NaN
  must(
    number >= min && number <= max,
    name,
    `"${text(name)}" is not a number from ${min} to ${max}`,
  )
  return number
}
