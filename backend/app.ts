// The composition root: settings in, a running server out. Makes the context of each room from the
// one to its left, then the server with their routes. Periodic work and the shutdown are in
// lifecycle.ts.

import { type HashCost, makePasswords } from './accounts/passwords.ts'
import { makeResolveViewer, makeSessionNames } from './accounts/resolve-viewer.ts'
import { accountRoutes } from './accounts/routes.ts'
import { makeKnownBrowsers, makeSessionCookies } from './accounts/session-cookies.ts'
import { readAccount } from './accounts/users.ts'
import { makeScheduledBackups } from './backups/scheduled-backups.ts'
import type { CacheContext } from './cache/context.ts'
import { makeResponseCache } from './cache/response-cache.ts'
import { makeAddSharedRead } from './cache/shared-reads.ts'
import { commentRoutes } from './comments/routes.ts'
import { adapter } from './compat/adapter.ts'
import { withAliases } from './compat/attribute-names.ts'
import { type CompatContext, jwtRoutes, makeJwts } from './compat/jwt.ts'
import { makeReadTagVersions } from './database/cache-tags.ts'
import { onDomainEvent } from './database/domain-events.ts'
import type { OnFatal } from './database/sqlite-write-queue.ts'
import { addDiscovery } from './discovery/routes.ts'
import { makeFiles, updateAvatarOnPrefsEvent } from './files/files.ts'
import { fileRoutes } from './files/routes.ts'
import { requireBucket } from './files/s3.ts'
import type { GoogleContext } from './google/context.ts'
import { makeProviderTokens } from './google/provider-tokens.ts'
import { callbackPath, googleRoutes } from './google/routes.ts'
import type { HttpContext } from './http/context.ts'
import { addProxyProbe, makeHealth } from './http/health.ts'
import { makeRateLimits } from './http/rate-limits.ts'
import { makeServer, type Routes } from './http/server.ts'
import { shutDown, startPeriodicWork } from './lifecycle.ts'
import { makeMailer } from './mail/mailer.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { recountCommentsOf } from './moderation/hidings.ts'
import { openCaseForApproval } from './moderation/open-cases.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { createNotifications } from './notifications/create-notifications.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { type OpenedData, openData } from './open-data.ts'
import { administrationRoutes } from './operator/administration-routes.ts'
import type { OperatorContext } from './operator/context.ts'
import { makeDoctorChecks } from './operator/doctor-checks.ts'
import { logoRoutes } from './operator/logo-routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import { makeSetupCode } from './operator/setup.ts'
import type { OwnDataContext } from './own-data/context.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import type { Pages } from './pages/context.ts'
import { addPages } from './pages/routes.ts'
import { postListRoutes } from './post-lists/routes.ts'
import type { PostsContext } from './post-texts/context.ts'
import { makePostTexts } from './post-texts/post-texts.ts'
import { findPostEvent } from './posts/post-events.ts'
import { previewLinkRoutes } from './posts/preview-link-routes.ts'
import { postRoutes } from './posts/routes.ts'
import { makeBackground } from './process/background.ts'
import type { Log } from './process/log.ts'
import type { OtherWorkers } from './process/workers.ts'
import type { ReadsContext } from './reads/context.ts'
import { deleteUncountedReads, makeReads } from './reads/reads.ts'
import { readRoutes } from './reads/routes.ts'
import { makeRealtime } from './realtime/realtime.ts'
import { isRealtimeRequest } from './realtime/upgrade.ts'
import type { Config } from './settings/config.ts'
import type { BaseContext } from './site/context.ts'
import { makeSite } from './site/site.ts'
import { versionRoutes } from './versions/routes.ts'

/** The environment of the app, replaceable in tests. */
export type AppOptions = {
  now: () => Date
  /** The web part; without it only the API is served. */
  pages: Pages | undefined
  /** Called when SQLite could not write or sync: no further write may be acknowledged. */
  onFatal: OnFatal
  /** False: previews are drawn on request only. */
  pregeneratesPreviews?: boolean
  /** The cost of a password hash; threat-model.md §6 has the default. */
  hashCost?: HashCost | undefined
  /** The other processes of the blog on this host; none when absent. */
  otherWorkers?: OtherWorkers
  /** False: another process of this host does the periodic work. */
  isFirstProcess?: boolean
}

export type App = Awaited<ReturnType<typeof makeApp>>

/**
 * Disposing the app closes it as `close()` does.
 *
 * @throws Error when the data folder, the database or the bucket cannot be used
 */
