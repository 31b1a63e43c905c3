// The composition root: settings in, a running server out. Every service is made here, once, and
// passed to the modules that need it. Periodic work and the shutdown are in lifecycle.ts.
import { type HashCost, makePasswords } from './accounts/passwords.ts'
import {
  makeResolveViewer,
  makeSessionNames,
  mayHaveCredentials,
} from './accounts/resolve-viewer.ts'
import { accountRoutes } from './accounts/routes.ts'
import { makeKnownBrowsers, makeSessionCookies } from './accounts/session-cookies.ts'
import { readAccount } from './accounts/users.ts'
import { runBackup } from './backups/run-backup.ts'
import { makeOwnBackups } from './backups/scheduled-backups.ts'
import { addFastPath, makeAddSharedRead } from './cache/cached-reads.ts'
import { makeResponseCache } from './cache/response-cache.ts'
import { countCommentsOf } from './comments/hidings.ts'
import {
  removeCommentsOf,
  removeManyCommentsOf,
  streamCommentsOf,
} from './comments/own-comments.ts'
import { commentRoutes } from './comments/routes.ts'
import { adapter } from './compat/adapter.ts'
import { withAliases } from './compat/attribute-names.ts'
import { jwtRoutes, makeJwts } from './compat/jwt.ts'
import { openDatabase } from './database/database.ts'
import { hearHappenings } from './database/happenings.ts'
import { makeReadPublicVersion } from './database/public-version.ts'
import { requireSameSecrets } from './database/same-secrets.ts'
import type { Database } from './database/schema.ts'
import type { OnFatal } from './database/sqlite-write-queue.ts'
import { type After, afterOf } from './database/transaction.ts'
import { addDiscovery } from './discovery/routes.ts'
import {
  listAllOf,
  makeFiles,
  makeUses,
  removeAllOf as removeFilesOf,
  removeManyOf as removeManyFilesOf,
} from './files/files.ts'
import { fileRoutes } from './files/routes.ts'
import { requireBucket } from './files/s3.ts'
import { makeProviderTokens } from './google/google-sign-in.ts'
import { callbackPath, googleRoutes } from './google/routes.ts'
import { addProxyProbe, makeHealth } from './http/health.ts'
import { makeRateLimits } from './http/rate-limits.ts'
import { makeServer } from './http/server.ts'
import type { UserViewer } from './http/viewer.ts'
import { startSweeping, stopInTime } from './lifecycle.ts'
import { makeMailer } from './mail/mailer.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { removeManyOf as removeManyNotificationsOf } from './notifications/notifications.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { makeTeller } from './notifications/tell.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { makeOwnChecks } from './operator/checks.ts'
import { logoRoutes } from './operator/logo-routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import { runRoutes } from './operator/run-routes.ts'
import { makeSetupCode } from './operator/setup.ts'
import { endRetired } from './own-data/deletion.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import type { Pages } from './pages/render-page.ts'
import { addPages } from './pages/routes.ts'
import { lockPostsOf, removeAllOf, removeManyOf, streamDeletedOf } from './posts/deleted-posts.ts'
import { historyRoutes } from './posts/history-routes.ts'
import type { PostNeeds } from './posts/needs.ts'
import { findForChange } from './posts/post-serialiser.ts'
import { makePostTexts } from './posts/post-texts.ts'
import { hasOwnPosts, streamAllOf } from './posts/read-posts.ts'
import { renewSome } from './posts/renew-texts.ts'
import { postRoutes } from './posts/routes.ts'
import { streamVersionsOf } from './posts/versions.ts'
import { makeBackground } from './process/background.ts'
import type { Log } from './process/log.ts'
import { makeDataFolder, readOrMakeSecret } from './process/secrets.ts'
import type { OtherWorkers } from './process/workers.ts'
import { makeReads } from './reads/reads.ts'
import { makePageViewRecorder, readRoutes } from './reads/routes.ts'
import { makeRealtime } from './realtime/realtime.ts'
import { isRealtime } from './realtime/upgrade.ts'
import {
  noteInCases,
  removeManyReportsOf,
  removeReportsOf,
  streamReportsOf,
} from './reports/reports.ts'
import { reportRoutes } from './reports/routes.ts'
import type { Config } from './settings/config.ts'
import { makeSite } from './site/site.ts'

/** What comes from outside, replaceable in tests. */
export type Edges = {
  now: () => Date
  /** The web part; without it only the API is served. */
  pages: Pages | undefined
  /** Called when SQLite could not write or sync: nothing may be acknowledged any more. */
  onFatal: OnFatal
  /** False: previews are only drawn on request. */
  drawsAhead?: boolean
  /** What a new password hash costs; as threat-model.md §6 says when absent. */
  hashCost?: HashCost | undefined
  /** The other processes of the blog on this host; none when absent. */
  otherWorkers?: OtherWorkers
  /** False: another process of this host does the periodic work. */
  isFirst?: boolean
}

export type App = Awaited<ReturnType<typeof makeApp>>

