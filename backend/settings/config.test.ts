// Settings: defaults, and every refused value.
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { SettingError } from './setting-definitions.ts'

test('without any setting everything has a default', () => {
  expect(readConfig({})).toEqual({
    isPublic: false,
    host: '127.0.0.1',
    port: 3000,
    processes: 1,
    publicUrl: 'http://localhost:3000',
    isHttps: false,
    allowedOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'],
    trustedProxies: [],
    dataDir: resolve('data'),
    databaseUrl: undefined,
    databaseConnections: 10,
    s3: undefined,
    projectId: 'blog',
    databaseId: 'blogdb',
    collectionId: 'posts',
    contentBucketId: 'content',
    avatarBucketId: 'avatars',
    apiKey: undefined,
    browserKey: undefined,
    providerTokenKey: undefined,
    siteDefaults: {
      siteName: 'Web App',
      about: 'A quiet place to write and read.',
      reading: 'members',
      registration: 'open',
      newRole: 'author',
      comments: 'on',
      approveFirst: 'on',
      accent: '#f6dc8f',
    },
    fixedSite: [],
    mail: { kind: 'outbox', from: 'no-reply@localhost' },
    google: undefined,
    isCrossSite: false,
    hasRateLimits: true,
    hasExtraAttributes: false,
    hasMetrics: false,
    hasReadCounts: true,
    logLevel: 'info',
    backups: undefined,
  })
})

test('nobody can change settings later', () => {
  const config = readConfig({})
  expect([config, config.allowedOrigins, config.trustedProxies].map(Object.isFrozen)).toEqual([
    true,
    true,
    true,
  ])
})

const S3_REST = {
  BLOG_S3_BUCKET: 'blog-files',
  BLOG_S3_ACCESS_KEY: 'me',
  BLOG_S3_SECRET_KEY: 'hush',
}

