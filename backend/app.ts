// The composition root: settings in, a running server out. Makes the server with the routes of all
// rooms, whose contexts contexts.ts makes. Periodic work and the shutdown are in lifecycle.ts.

import { accountRoutes } from './accounts/routes.ts'
import { readAccount } from './accounts/users.ts'
import { findMovedTo } from './archive/old-addresses.ts'
import { archiveRoutes } from './archive/routes.ts'
import type { RunsContext } from './archive/runs/context.ts'
import type { RunTask } from './archive/runs/run-process.ts'
import { makeArchiveRunner } from './archive/runs/runner.ts'
import { commentRoutes } from './comments/routes.ts'
import { adapter } from './compat/adapter.ts'
import { withAliases } from './compat/attribute-names.ts'
import { jwtRoutes } from './compat/jwt.ts'
import { type Contexts, type ContextsOptions, openContexts } from './contexts.ts'
import { addDiscovery } from './discovery/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { requireBucket } from './files/s3.ts'
import { googleRoutes } from './google/routes.ts'
import { addProxyProbe, makeHealth } from './http/health.ts'
import { makeServer, type Routes } from './http/server.ts'
import { shutDown, startPeriodicWork } from './lifecycle.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { administrationRoutes } from './operator/administration-routes.ts'
import { logoRoutes } from './operator/logo-routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import { makeSetupCode } from './operator/setup.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import { addPages } from './pages/routes.ts'
import { postListRoutes } from './post-lists/routes.ts'
import { findPostEvent } from './posts/post-events.ts'
import { previewLinkRoutes } from './posts/preview-link-routes.ts'
import { postRoutes } from './posts/routes.ts'
import type { Log } from './process/log.ts'
import type { OtherWorkers } from './process/workers.ts'
import { readRoutes } from './reads/routes.ts'
import { makeRealtime } from './realtime/realtime.ts'
import { isRealtimeRequest } from './realtime/upgrade.ts'
import type { Config } from './settings/config.ts'
import { versionRoutes } from './versions/routes.ts'

/** The environment of the app, replaceable in tests. */
export type AppOptions = ContextsOptions & {
  /** False: previews are drawn on request only. */
  pregeneratesPreviews?: boolean
  /** The other processes of the blog on this host; none when absent. */
  otherWorkers?: OtherWorkers
  /** Does the work of imports and exports; a child process unless a test passes its own. */
  runTask?: RunTask | undefined
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
  const contexts = await openContexts(config, log, options)
  const { secrets, metrics } = contexts
  const { base, http, accounts, files, posts, operator, resolveViewer } = contexts
  const { site, mailer, rateLimits } = operator

  const runs: RunsContext = {
    ...contexts.archive,
    archiveRunner: makeArchiveRunner(contexts.archive, options.runTask),
  }

  const probeS3 = config.s3 && requireBucket.bind(undefined, config.s3)
  const health = makeHealth({ ...base, files, mailer, probeS3 })
  const recordResponse = metrics?.recordResponse
  const server = await makeServer(
    { ...http, adapter, resolveViewer, recordResponse, mayUpgrade: isRealtimeRequest },
    [health.routes, ...routesOf(contexts, runs)],
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
  if (pages)
    await addPages(app, {
      ...operator,
      googleProvider: accounts.googleProvider,
      pages,
      findMovedTo: (viewer, path) => findMovedTo(posts, viewer, path),
    })

  const sweeping = startPeriodicWork(runs, options)
  function close(times?: Parameters<typeof shutDown>[3]): Promise<void> {
    sweeping.stop()
    return shutDown(server, realtime, runs, times)
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
    /** Answers a GET without a network, as to a guest. */
    async fetchPage(path: string) {
      const { statusCode, headers, rawPayload } = await app.inject({
        url: path,
        headers: { accept: 'image/webp,*/*' },
      })
      const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
      const location = String(headers.location ?? '')
      return { status: statusCode, type, location, body: rawPayload }
    },
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

function routesOf(
  { accounts, files, posts, reads, ownData, operator }: Contexts,
  runs: RunsContext,
): Routes[] {
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
    archiveRoutes(runs),
    jwtRoutes(accounts),
  ]
}
