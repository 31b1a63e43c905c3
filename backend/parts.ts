// Every live part of the server, made once from the settings. Knows no rule of its own.
import type { IncomingHttpHeaders } from 'node:http'
import { readAccount } from './accounts/accounts.ts'
import { makeFindViewer, makeSessionNames, mayHaveCredentials } from './accounts/find-viewer.ts'
import { makeJwts } from './accounts/jwt.ts'
import { makeKnownBrowsers } from './accounts/known-browsers.ts'
import { makePasswords } from './accounts/passwords.ts'
import { makeSessionCookies } from './accounts/session-cookies.ts'
import { makeOwnBackups, type OwnBackups } from './backups/own-backups.ts'
import { makeResponseCache } from './cache/response-cache.ts'
import { type Collections, makeCollections } from './collections/collections.ts'
import type { Config } from './config.ts'
import { type Opening, openDatabase } from './database/database.ts'
import { makeReadPublicVersion } from './database/public-version.ts'
import { requireSameSecrets, type Secrets } from './database/same-secrets.ts'
import type { Database } from './database/schema.ts'
import type { OnFatal } from './database/sqlite-write-queue.ts'
import { findHasFiles, makeFiles } from './files/files.ts'
import { requireBucket } from './files/s3.ts'
import type { GoogleProvider } from './google/google-provider.ts'
import { makeProviderTokens } from './google/google-sign-in.ts'
import { callbackPath } from './google/routes.ts'
import { makeRateLimits, type RateLimits } from './http/rate-limits.ts'
import { makeMailer } from './mail/mailer.ts'
import type { Pages } from './pages/render-page.ts'
import { makePostTexts, type PostTexts } from './posts/post-texts.ts'
import { makePosts, type Posts } from './posts/posts.ts'
import { recodeStatuses } from './posts/recode-statuses.ts'
import { makeBackground } from './process/background.ts'
import type { Log } from './process/log.ts'
import { makeDataFolder, readOrMakeSecret } from './process/secrets.ts'
import type { OtherWorkers } from './process/workers.ts'
import { makeReads } from './reads/reads.ts'
import { makeRealtime, type Realtime, type RealtimeNeeds } from './realtime/realtime.ts'

/** As those of the app. */
type PartsEdges = {
  now: () => Date
  onFatal: OnFatal
  pages: Pick<Pages, 'describeBody' | 'textsVersion'> | undefined
  otherWorkers?: OtherWorkers
}

export type Parts = Awaited<ReturnType<typeof makeParts>>

/** @throws Error when the data folder, the database or the bucket cannot be used */
export async function makeParts(
  config: Config,
  log: Log,
  { now, onFatal, pages, otherWorkers }: PartsEdges,
) {
  const { dataDir, s3, projectId, publicUrl, isCrossSite } = config
  const { databaseId, collectionId, contentBucketId, avatarBucketId } = config
  await makeDataFolder(dataDir, log)
  if (s3) await requireBucket(s3)
  const secrets = await readSecrets(config)
  const { apiKey, browserKey } = secrets
  const browsers = makeKnownBrowsers(browserKey)
  const jwts = makeJwts(browserKey)
  const providerTokens = makeProviderTokens(secrets.providerTokenKey)
  const ownBackups =
    config.backups && makeOwnBackups({ places: config, ...config.backups, log, now })
  const beforeChange = ownBackups && (() => backUpBeforeChange(ownBackups))
  // Loaded only where it is wanted.
  const metrics = config.hasMetrics ? (await import('./http/metrics.ts')).makeMetrics() : undefined
  const opening = { ...placesOf(config), log, onFatal, beforeChange }
  const db = await openDatabase({ ...opening, watch: metrics })
  await requireSame(config, secrets, { db, log })
  const background = makeBackground(log)
  const rateLimits = makeLimits(config, { db, now })
  const mailer = makeMailer({ mail: config.mail, dataDir, log })
  const passwords = makePasswords()

  const isHttps = publicUrl.startsWith('https:')
  const names = makeSessionNames(projectId, { isHttps })
  const findViewer = makeFindViewer({ db, background, apiKey, names, jwts, now })
  const cookies = makeSessionCookies(projectId, { isHttps, isCrossSite })
  const redirectUri = publicUrl + callbackPath(projectId)
  const googleProvider = await findGoogleProvider(config, { redirectUri, now })

  const files = makeFiles({
    ...{ db, background, log, now },
    ...{ dataDir, s3 },
    contentBucketId,
    avatarBucketId,
    ...{ hasRateLimits: config.hasRateLimits, hasFiles: await findHasFiles(db) },
  })
  const ids = { databaseId, collectionId, contentBucketId, avatarBucketId }
  const collections = await openCollections(config, { db, background, now })
  const posts = makePosts({
    ...{ db, background, now, ...ids },
    ...{ hasTextBodies: config.hasTextBodies, reading: config.reading },
    bodies: makeTexts(config, pages),
    isUsableImage: files.isUsableImage,
    findOwnFiles: files.findOwnFiles,
    notePostFiles: files.notePostFiles,
    noteVersionFiles: files.noteVersionFiles,
    attributes: collections.attributes,
    listVersionFiles: files.listVersionFiles,
    letGoOfFiles: files.letGoOfFiles,
  })
  const reads = makeReads({ db, background, now, isOn: config.hasReadCounts })
  const live = { db, background, rateLimits, findViewer, posts, log, now, otherWorkers }
  return {
    mayHaveCredentials: (headers: IncomingHttpHeaders) => mayHaveCredentials(headers, names),
    realtime: await openRealtime(config, live),
    apiKey,
    ...{ db, log, now },
    metrics,
    ownBackups,
    background,
    rateLimits,
    mailer,
    passwords,
    browsers,
    jwts,
    providerTokens,
    findViewer,
    cookies,
    googleProvider,
    files,
    collections,
    ...{ posts, reads },
    cache: makeResponseCache(makeReadPublicVersion(db)),
  }
}

