// Settings that are one word or name: ids, key, site name, registration, log level, processes.
import { availableParallelism } from 'node:os'
import { isId } from '#contract/ids.ts'
import { TITLE_MAX_CHARS } from '#contract/limits.ts'
import { READINGS, type Reading } from '#contract/site-settings.ts'
import { type Name, SettingError, splitWords, type TextOf } from './table.ts'

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

export function readSiteName(text: string): string {
  if (text.length > 80 || /\p{Cc}/u.test(text))
    throw new SettingError('BLOG_SITE_NAME: at most 80 characters on one line')
  return text
}

export function readAbout(text: string): string {
  if (text.length > 160 || /\p{Cc}/u.test(text))
    throw new SettingError('BLOG_ABOUT: at most 160 characters on one line')
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

export function readRegistration(text: string): boolean {
  if (text !== 'open' && text !== 'closed')
    throw new SettingError(`BLOG_REGISTRATION: "${text}" is neither open nor closed`)
  return text === 'open'
}

export function readContentKind(text: string): boolean {
  if (text !== 'html' && text !== 'text')
    throw new SettingError(`BLOG_CONTENT: "${text}" is neither html nor text`)
  return text === 'text'
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
