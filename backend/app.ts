// The composition root: from settings to a running server. The live parts are made in parts.ts, and
// api-routes.ts hands them to the routes. Knows no rule of its own.
import { setTimeout as delay } from 'node:timers/promises'
import { STOP_GRACE_MS, STOP_TIMEOUT_MS, SWEEP_EVERY_MS } from '#contract/limits.ts'
import { makeApiRoutes } from './api-routes.ts'
import type { Config } from './config.ts'
import type { OnFatal } from './database/sqlite-writer.ts'
import { addHealthCheck } from './http/health.ts'
import { makeServer, type Server } from './http/server.ts'
import { makeUnavailableLog } from './http/unavailable-log.ts'
import { deliveryOf } from './mail/mailer.ts'
import { addPages, type PageSettings, type Pages } from './pages/routes.ts'
import { makeParts, type Parts } from './parts.ts'
import type { Log } from './process/log.ts'

/** What the outside world gives: replaceable in tests. */
export type Edges = {
  now: () => Date
  /** The web part; without it only the API is served. */
  pages: Pages | undefined
  /** SQLite could not write or sync: nothing may be acknowledged any more. */
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
  const { dataDir, projectId, publicUrl, allowedOrigins, trustedProxies, host, port } = config
  const { now, pages } = edges
  const parts = await makeParts(config, log, edges)
  const noteUnavailable = makeUnavailableLog(log)
  const { apiKey, db, background, rateLimits, mailer, findViewer, googleProvider, files } = parts
  const { ownBackups } = parts
  const server = await makeServer(
    {
      log,
      projectId,
      publicUrl,
      allowedOrigins,
      trustedProxies,
      rateLimits,
      findViewer,
      noteUnavailable,
    },
    makeApiRoutes(config, parts, { log, now }),
  )
  addHealthCheck(server.app, { db, dataDir })
  const findUserinfoUrl = googleProvider?.findUserinfoUrl
  const site = pageSettings(config)
  if (pages)
    await addPages(server.app, { pages, site, publicUrl, findUserinfoUrl, findViewer, rateLimits })

  const sweep = () => background.run('sweep of files', files.sweep)
  sweep()
  const sweeping = setInterval(sweep, SWEEP_EVERY_MS)
  ownBackups?.start()
  const close = ({ graceMs } = { graceMs: STOP_GRACE_MS }): Promise<void> => {
    clearInterval(sweeping)
    return stop({ server, mailer, background, ownBackups, db }, graceMs)
  }
  return {
    apiKey,
    listen: () => server.app.listen({ host, port }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

type StopNeeds = Pick<Parts, 'mailer' | 'background' | 'ownBackups' | 'db'> & { server: Server }

/** Answers go on for `graceMs`; connections still open after the time limit are cut. */
async function stop(
  { server, mailer, background, ownBackups, db }: StopNeeds,
  graceMs: number,
): Promise<void> {
  server.startStopping()
  await delay(graceMs)
  await Promise.race([
    server.app.close(),
    delay(STOP_TIMEOUT_MS - 1000 - graceMs, undefined, { ref: false }),
  ])
  server.app.server.closeAllConnections()
  mailer.close()
  await ownBackups?.stop()
  await background.drained()
  await db.destroy()
}

function pageSettings(config: Config): PageSettings {
  return {
    siteName: config.siteName,
    projectId: config.projectId,
    databaseId: config.databaseId,
    collectionId: config.collectionId,
    contentBucketId: config.contentBucketId,
    avatarBucketId: config.avatarBucketId,
    mail: deliveryOf(config.mail),
    hasGoogle: config.google !== undefined,
    isRegistrationOpen: config.isRegistrationOpen,
  }
}