/**
 * Leaving the scope of what it returns closes the app as `close()` does.
 *
 * @throws Error when the data folder, the database or the bucket cannot be used
 */
export async function makeApp(config: Config, log: Log, edges: Edges) {
  const parts = await makeParts(config, log, edges)
  const { apiKey, metrics, s3, files, posts, pages, mailer } = parts
  const health = makeHealth({ ...parts, probeS3: s3 && (() => requireBucket(s3)) })
  const routes = [openApiRoutes, health.routes, ...makeApiRoutes(parts)]
  const server = await makeServer({ ...parts, adapter, mayUpgrade: isRealtime }, routes)
  const { app } = server
  parts.realtime.addTo(app.server)
  health.addTo(app)
  metrics?.addTo(app, apiKey, () => ({
    queues: { passwords: parts.passwords.stats(), images: files.imageQueue.stats() },
    previews: files.previews.lookups(),
    rateLimitRefusals: parts.rateLimits.refusals(),
    mailsWaiting: mailer.waiting(),
  }))
  addProxyProbe(app, apiKey)
  addDiscovery(app, parts)
  if (pages)
    await addPages(app, {
      ...parts,
      pages,
      mail: mailer.delivery,
      hasGoogle: config.google !== undefined,
      findUserinfoUrl: parts.googleProvider?.findUserinfoUrl,
      deriveTexts: (...asked) => posts.bodies.derive(posts.db, ...asked),
      notePage: makePageViewRecorder(parts.reads),
    })
  addFastPath(app.server, {
    ...parts,
    hasOwnPosts: hasOwnPosts.bind(undefined, posts),
    isStopping: server.isStopping,
    hasCredentials: (headers) => mayHaveCredentials(parts.sessionNames, headers),
  })
  const endAccounts = (stopping: AbortSignal) =>
    endRetired({ ...parts, ...makeContentDeletion(parts) }, stopping)
  const sweeping = startSweeping({ ...parts, endAccounts }, edges)
  function close(times?: Parameters<typeof stopInTime>[2]): Promise<void> {
    sweeping.stop()
    return stopInTime(server, parts, times)
  }
  return {
    /** The server's API key, from the settings or the data folder. */
    apiKey,
    readSite: parts.site.read,
    /** A new code for who sets the blog up; undefined once it is set up. */
    async makeSetupCode(): Promise<string | undefined> {
      return (await parts.site.read()).isSetUp ? undefined : makeSetupCode(parts)
    },
    /** Starts to listen. @returns the address really listened on */
    listen: () => app.listen({ host: config.host, port: config.port }),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

type Parts = Awaited<ReturnType<typeof makeParts>>

const NOTHING_CHANGED =
  'The database needs changes for this version, and the backup before them failed: nothing was changed'

/** The data folder, the secrets in it, and the database, after a backup where it has to change. */
async function openData(config: Config, log: Log, { now, onFatal }: Edges) {
  const { dataDir, s3, databaseConnections: connections, hasMetrics } = config
  await makeDataFolder(dataDir, log)
  if (s3) await requireBucket(s3)
  const secrets = {
    apiKey: config.apiKey ?? (await readOrMakeSecret(dataDir, 'api-key')),
    browserKey: config.browserKey ?? (await readOrMakeSecret(dataDir, 'browser-key')),
    providerTokenKey:
      config.providerTokenKey ?? (await readOrMakeSecret(dataDir, 'provider-token-key')),
  }
  const { backups } = config
  const makeBackup = async () => {
    if (!backups) return
    const task = { places: config, ...backups, nowMs: now().getTime() }
    const stop = new AbortController().signal
    const made = await runBackup(task, { stop }).catch((cause: unknown) => {
      throw new Error(NOTHING_CHANGED, { cause })
    })
    log.info(made, 'backup made and verified')
  }
  const metrics = hasMetrics ? (await import('./http/metrics.ts')).makeMetrics() : undefined
  const db = await openDatabase({
    ...config,
    connections,
    log,
    onFatal,
    watch: metrics,
    beforeChange: makeBackup,
  })
  const isApiKeySet = config.apiKey !== undefined
  await requireSameSecrets({ db, log, dataDir, isApiKeySet }, secrets).catch(async (error) => {
    await db.destroy()
    throw error
  })
  return { db, secrets, metrics }
}

/**
 * The settings, and every service made of them. Optional packages are loaded if a setting needs
 * them.
 */
async function makeParts(config: Config, log: Log, edges: Edges) {
  const { now, pages } = edges
  const { dataDir, google, projectId, publicUrl } = config
  const { db, secrets, ...opened } = await openData(config, log, edges)
  const { apiKey, browserKey, providerTokenKey } = secrets
  const background = makeBackground(log)
  const sessionNames = makeSessionNames(projectId, config)
  const readVersion = makeReadPublicVersion(db)
  const site = makeSite(db, config, readVersion)
  const live = { ...config, db, background, log, now, site, apiKey, sessionNames }
  const rateLimits = makeRateLimits({
    db,
    processes: config.processes,
    nowMs: () => now().getTime(),
    isOn: config.hasRateLimits,
  })
  const jwts = makeJwts(browserKey)
  const resolveViewer = makeResolveViewer({ ...live, readProof: jwts.readProof })
  const files = await makeFiles(live)
  const uses = makeUses(files)
  const describe =
    pages?.textsVersion === undefined
      ? undefined
      : { version: pages.textsVersion, make: pages.describeBody }
  const { allowedOrigins, contentBucketId } = config
  // Only these: the stored texts are made again when one of them changes.
  const addresses = { publicUrl, allowedOrigins, contentBucketId }
  const bodies = makePostTexts({ ...addresses, describe })
  const forPosts = { ...live, ...uses, bodies }
  const posts: PostNeeds = { ...forPosts, renew: (seqs) => renewSome(forPosts, seqs) }
  hearHappenings(db, (tx, _after, happening) => noteInCases(live, tx, happening))
  hearHappenings(db, makeTeller(live))
  hearHappenings(db, async (tx, _after, happening) => {
    if (happening.kind === 'block') await countCommentsOf(live, tx, happening.userId)
  })
  const reads = makeReads({ ...live, isOn: config.hasReadCounts })
  return {
    ...live,
    ...opened,
    config,
    pages,
    rateLimits,
    jwts,
    resolveViewer,

    files,
    setAvatarFile: uses.setAvatarFile,
    posts,
    reads,
    recordResponse: opened.metrics?.recordResponse,
    ownBackups: makeOwnBackups({ ...live, config }),
    mailer: makeMailer({ mail: config.mail, dataDir, log }),
    passwords: makePasswords(edges.hashCost),
    browsers: makeKnownBrowsers(browserKey),
    cookies: makeSessionCookies(projectId, config),
    providerTokens: makeProviderTokens(providerTokenKey),
    googleProvider:
      google &&
      (await import('./google/google-provider.ts')).makeGoogleProvider(google, {
        redirectUri: publicUrl + callbackPath(projectId),
        now,
      }),
    cache: makeResponseCache(readVersion),
    realtime: await makeRealtime({
      ...live,
      rateLimits,
      otherWorkers: edges.otherWorkers,
      resolveViewer: (headers) => resolveViewer({ headers }),
      readAccount: (viewer) => readAccount(live, viewer),
      findPost: (id) => findForChange(posts, id),
      withAliases,
    }),
  }
}

/** What ends with an account; the rooms know it, whose order `own-data` is before. */
function makeContentDeletion({ files }: Pick<Parts, 'files'>) {
  return {
    lockPostsOf,
    async deleteMuchContentOf(tx: Database, userId: string): Promise<boolean> {
      for (const removeMany of [
        removeManyReportsOf,
        removeManyCommentsOf,
        removeManyNotificationsOf,
        removeManyOf,
      ])
        if (!(await removeMany(tx, userId))) return false
      return await removeManyFilesOf(files, tx, afterOf(tx), userId)
    },
    async deleteAllContentOf(tx: Database, after: After, userId: string) {
      await removeReportsOf(tx, userId)
      await removeCommentsOf(tx, userId)
      await removeAllOf(tx, userId)
      await removeFilesOf(files, tx, after, userId)
    },
  }
}

/** The groups of API routes, with what each needs. */
function makeApiRoutes(parts: Parts) {
  const { rateLimits, files, posts, reads, cache } = parts
  const ofPosts = {
    posts,
    rateLimits,
    addSharedRead: makeAddSharedRead(cache, hasOwnPosts.bind(undefined, posts)),
  }
  const ofPeople = {
    ...parts,
    notePrefs: reads.notePrefs,
    ...makeContentDeletion(parts),
    ownLists: {
      'posts.json': (viewer: UserViewer) => streamAllOf(posts, viewer),
      'versions.json': (viewer: UserViewer) => streamVersionsOf(posts.db, viewer),
      'deleted-posts.json': (viewer: UserViewer) => streamDeletedOf(posts, viewer),
      'comments.json': (viewer: UserViewer) => streamCommentsOf(posts, viewer),
      'reports.json': (viewer: UserViewer) => streamReportsOf(posts, viewer),
      'reads.json': reads.streamReadsOf,
    },
    listFilesOf: (userId: string) => listAllOf(files, userId),
  }
  return [
    accountRoutes(ofPeople),
    mailLinkRoutes(ofPeople),
    googleRoutes(ofPeople),
    ownDataRoutes(ofPeople),
    operatorRoutes(ofPeople),
    logoRoutes(ofPeople),
    runRoutes({ ...ofPeople, ownChecks: makeOwnChecks({ ...parts, config: parts.config }) }),
    fileRoutes(files, cache),
    postRoutes(ofPosts),
    historyRoutes(ofPosts),
    commentRoutes({ ...ofPosts, comments: posts }),
    reportRoutes(posts),
    notificationRoutes(parts),
    readRoutes(reads, posts),
    jwtRoutes(parts),
  ]
}