export async function makeApp(config: Config, log: Log, options: AppOptions) {
  const { pages } = options
  const { db, secrets, metrics } = await openData(config, log, options)
  const contexts = await makeContexts({ config, db, secrets, log, options })
  const { base, http, accounts, files, posts, operator, resolveViewer } = contexts
  const { site, mailer, rateLimits } = operator
  subscribeRooms(operator)

  const probeS3 = config.s3 && requireBucket.bind(undefined, config.s3)
  const health = makeHealth({ ...base, files, mailer, probeS3 })
  const recordResponse = metrics?.recordResponse
  const server = await makeServer(
    { ...http, adapter, resolveViewer, recordResponse, mayUpgrade: isRealtimeRequest },
    [health.routes, ...routesOf(contexts)],
  )
  const { app } = server
  const realtime = await makeRealtime({
    ...http,
    otherWorkers: options.otherWorkers,
    resolveViewer: (headers) => resolveViewer({ headers }),
    readAccount: (viewer) => readAccount(base, viewer),
    findPost: (id) => findPostEvent(posts, id),
    withAliases,
  })
  realtime.addTo(app.server)
  health.addTo(app)
  metrics?.addTo(app, secrets.apiKey, () => ({
    queues: { passwords: accounts.passwords.stats(), images: files.imageQueue.stats() },
    previews: files.previews.lookups(),
    rateLimitRefusals: rateLimits.refusals(),
    mailsWaiting: mailer.waiting(),
  }))
  addProxyProbe(app, secrets.apiKey)
  addDiscovery(app, { ...posts, pages })
  if (pages) await addPages(app, { ...operator, googleProvider: accounts.googleProvider, pages })

  const sweeping = startPeriodicWork(operator, options)
  function close(times?: Parameters<typeof shutDown>[3]): Promise<void> {
    sweeping.stop()
    return shutDown(server, realtime, operator, times)
  }
  return {
    /** The server's API key, from the settings or the data folder. */
    apiKey: secrets.apiKey,
    readSite: site.read,
    /** Makes a new setup code; undefined once the blog is set up. */
    async makeSetupCode(): Promise<string | undefined> {
      return (await site.read()).isSetUp ? undefined : makeSetupCode(operator)
    },
    /** @returns the actual address, also for port 0 */
    listen: () => app.listen({ host: config.host, port: config.port }),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

type Contexts = Awaited<ReturnType<typeof makeContexts>>

/**
 * The context of each room, from left to right, each made from the one before. Optional packages
 * are loaded if a setting needs them.
 */
async function makeContexts({
  config,
  db,
  secrets,
  log,
  options,
}: OpenedData & { config: Config; log: Log; options: AppOptions }) {
  const { now, pages } = options
  const { google, projectId, publicUrl } = config
  const readTagVersions = makeReadTagVersions(db)
  const base: BaseContext = {
    ...config,
    db,
    background: makeBackground(log),
    log,
    now,
    site: makeSite(db, config, readTagVersions),
  }
  const rateLimits = makeRateLimits({
    db,
    processes: config.processes,
    nowMs: () => now().getTime(),
    isOn: config.hasRateLimits,
  })
  const http: HttpContext = { ...base, rateLimits }
  const cache = makeResponseCache(readTagVersions)
  const addSharedRead = makeAddSharedRead({ cache, writeAnswer: adapter.writeAnswer })
  const cached: CacheContext = { ...http, cache, addSharedRead }

  const sessionNames = makeSessionNames(projectId, config)
  const jwts = makeJwts(secrets.browserKey)
  const { apiKey } = secrets
  const { readProof } = jwts
  const resolveViewer = makeResolveViewer({ ...base, apiKey, sessionNames, readProof })
  const accounts: GoogleContext & CompatContext = {
    ...http,
    mailer: makeMailer(base),
    passwords: makePasswords(options.hashCost),
    browsers: makeKnownBrowsers(secrets.browserKey),
    cookies: makeSessionCookies(projectId, config),
    providerTokens: makeProviderTokens(secrets.providerTokenKey),
    googleProvider:
      google &&
      (await import('./google/google-provider.ts')).makeGoogleProvider(google, {
        redirectUri: publicUrl + callbackPath(projectId),
        now,
      }),
    jwts,
  }
  const files = await makeFiles(cached)
  const posts: PostsContext = { ...files, postTexts: makePostTexts(config, describeBodies(pages)) }
  const reads: ReadsContext = { ...posts, reads: makeReads(base) }
  const ownData: OwnDataContext = { ...accounts, ...reads }
  const operator: OperatorContext = {
    ...ownData,
    scheduledBackups: makeScheduledBackups({ ...base, config }),
    doctorChecks: makeDoctorChecks({ ...base, config }),
    resolveViewer,
  }
  return {
    base,
    http,
    accounts,
    files,
    posts,
    reads,
    ownData,
    operator,
    sessionNames,
    resolveViewer,
  }
}

function routesOf({ accounts, files, posts, reads, ownData, operator }: Contexts): Routes[] {
  return [
    accountRoutes(accounts),
    mailLinkRoutes(accounts),
    googleRoutes(accounts),
    fileRoutes(files),
    postRoutes(posts),
    previewLinkRoutes(posts),
    versionRoutes(posts),
    postListRoutes(posts),
    commentRoutes(posts),
    moderationRoutes(posts),
    notificationRoutes(ownData),
    readRoutes(reads),
    ownDataRoutes(ownData),
    operatorRoutes(operator),
    logoRoutes(operator),
    administrationRoutes(operator),
    jwtRoutes(accounts),
  ]
}

/** Subscribes the rooms that write their part in the transaction of another room's event. */
function subscribeRooms(context: OperatorContext): void {
  const { db } = context
  onDomainEvent(db, (tx, afterCommit, event) =>
    updateAvatarOnPrefsEvent(context, tx, afterCommit, event),
  )
  onDomainEvent(db, (tx, _after, event) => openCaseForApproval(context, tx, event))
  onDomainEvent(db, createNotifications(context))
  onDomainEvent(db, async (tx, _after, event) => {
    if (event.kind === 'block') await recountCommentsOf(context, tx, event.userId)
  })
  onDomainEvent(db, async (tx, afterCommit, event) => {
    if (event.kind === 'prefs') await deleteUncountedReads(tx, afterCommit, event)
  })
}

/** Derives texts of a post's body by the renderer; they are stored with its version. */
function describeBodies(pages: Pages | undefined) {
  if (pages?.textsVersion === undefined) return undefined
  return { version: pages.textsVersion, derive: pages.describeBody }
}
