// The composition root: every live part is made here and handed to whoever needs it. Knows no rule
// of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { STOP_GRACE_MS, STOP_TIMEOUT_MS, SWEEP_EVERY_MS } from '#contract/limits.ts'
import { changeRoutes } from './accounts/change-routes.ts'
import { makeFindViewer } from './accounts/find-viewer.ts'
import { makeKnownBrowsers } from './accounts/known-browsers.ts'
import { makePasswords } from './accounts/passwords.ts'
import { accountRoutes } from './accounts/routes.ts'
import { makeSessionCookies } from './accounts/session-cookies.ts'
import { makeSessionNames } from './accounts/session-tokens.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/database.ts'
import type { Database } from './database/schema.ts'
import { makeFiles } from './files/files.ts'
import { fileRoutes } from './files/routes.ts'
import { requireBucket } from './files/s3.ts'
import { makeGoogleProvider } from './google/google-provider.ts'
import { makeProviderTokens } from './google/provider-tokens.ts'
import { callbackPath, googleRoutes } from './google/routes.ts'
import type { OnFatal } from './http/errors.ts'
import { addHealthCheck } from './http/health.ts'
import { makeRateLimits } from './http/rate-limits.ts'
import { makeServer, type Server } from './http/server.ts'
import { type Mailer, makeMailer } from './mail/mailer.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import type { RemoveEverythingOf } from './own-data/deletion.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import { addPages, type Pages } from './pages/routes.ts'
import { makeBodyCleaner } from './posts/clean-again.ts'
import { makePosts } from './posts/posts.ts'
import { postRoutes } from './posts/routes.ts'
import { type Background, makeBackground } from './process/background.ts'
import type { Log } from './process/log.ts'
import { makeDataFolder, readOrMakeSecret } from './process/secrets.ts'

/** What the outside world gives: replaceable in tests. */
export type Edges = {
  now: () => Date
  /** The web part; without it only the API is served. */
  pages: Pages | undefined
  onFatal: OnFatal
}

/** Leaving its scope closes it as `close()` does. */
export type App = AsyncDisposable & {
  /** The server's API key, from the settings or the data folder. */
  apiKey: string
  /** Starts to listen. @returns the address really listened on */
  listen(): Promise<string>
  /**
   * Answers go on for a moment, then running requests finish, then everything closes
   * (threat-model.md §10).
   */
  close(options?: { graceMs: number }): Promise<void>
}

export async function makeApp(config: Config, log: Log, edges: Edges): Promise<App> {
  const { dataDir, s3, projectId, databaseId, collectionId, contentBucketId, avatarBucketId } =
    config
  const { siteName, publicUrl, allowedOrigins, isRegistrationOpen, isCrossSite, mail } = config
  const { now, pages, onFatal } = edges
  await makeDataFolder(dataDir, log)
  if (s3) await requireBucket(s3)
  const readSecret = (name: string) => readOrMakeSecret(dataDir, name)
  const apiKey = config.apiKey ?? (await readSecret('api-key'))
  const browsers = makeKnownBrowsers(await readSecret('browser-key'))
  const providerTokens = makeProviderTokens(await readSecret('provider-token-key'))
  const db = await openDatabase({ dataDir, databaseUrl: config.databaseUrl })
  const background = makeBackground(log)
  const rateLimits = makeRateLimits({ isOn: config.hasRateLimits, nowMs: () => now().getTime() })
  const mailer = makeMailer({ mail, dataDir, log })
  const passwords = makePasswords()

  const isHttps = publicUrl.startsWith('https:')
  const names = makeSessionNames(projectId, { isHttps })
  const findViewer = makeFindViewer({ db, background, apiKey, names, now })
  const cookies = makeSessionCookies(projectId, { isHttps, isCrossSite })
  const redirectUri = publicUrl + callbackPath(projectId)
  const googleProvider = config.google && makeGoogleProvider(config.google, { redirectUri, now })
  const files = makeFiles({
    db,
    background,
    log,
    now,
    dataDir,
    s3,
    contentBucketId,
    avatarBucketId,
  })
  const posts = makePosts({
    db,
    background,
    now,
    databaseId,
    collectionId,
    contentBucketId,
    bodies: makeBodyCleaner({ publicUrl, allowedOrigins, contentBucketId }),
    isUsableImage: files.isUsableImage,
    removeOwnImage: files.removeOwnImage,
  })
  const removeEverythingOf: RemoveEverythingOf = async (tx, after, userId) => {
    await posts.removeAllOf(tx, userId)
    await files.removeAllOf(tx, after, userId)
  }

  const { trustedProxies } = config
  const server = await makeServer(
    { log, projectId, publicUrl, allowedOrigins, trustedProxies, rateLimits, findViewer, onFatal },
    [
      accountRoutes({
        db,
        background,
        log,
        now,
        rateLimits,
        passwords,
        browsers,
        providerTokens,
        isRegistrationOpen,
        cookies,
      }),
      changeRoutes({ db, background, log, now, mailer, passwords, siteName, publicUrl, cookies }),
      mailLinkRoutes({
        db,
        background,
        log,
        now,
        mailer,
        passwords,
        browsers,
        projectId,
        siteName,
        publicUrl,
        allowedOrigins,
        isRegistrationOpen,
        cookies,
      }),
      googleRoutes({
        db,
        background,
        log,
        now,
        googleProvider,
        providerTokens,
        projectId,
        publicUrl,
        allowedOrigins,
        isRegistrationOpen,
        cookies,
      }),
      ownDataRoutes({
        db,
        background,
        log,
        now,
        passwords,
        cookies,
        readPostsOf: posts.readAllOf,
        listFilesOf: ({ userId }) => files.listAllOf(userId),
        removeEverythingOf,
      }),
      operatorRoutes({ db, background, log, now, mailer, passwords, siteName, publicUrl }),
      fileRoutes(files),
      postRoutes(posts),
    ],
  )
  addHealthCheck(server.app, { db, dataDir })
  await addPages(server.app, {
    siteName,
    projectId,
    databaseId,
    collectionId,
    contentBucketId,
    avatarBucketId,
    isRegistrationOpen,
    publicUrl,
    mail,
    google: config.google,
    findUserinfoUrl: googleProvider?.findUserinfoUrl,
    findViewer,
    rateLimits,
    pages,
  })

  background.run('sweep of files', files.sweep)
  const sweeping = setInterval(() => background.run('sweep of files', files.sweep), SWEEP_EVERY_MS)
  const close = ({ graceMs } = { graceMs: STOP_GRACE_MS }): Promise<void> => {
    clearInterval(sweeping)
    return stop({ server, mailer, background, db }, graceMs)
  }
  return {
    apiKey,
    listen: () => server.app.listen({ host: config.host, port: config.port }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type StopNeeds = { server: Server; mailer: Mailer; background: Background; db: Database }

/** Answers go on for `graceMs`; connections still open after the time limit are cut. */
async function stop({ server, mailer, background, db }: StopNeeds, graceMs: number): Promise<void> {
  server.startStopping()
  await delay(graceMs)
  await Promise.race([
    server.app.close(),
    delay(STOP_TIMEOUT_MS - 1000 - graceMs, undefined, { ref: false }),
  ])
  server.app.server.closeAllConnections()
  mailer.close()
  await background.drained()
  await db.destroy()
}
