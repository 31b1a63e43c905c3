// Every live part of the server, made once from the settings. Knows no rule of its own.

import { makePasswords } from './accounts/passwords.ts'
import {
  makeResolveViewer,
  makeSessionNames,
  mayHaveCredentials,
} from './accounts/resolve-viewer.ts'
import { makeKnownBrowsers, makeSessionCookies } from './accounts/session-cookies.ts'
import { readAccount } from './accounts/users.ts'
import { makeOwnBackups } from './backups/scheduled-backups.ts'
import { makeResponseCache } from './cache/response-cache.ts'
import { makeReadAttributes } from './compat/attributes.ts'
import { keepStatuses } from './compat/collections.ts'
import { makeJwts } from './compat/jwt.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/database.ts'
import { makeReadPublicVersion } from './database/public-version.ts'
import { requireSameSecrets, type Secrets } from './database/same-secrets.ts'
import type { OnFatal } from './database/sqlite-write-queue.ts'
import { findHasFiles, makeFiles } from './files/files.ts'
import { requireBucket } from './files/s3.ts'
import type { GoogleProvider } from './google/google-provider.ts'
import { makeProviderTokens } from './google/google-sign-in.ts'
import { callbackPath } from './google/routes.ts'
import { makeRateLimits } from './http/rate-limits.ts'
import { makeMailer } from './mail/mailer.ts'
import type { Pages } from './pages/render-page.ts'
import type { PostNeeds } from './posts/needs.ts'
import { findForChange } from './posts/post-serialiser.ts'
import { makePostTexts, type PostTexts } from './posts/post-texts.ts'
import { recodeStatuses, renewSome } from './posts/renew-texts.ts'
import { makeBackground } from './process/background.ts'
import type { Log } from './process/log.ts'
import { makeDataFolder, readOrMakeSecret } from './process/secrets.ts'
import type { OtherWorkers } from './process/workers.ts'
import { makeReads } from './reads/reads.ts'
import { makeRealtime } from './realtime/realtime.ts'

/** What the outside world gives: replaceable in tests. */
export type Edges = {
  now: () => Date
  /** The web part; without it only the API is served. */
  pages: Pages | undefined
  /** SQLite could not write or sync: nothing may be acknowledged any more. */
  onFatal: OnFatal
  /** False: previews are only drawn when somebody asks for them. */
  drawsAhead?: boolean
  /** The other processes of the blog on this machine; none when absent. */
  otherWorkers?: OtherWorkers
  /** False: another process of this machine does what only one has to do. */
  isFirst?: boolean
}

export type Services = Awaited<ReturnType<typeof makeServices>>

const NOTHING_CHANGED =
  'The database needs changes for this version, and the backup before them failed: nothing was changed'

/** @throws Error when the data folder, the database or the bucket cannot be used */
export async function makeServices(config: Config, log: Log, edges: Edges) {
  const { now, onFatal, pages, otherWorkers } = edges
  const { dataDir, s3, projectId, publicUrl, isCrossSite } = config
  await makeDataFolder(dataDir, log)
  if (s3) await requireBucket(s3)
  const secrets = await readSecrets(config)
  const { apiKey, browserKey } = secrets
  const browsers = makeKnownBrowsers(browserKey)
  const jwts = makeJwts(browserKey)
  const providerTokens = makeProviderTokens(secrets.providerTokenKey)
  const ownBackups =
    config.backups && makeOwnBackups({ places: config, ...config.backups, log, now })
  const beforeChange =
    ownBackups &&
    (async () => {
      await ownBackups.make().catch((cause: unknown) => {
        throw new Error(NOTHING_CHANGED, { cause })
      })
    })
  // Loaded only where it is wanted.
  const metrics = config.hasMetrics ? (await import('./http/metrics.ts')).makeMetrics() : undefined
  const db = await openDatabase({
    ...config,
    ...{ connections: config.databaseConnections, log, onFatal, beforeChange, watch: metrics },
  })
  const isApiKeySet = config.apiKey !== undefined
  await requireSameSecrets({ db, log, dataDir, isApiKeySet }, secrets).catch(async (error) => {
    await db.destroy()
    throw error
  })
  const background = makeBackground(log)
  const live = { db, background, log, now }
  const rateLimits = makeRateLimits({
    isOn: config.hasRateLimits,
    ...{ db, processes: config.processes, nowMs: () => now().getTime() },
  })
  const mailer = makeMailer({ mail: config.mail, dataDir, log })
  const passwords = makePasswords()

  const isHttps = publicUrl.startsWith('https:')
  const names = makeSessionNames(projectId, { isHttps })
  const resolveViewer = makeResolveViewer({ ...live, apiKey, names, readProof: jwts.readProof })
  const cookies = makeSessionCookies(projectId, { isHttps, isCrossSite })
  const redirectUri = publicUrl + callbackPath(projectId)
  const googleProvider = await findGoogleProvider(config, { redirectUri, now })

  const files = makeFiles({ ...config, ...live, hasFiles: await findHasFiles(db) })
  const declared = { ...config, ...live }
  await keepStatuses(declared, (words) => recodeStatuses(live, words))
  const attributes = makeReadAttributes(declared)
  const bodies = makeTexts(config, pages)
  const forPosts = { ...config, ...live, ...files, attributes, bodies }
  const posts: PostNeeds = { ...forPosts, renew: (seqs) => renewSome(forPosts, seqs) }
  const reads = makeReads({ ...live, isOn: config.hasReadCounts })
  const realtime = await makeRealtime({
    ...{ ...config, ...live, rateLimits, otherWorkers },
    resolveViewer: (headers) => resolveViewer({ headers }),
    readAccount: (viewer) => readAccount(live, viewer),
    findPost: (id) => findForChange(posts, id),
  })
  return {
    mayHaveCredentials: mayHaveCredentials.bind(undefined, names),
    ...{ ...live, apiKey, metrics, ownBackups, rateLimits, mailer, passwords, browsers, jwts },
    ...{ providerTokens, resolveViewer, cookies, googleProvider },
    ...{ files, posts, reads, realtime },
    cache: makeResponseCache(makeReadPublicVersion(db)),
  }
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

function makeTexts(config: Config, pages: Edges['pages']): PostTexts {
  const { publicUrl, allowedOrigins, contentBucketId, hasTextBodies } = config
  const describe =
    pages?.textsVersion === undefined
      ? undefined
      : { version: pages.textsVersion, make: pages.describeBody }
  return makePostTexts({ publicUrl, allowedOrigins, contentBucketId, hasTextBodies, describe })
}
