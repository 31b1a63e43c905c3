// Settings about where rows and files are kept.
import { trimmedEnd } from '#contract/plain-text.ts'
import { POSTGRES_CONNECTIONS_MAX, POSTGRES_CONNECTIONS_MIN } from '#contract/server-limits.ts'
import { type Name, SettingError, type TextOf } from './table.ts'

/** `endpoint` is an http(s) address without the bucket. */
export type S3Config = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

export type DatabaseConfig = {
  /** A `postgres://` address; undefined means SQLite in the data folder. */
  readonly databaseUrl: string | undefined
  /** Connections of one process to it, at most. */
  readonly databaseConnections: number
}

export function readDatabase(text: TextOf): DatabaseConfig {
  const databaseConnections = readConnections(text('BLOG_DATABASE_CONNECTIONS'))
  const databaseUrl = readPostgresUrl('BLOG_DATABASE_URL', text, ' (leave it empty for SQLite)')
  return { databaseUrl, databaseConnections }
}

function readPostgresUrl(name: Name, text: TextOf, hint = ''): string | undefined {
  const url = text(name)
  if (!url) return undefined
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new SettingError(`${name}: not a postgres:// address${hint}`)
  return url
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
  return { endpoint: trimmedEnd(endpoint, '/'), bucket, region, accessKey, secretKey }
}