function placesOf(config: Config): Opening {
  const { dataDir, databaseUrl, databaseConnections } = config
  return { dataDir, databaseUrl, connections: databaseConnections }
}

async function openCollections(
  { hasExtraAttributes: hasExtras, ...config }: Config,
  { background, ...live }: Pick<RealtimeNeeds, 'db' | 'background' | 'now'>,
): Promise<Collections> {
  const collections = makeCollections({ ...live, hasExtras, ...config })
  await collections.keepStatuses((words) => recodeStatuses({ ...live, background }, words))
  return collections
}

/** Its packages are loaded only where somebody can sign in with Google. */
async function findGoogleProvider(
  { google }: Config,
  needs: { redirectUri: string; now: () => Date },
): Promise<GoogleProvider | undefined> {
  if (!google) return undefined
  const { makeGoogleProvider } = await import('./google/google-provider.ts')
  return makeGoogleProvider(google, needs)
}

async function readSecrets({ dataDir, ...given }: Config): Promise<Secrets> {
  const read = (name: string) => readOrMakeSecret(dataDir, name)
  return {
    apiKey: given.apiKey ?? (await read('api-key')),
    browserKey: given.browserKey ?? (await read('browser-key')),
    providerTokenKey: given.providerTokenKey ?? (await read('provider-token-key')),
  }
}

async function requireSame(
  { dataDir, apiKey }: Config,
  secrets: Secrets,
  { db, log }: { db: Database; log: Log },
): Promise<void> {
  try {
    const isApiKeySet = apiKey !== undefined
    await requireSameSecrets({ db, log, dataDir, isApiKeySet }, secrets)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

function makeLimits(
  { hasRateLimits: isOn, processes }: Config,
  { db, now }: Pick<RealtimeNeeds, 'db' | 'now'>,
): RateLimits {
  return makeRateLimits({ isOn, db, processes, nowMs: () => now().getTime() })
}

function makeTexts(config: Config, pages: PartsEdges['pages']): PostTexts {
  const { publicUrl, allowedOrigins, contentBucketId, hasTextBodies } = config
  const describe =
    pages?.textsVersion === undefined
      ? undefined
      : { version: pages.textsVersion, make: pages.describeBody }
  return makePostTexts({ publicUrl, allowedOrigins, contentBucketId, hasTextBodies, describe })
}

async function backUpBeforeChange(ownBackups: OwnBackups): Promise<void> {
  try {
    await ownBackups.make()
  } catch (cause) {
    throw new Error(
      'The database needs changes for this version, and the backup before them failed: nothing was changed',
      { cause },
    )
  }
}

function openRealtime(
  config: Config,
  {
    findViewer,
    posts,
    ...live
  }: Pick<RealtimeNeeds, 'db' | 'background' | 'rateLimits' | 'log' | 'now' | 'otherWorkers'> & {
    findViewer: ReturnType<typeof makeFindViewer>
    posts: Posts
  },
): Promise<Realtime> {
  const { databaseUrl, hasRateLimits, projectId, databaseId, collectionId } = config
  const { publicUrl, allowedOrigins, trustedProxies } = config
  return makeRealtime({
    ...live,
    ...{ databaseUrl, hasRateLimits, projectId, databaseId, collectionId },
    ...{ publicUrl, allowedOrigins, trustedProxies },
    findViewer: (headers) => findViewer({ headers }),
    readAccount: (viewer) => readAccount({ db: live.db }, viewer),
    findPost: posts.findForChange,
  })
}
