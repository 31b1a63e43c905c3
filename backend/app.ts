// The composition root: every live part is made here and handed to whoever needs it. Knows no rule
// of its own.
import { access, constants } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
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
import { makeRateLimits } from './http/rate-limits.ts'
import { makeServer } from './http/server.ts'
import { makeMailer } from './mail/mailer.ts'
import { makeMailLinks } from './mail-links/mail-links.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { userRoutes } from './operator/routes.ts'
import { makeUsers } from './operator/users.ts'
import { makeDeletion } from './own-data/deletion.ts'
import { makeExport } from './own-data/export.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import { addPages, type Pages } from './pages/routes.ts'
import { makePosts } from './posts/posts.ts'
import { postRoutes } from './posts/routes.ts'
import { makeBackground } from './process/background.ts'
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
  await makeDataFolder(config.dataDir, log)
  const apiKey = config.apiKey ?? (await readOrMakeSecret(config.dataDir, 'api-key'))
  if (config.s3) await requireBucket(config.s3)
  const db = await openDatabase(config)
  const background = makeBackground(log)
  const rateLimits = makeRateLimits({
    isOn: config.hasRateLimits,
    nowMs: () => edges.now().getTime(),
  })
  const shared = { ...config, db, background, log, rateLimits, apiKey, now: edges.now }

  const browserKey = await readOrMakeSecret(config.dataDir, 'browser-key')
  const providerTokens = makeProviderTokens(
    await readOrMakeSecret(config.dataDir, 'provider-token-key'),
  )
  const mailer = makeMailer(shared)
  const people = {
    ...shared,
    providerTokens,
    mailer,
    passwords: makePasswords(),
    browsers: makeKnownBrowsers(browserKey),
  }
  const accounts = makeAccounts(people)
  const changes = makeChanges(people)
  const google = makeGoogleSignIn({ ...shared, providerTokens })
  const files = makeFiles(shared)
  const posts = makePosts({
    ...shared,
    isUsableImage: files.isUsableImage,
    removeOwnImage: files.removeOwnImage,
  })
  const exportOwn = makeExport({
    ...shared,
    readPostsOf: posts.readAllOf,
    listFilesOf: ({ userId }) => files.listAllOf(userId),
  })
  const deletion = makeDeletion({
    ...people,
    async removeEverythingOf(tx, after, userId) {
      await posts.removeAllOf(tx, userId)
      await files.removeAllOf(tx, after, userId)
    },
  })

  const server = await makeServer(
    { ...shared, findViewer: accounts.findViewer, onFatal: edges.onFatal },
    [
      accountRoutes(accounts),
      mailLinkRoutes(makeMailLinks(people), accounts),
      changeRoutes(changes, accounts),
      userRoutes(makeUsers(people), changes.operator),
      ownDataRoutes({ ...accounts, deletion, exportOwn }),
      googleRoutes({ ...config, ...accounts, google }),
      fileRoutes(files),
      postRoutes(posts),
    ],
  )
  server.app.get('/healthz', async (_request, reply) => {
    const isWell = await isAlive(db, config.dataDir)
    return reply
      .code(isWell ? 200 : 503)
      .type('text/plain')
      .send(isWell ? 'ok' : 'unavailable')
  })
  await addPages(server.app, {
    ...config,
    findViewer: accounts.findViewer,
    findUserinfoUrl: google.findUserinfoUrl,
    rateLimits,
    pages: edges.pages,
  })

  background.run('sweep of files', files.sweep)
  const sweeping = setInterval(() => background.run('sweep of files', files.sweep), SWEEP_EVERY_MS)

  async function close({ graceMs } = { graceMs: STOP_GRACE_MS }): Promise<void> {
    clearInterval(sweeping)
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

  return {
    apiKey,
    listen: () => server.app.listen({ host: config.host, port: config.port }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function isAlive(db: Database, dataDir: string): Promise<boolean> {
  try {
    await sql`select 1`.execute(db)
    await access(dataDir, constants.W_OK)
    return true
  } catch {
    return false
  }
}
