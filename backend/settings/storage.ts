// Settings about where rows and files are kept.
import { SettingError, type TextOf } from './table.ts'

/** `endpoint` is an http(s) address without the bucket. */
export type S3Config = {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
}

export function readDatabaseUrl(text: string): string | undefined {
  if (!text) return undefined
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new SettingError(
      'BLOG_DATABASE_URL: not a postgres:// address (leave it empty for SQLite)',
    )
  return text
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
  return { endpoint: endpoint.replace(/\/+$/, ''), bucket, region, accessKey, secretKey }
}
