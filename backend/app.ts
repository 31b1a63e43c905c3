// The composition root: every live part is made here and handed to whoever needs it. Knows no rule
// of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { STOP_GRACE_MS, STOP_TIMEOUT_MS, SWEEP_EVERY_MS } from '#contract/limits.ts'
import { makeAccounts } from './accounts/accounts.ts'
import { changeRoutes } from './accounts/change-routes.ts'
import { makeChanges } from './accounts/changes.ts'
import { makeKnownBrowsers } from './accounts/known-browsers.ts'
import { makePasswords } from './accounts/passwords.ts'
import { accountRoutes } from './accounts/routes.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/database.ts'
import type { Database } from './database/schema.ts'
import { makeFiles } from './files/files.ts'
import { fileRoutes } from './files/routes.ts'
import { requireBucket } from './files/s3.ts'
import { makeGoogleSignIn } from './google/google-sign-in.ts'
import { makeProviderTokens } from './google/provider-tokens.ts'
import { googleRoutes } from './google/routes.ts'
import type { OnFatal } from './http/errors.ts'
import { addHealthCheck } from './http/health.ts'
import { makeRateLimits } from './http/rate-limits.ts'
import { makeServer, type Server } from './http/server.ts'
import { type Mailer, makeMailer } from './mail/mailer.ts'
import { makeMailLinks } from './mail-links/mail-links.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { userRoutes } from './operator/routes.ts'
import { makeUsers } from './operator/users.ts'
import { makeDeletion } from './own-data/deletion.ts'
import { makeExport } from './own-data/export.ts'
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

  const people = {
    db,
    background,
    log,
    now,
    rateLimits,
    mailer,
    passwords,
    browsers,
    providerTokens,
    apiKey,
    projectId,
    siteName,
    publicUrl,
    allowedOrigins,
    isRegistrationOpen,
    isCrossSite,
  }
  const accounts = makeAccounts(people)
  const { findViewer, readSession, tokenNames, isHttps } = accounts
  const changes = makeChanges(people)
  const mailLinks = makeMailLinks(people)
  const users = makeUsers({ db, background, log, now, passwords })
  const google = makeGoogleSignIn({
    db,
    background,
    log,
    now,
    projectId,
    publicUrl,
    isRegistrationOpen,
    providerTokens,
    google: config.google,
  })
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
  const exportOwn = makeExport({
    db,
    log,
    now,
    readPostsOf: posts.readAllOf,
    listFilesOf: ({ userId }) => files.listAllOf(userId),
  })
  const deletion = makeDeletion({
    db,
    background,
    log,
    now,
    passwords,
    async removeEverythingOf(tx, after, userId) {
      await posts.removeAllOf(tx, userId)
      await files.removeAllOf(tx, after, userId)
    },
  })

  const { trustedProxies } = config
  const server = await makeServer(
    { log, projectId, publicUrl, allowedOrigins, trustedProxies, rateLimits, findViewer, onFatal },
    [
      accountRoutes(accounts),
      mailLinkRoutes(mailLinks, { tokenNames, isHttps, isCrossSite }),
      changeRoutes(changes, { tokenNames, isHttps, isCrossSite }),
      userRoutes(users, changes.operator),
      ownDataRoutes({ deletion, exportOwn, tokenNames, isHttps, isCrossSite }),
      googleRoutes({
        google,
        readSession,
        publicUrl,
        projectId,
        allowedOrigins,
        tokenNames,
        isHttps,
        isCrossSite,
      }),
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
    findUserinfoUrl: google.findUserinfoUrl,
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