describe('values', () => {
  test.each([
    { env: { PORT: '0' }, config: { port: 0 } },
    { env: { PORT: ' 8080 ' }, config: { port: 8080, publicUrl: 'http://localhost:8080' } },
    { env: { PORT: '' }, config: { port: 3000 } },
    { env: { HOST: '::' }, config: { host: '::' } },
    { env: { HOST: 'blog.internal' }, config: { host: 'blog.internal' } },
    {
      env: { BLOG_PUBLIC_URL: 'https://Blog.Example/' },
      config: { publicUrl: 'https://blog.example', allowedOrigins: ['https://blog.example'] },
    },
    {
      env: {
        BLOG_PUBLIC_URL: 'https://blog.example',
        BLOG_ALLOWED_ORIGINS: 'https://a.example, https://b.example:8443 https://blog.example',
      },
      config: {
        allowedOrigins: ['https://blog.example', 'https://a.example', 'https://b.example:8443'],
      },
    },
    {
      env: {
        BLOG_PUBLIC_URL: 'https://blog.example',
        BLOG_ALLOWED_ORIGINS: 'appwrite-ios://com.example.blog appwrite-android://com.Example.Blog',
      },
      config: {
        allowedOrigins: [
          'https://blog.example',
          'appwrite-ios://com.example.blog',
          'appwrite-android://com.Example.Blog',
        ],
      },
    },
    {
      env: { ...S3_REST, BLOG_S3_ENDPOINT: 'https://s3.example/' },
      config: {
        s3: {
          endpoint: 'https://s3.example',
          bucket: 'blog-files',
          region: 'us-east-1',
          accessKey: 'me',
          secretKey: 'hush',
        },
      },
    },
    {
      env: { BLOG_TRUSTED_PROXIES: 'loopback 10.0.0.0/8,2001:db8::/32' },
      config: { trustedProxies: ['loopback', '10.0.0.0/8', '2001:db8::/32'] },
    },
    {
      env: { BLOG_DATABASE_URL: 'postgresql://blog@db/blog' },
      config: { databaseUrl: 'postgresql://blog@db/blog' },
    },
    {
      env: {
        BLOG_DATABASE_URL: 'postgres://db/blog',
        BLOG_DATABASE_CONNECTIONS: '40',
      },
      config: { databaseConnections: 40 },
    },
    { env: { BLOG_API_KEY: '0123456789abcdef' }, config: { apiKey: '0123456789abcdef' } },
    { env: { BLOG_SITE_NAME: 'Lámpara 💡' }, config: { siteDefaults: { siteName: 'Lámpara 💡' } } },
    { env: { BLOG_MAIL: 'off' }, config: { mail: { kind: 'off' } } },
    {
      env: { BLOG_BACKUP_DIR: '/backups' },
      config: { backups: { folder: '/backups', keep: 7 } },
    },
    {
      env: { BLOG_BACKUP_DIR: '/backups', BLOG_BACKUP_KEEP: '30' },
      config: { backups: { folder: '/backups', keep: 30 } },
    },
    {
      env: { BLOG_PUBLIC_URL: 'https://blog.example' },
      config: { mail: { kind: 'outbox', from: 'no-reply@blog.example' } },
    },
    ...['blog@example.test', 'The Blog <blog@example.test>'].map((from) => ({
      env: { BLOG_SMTP_URL: 'smtps://me:pw@mail.example:465', BLOG_MAIL_FROM: from },
      config: { mail: { kind: 'smtp', url: 'smtps://me:pw@mail.example:465', from } },
    })),
    {
      env: {
        BLOG_MAIL: 'off',
        BLOG_SMTP_URL: 'smtp://mail.example',
        BLOG_MAIL_FROM: 'blog@example.test',
      },
      config: { mail: { kind: 'off' } },
    },
    {
      env: { BLOG_GOOGLE_CLIENT_ID: 'id', BLOG_GOOGLE_CLIENT_SECRET: 'hush' },
      config: {
        google: { clientId: 'id', clientSecret: 'hush', issuer: 'https://accounts.google.com' },
      },
    },
    {
      env: {
        BLOG_GOOGLE_CLIENT_ID: 'id',
        BLOG_GOOGLE_CLIENT_SECRET: 'hush',
        BLOG_GOOGLE_ISSUER: 'http://localhost:4000/oidc',
      },
      config: {
        google: { clientId: 'id', clientSecret: 'hush', issuer: 'http://localhost:4000/oidc' },
      },
    },
    { env: { BLOG_GOOGLE_ISSUER: 'https://login.example' }, config: { google: undefined } },
    {
      env: { BLOG_READING: 'everyone' },
      config: { siteDefaults: { reading: 'everyone' }, fixedSite: ['reading'] },
    },
    {
      env: { BLOG_ABOUT: 'Six people, no hurry.' },
      config: { siteDefaults: { about: 'Six people, no hurry.' } },
    },
    { env: { BLOG_REGISTRATION: 'closed' }, config: { siteDefaults: { registration: 'closed' } } },
    { env: { BLOG_EXTRA_ATTRIBUTES: 'on' }, config: { hasExtraAttributes: true } },
    { env: { BLOG_CROSS_SITE: 'on' }, config: { isCrossSite: true } },
    {
      env: { BLOG_AVATAR_BUCKET_ID: 'content' },
      config: { contentBucketId: 'content', avatarBucketId: 'content' },
    },
    { env: { BLOG_RATE_LIMITS: 'off' }, config: { hasRateLimits: false } },
    { env: { NODE_ENV: 'production', BLOG_RATE_LIMITS: 'off' }, config: { isPublic: false } },
    { env: { BLOG_PUBLIC_URL: 'http://127.0.0.1:8080' }, config: { isPublic: false } },
    { env: { BLOG_PUBLIC_URL: 'http://blog.example' }, config: { isPublic: true } },
    { env: { BLOG_PUBLIC_URL: 'https://localhost' }, config: { isPublic: true } },
    { env: { HOST: '0.0.0.0' }, config: { isPublic: true } },
    { env: { HOST: '::1' }, config: { isPublic: false } },
    { env: { BLOG_LOG_LEVEL: 'silent' }, config: { logLevel: 'silent' } },
  ])('$env is understood', ({ env, config }) => {
    expect(readConfig(env)).toMatchObject(config)
  })

  test.each<{ env: Record<string, string>; says?: string }>([
    { env: { PORT: 'http' } },
    { env: { PORT: '65536' } },
    { env: { PORT: '-1' } },
    { env: { PORT: '80.5' } },
    { env: { PORT: '0x50' } },
    { env: { BLOG_BACKUP_KEEP: '0' } },
    { env: { BLOG_BACKUP_KEEP: '1.5' } },
    { env: { BLOG_BACKUP_DIR: './data' } },
    { env: { HOST: 'a host' } },
    { env: { HOST: 'http://localhost' } },
    { env: { BLOG_PUBLIC_URL: 'blog.example' }, says: 'Invalid endpoint URL' },
    { env: { BLOG_PUBLIC_URL: 'ftp://blog.example' }, says: 'Invalid endpoint URL' },
    { env: { BLOG_PUBLIC_URL: 'https://blog.example/v1' }, says: 'must be an origin only' },
    { env: { BLOG_PUBLIC_URL: 'https://blog.example/?a=1' }, says: 'must be an origin only' },
    { env: { BLOG_PUBLIC_URL: 'https://me:pw@blog.example' }, says: 'must be an origin only' },
    { env: { BLOG_ALLOWED_ORIGINS: '*' }, says: 'Invalid endpoint URL' },
    { env: { BLOG_ALLOWED_ORIGINS: 'null' }, says: 'Invalid endpoint URL' },
    { env: { BLOG_ALLOWED_ORIGINS: 'appwrite-ios://*' }, says: 'Invalid endpoint URL' },
    { env: { BLOG_ALLOWED_ORIGINS: 'other-ios://com.example' }, says: 'Invalid endpoint URL' },
    { env: { BLOG_PUBLIC_URL: 'appwrite-ios://com.example' }, says: 'Invalid endpoint URL' },
    {
      env: { BLOG_ALLOWED_ORIGINS: 'https://a.example javascript:alert(1)' },
      says: 'Invalid endpoint URL',
    },
    { env: { BLOG_TRUSTED_PROXIES: 'proxy.example' } },
    { env: { BLOG_TRUSTED_PROXIES: '10.0.0.0/33' } },
    { env: { BLOG_TRUSTED_PROXIES: '::1/129' } },
    { env: { BLOG_TRUSTED_PROXIES: '10.0.0.0/x' } },
    { env: { BLOG_DATABASE_URL: 'mysql://db/blog' } },
    { env: { BLOG_DATABASE_URL: './blog.sqlite' } },
    { env: { BLOG_DATABASE_CONNECTIONS: '1' }, says: '2 to 500' },
    { env: { BLOG_DATABASE_CONNECTIONS: 'many' } },
    { env: { BLOG_BROWSER_KEY: 'short' }, says: '64 hexadecimal digits' },
    { env: { BLOG_PROVIDER_TOKEN_KEY: 'g'.repeat(64) } },
    {
      env: { BLOG_S3_SECRET_KEY: 'hush' },
      says: 'BLOG_S3_ENDPOINT, BLOG_S3_BUCKET, BLOG_S3_ACCESS_KEY is missing',
    },
    { env: { BLOG_S3_ENDPOINT: 's3.example', ...S3_REST } },
    { env: { BLOG_S3_ENDPOINT: 'https://me:hush@s3.example', ...S3_REST } },
    {
      env: { ...S3_REST, BLOG_S3_BUCKET: 'Files', BLOG_S3_ENDPOINT: 'https://s3.example' },
      says: '"Files"',
    },
    { env: { BLOG_S3_REGION: 'here/there', ...S3_REST, BLOG_S3_ENDPOINT: 'https://s3.example' } },
    {
      env: {
        BLOG_S3_SECRET_KEY: 'in two',
        BLOG_S3_ENDPOINT: 'https://s3.example',
        BLOG_S3_BUCKET: 'blog',
        BLOG_S3_ACCESS_KEY: 'me',
      },
    },
    { env: { BLOG_PROJECT_ID: '-blog' } },
    { env: { BLOG_PROJECT_ID: 'a'.repeat(37) } },
    { env: { BLOG_DATABASE_ID: 'a b' } },
    { env: { BLOG_COLLECTION_ID: '../posts' } },
    { env: { BLOG_COLLECTION_ID: 'comments' } },
    { env: { BLOG_CONTENT_BUCKET_ID: '_content' } },
    { env: { BLOG_AVATAR_BUCKET_ID: 'ävatars' } },
    { env: { BLOG_API_KEY: 'short' } },
    { env: { BLOG_API_KEY: 'with a space in it' } },
    { env: { BLOG_API_KEY: 'a'.repeat(257) } },
    { env: { BLOG_SITE_NAME: 'a'.repeat(81) } },
    { env: { BLOG_SITE_NAME: 'two\nlines' } },
    { env: { BLOG_MAIL: 'outbox' } },
    {
      env: { BLOG_SMTP_URL: 'smtp://mail.example' },
      says: 'BLOG_SMTP_URL and BLOG_MAIL_FROM belong together',
    },
    {
      env: { BLOG_MAIL_FROM: 'blog@example.test' },
      says: 'BLOG_SMTP_URL and BLOG_MAIL_FROM belong together',
    },
    { env: { BLOG_SMTP_URL: 'http://mail.example', BLOG_MAIL_FROM: 'blog@example.test' } },
    { env: { BLOG_SMTP_URL: 'mail.example:25', BLOG_MAIL_FROM: 'blog@example.test' } },
    { env: { BLOG_SMTP_URL: 'smtp://', BLOG_MAIL_FROM: 'blog@example.test' } },
    ...[
      'The Blog',
      'blog@example.test, more@example.test',
      'The Blog <blog>',
      'a\nb <blog@example.test>',
    ].map((from) => ({
      env: { BLOG_MAIL_FROM: from, BLOG_SMTP_URL: 'smtp://mail.example' },
    })),
    { env: { BLOG_GOOGLE_CLIENT_ID: 'id' }, says: 'belong together' },
    { env: { BLOG_GOOGLE_CLIENT_SECRET: 'hush' }, says: 'belong together' },
    { env: { BLOG_GOOGLE_ISSUER: 'accounts.google.com' } },
    { env: { BLOG_GOOGLE_ISSUER: 'http://login.example' } },
    { env: { BLOG_READING: 'public' } },
    { env: { BLOG_ABOUT: 'two\nlines' } },
    { env: { BLOG_ABOUT: 'x'.repeat(161) } },
    { env: { BLOG_REGISTRATION: 'off' } },
    { env: { BLOG_CROSS_SITE: 'yes' } },
    { env: { BLOG_RATE_LIMITS: 'no' } },
    { env: { BLOG_RATE_LIMITS: 'off', HOST: '0.0.0.0' }, says: 'others can reach the blog' },
    { env: { BLOG_RATE_LIMITS: 'off', BLOG_PUBLIC_URL: 'https://blog.example' } },
    { env: { BLOG_LOG_LEVEL: 'loud' } },
  ])('$env is refused by name', ({ env, says = '' }) => {
    const [name = ''] = Object.keys(env)
    expect(() => readConfig(env)).toThrow(SettingError)
    expect(() => readConfig(env)).toThrow(name)
    expect(() => readConfig(env)).toThrow(says)
  })

  test('a refused secret is not repeated in the message', () => {
    expect(() => readConfig({ BLOG_API_KEY: 'tell nobody about it' })).toThrow(
      /^BLOG_API_KEY: must be 16 to 256 visible ASCII characters$/,
    )
    for (const env of [
      { BLOG_DATABASE_URL: 'mysql://blog:hush@db' },
      { BLOG_SMTP_URL: 'mail://blog:hush@mail.example', BLOG_MAIL_FROM: 'blog@example.test' },
    ]) {
      expect(() => readConfig(env)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hush') }),
      )
    }
  })
})

describe('settings in files', () => {
  const files: Record<string, string> = { '/run/key': '0123456789abcdef\n', '/run/empty': ' \n' }
  function readText(path: string): string {
    const text = files[path]
    if (text === undefined) throw new Error('no such file')
    return text
  }

  test('a value may be read from a file', () => {
    expect(readConfig({ BLOG_API_KEY_FILE: '/run/key' }, readText).apiKey).toBe('0123456789abcdef')
  })

  test.each([
    {
      env: { BLOG_API_KEY_FILE: '/run/none' },
      says: 'BLOG_API_KEY_FILE: /run/none cannot be read',
    },
    { env: { BLOG_API_KEY_FILE: '/run/empty' }, says: 'BLOG_API_KEY_FILE: /run/empty is empty' },
    {
      env: { BLOG_API_KEY_FILE: '/run/key', BLOG_API_KEY: '0123456789abcdef' },
      says: 'BLOG_API_KEY and BLOG_API_KEY_FILE are both set: keep one',
    },
  ])('$says', ({ env, says }) => {
    expect(() => readConfig(env, readText)).toThrow(new SettingError(says))
  })
})
