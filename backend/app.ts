// The composition root: from settings to a running server. The live parts are made in services.ts,
// and handed to the routes here. Knows no rule of its own.

import { setTimeout as delay } from 'node:timers/promises'
import { sweepInvitations } from './accounts/invitations.ts'
import { accountRoutes } from './accounts/routes.ts'
import { sweepSignIns } from './accounts/sessions.ts'
import { addFastPath, makeAddSharedRead } from './cache/cached-reads.ts'
import { adapter, compatRoutes } from './compat/adapter.ts'
import type { Config } from './config.ts'
import { addDiscovery } from './discovery/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { requireBucket } from './files/s3.ts'
import { googleRoutes } from './google/routes.ts'
import { retire } from './http/connections.ts'
import { addProxyProbe, makeHealth } from './http/health.ts'
import type { MetricsReading } from './http/metrics.ts'
import { makeServer, type Routes, type Server } from './http/server.ts'
import { deliveryOf } from './mail/mailer.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { openApiRoutes } from './openapi/routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import type { DeletionNeeds } from './own-data/deletion.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import { addPages, type PageSettings } from './pages/routes.ts'
import { lockPostsOf, removeAllOf, streamDeletedOf, sweepDeleted } from './posts/deleted-posts.ts'
import { historyRoutes } from './posts/history-routes.ts'
import { hasOwnPosts, streamAllOf } from './posts/read-posts.ts'
import { backfillIndex, renewTexts } from './posts/renew-texts.ts'
import { postRoutes } from './posts/routes.ts'
import { streamVersionsOf } from './posts/versions.ts'
import { readClock } from './process/ids.ts'
import type { Log } from './process/log.ts'
import { within } from './process/work-thread.ts'
import { makePageViewRecorder, readRoutes } from './reads/routes.ts'
import { isRealtime } from './realtime/upgrade.ts'
import { type Edges, makeServices, type Services } from './services.ts'

const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000
/** How often the server looks for posts that were written past it. */
const INDEX_LOOK_EVERY_MS = 60_000
/** How long new requests are still answered after the signal to stop. */
const STOP_GRACE_MS = 800
/** Then the process ends whatever still runs: 10 s is what it promises. */
const STOP_TIMEOUT_MS = 9500
/** Of it, what is kept for mails and work after answers, and then for the database. */
const STOP_BACKGROUND_MS = 1000
const STOP_DATABASE_MS = 500
/** How long a process that was replaced waits for connections that are silent. */
const RETIRE_MS = 5000

type StopTimes = { graceMs: number; limitMs?: number; isReplaced?: true }

export type App = Awaited<ReturnType<typeof makeApp>>

/** Leaving the scope of what it returns closes the app as `close()` does. */
export async function makeApp(config: Config, log: Log, edges: Edges) {
  const { publicUrl, host, port, s3 } = config
  const { pages } = edges
  const parts = await makeServices(config, log, edges)
  const { apiKey } = parts
  const probeS3 = s3 && (() => requireBucket(s3))
  const health = makeHealth({ ...config, ...parts, probeS3 })
  const common = { ...config, ...parts, recordResponse: parts.metrics?.recordResponse }
  const server = await makeServer({ ...common, adapter, mayUpgrade: isRealtime }, [
    openApiRoutes,
    health.routes,
    ...makeApiRoutes(config, parts),
  ])
  parts.realtime.addTo(server.app.server)
  health.addTo(server.app)
  parts.metrics?.addTo(server.app, { apiKey, read: () => readMetrics(parts) })
  addProxyProbe(server.app, { apiKey, now: readClock })
  const discovery = addDiscovery(server.app, { ...common, cardWords: pages })
  if (pages)
    await addPages(server.app, {
      ...{ ...common, pages, site: pageSettings(config) },
      findUserinfoUrl: parts.googleProvider?.findUserinfoUrl,
      deriveTexts: (...asked) => parts.posts.bodies.derive(parts.db, ...asked),
      notePage: makePageViewRecorder(parts.reads),
    })
  addFastPath(server.app.server, {
    ...{ ...common, isHttps: publicUrl.startsWith('https:') },
    hasCredentials: parts.mayHaveCredentials,
    hasOwnPosts: hasOwnPosts.bind(undefined, parts.posts),
    isStopping: server.isStopping,
  })

  const sweeping = startSweeping(parts, edges)
  /**
   * Answers go on for a moment, then running requests finish, then everything closes; what hangs is
   * cut off in time (threat-model.md §10). With `isReplaced` another process has taken its place:
   * connections have some seconds more to close by themselves.
   */
  function close(times: StopTimes = { graceMs: STOP_GRACE_MS }): Promise<void> {
    sweeping.stop()
    discovery.close()
    return stop(server, parts, times)
  }
  return {
    /** The server's API key, from the settings or the data folder. */
    apiKey,
    /** Starts to listen. @returns the address really listened on */
    listen: () => server.app.listen({ host, port }),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/**
 * What is done from time to time. Posts come into the index of words here that were there before
 * it, or are written past the server.
 */
function startSweeping(parts: Services, { isFirst = true, drawsAhead = true }: Edges) {
  const { background, files, posts, reads, rateLimits, ownBackups } = parts
  const stopping = new AbortController()
  const sweep = () => {
    background.run('sweep of files', () => files.sweep({ signal: stopping.signal }))
    background.run('sweep of deleted posts', () => sweepDeleted(posts))
    background.run('sweep of reads', reads.sweep)
    background.run('sweep of invitations', () => sweepInvitations(parts))
    background.run('sweep of sign-ins', () => sweepSignIns(parts))
  }
  let isFilling = false
  const fill = () => {
    background.run('sweep of counts', rateLimits.sweep)
    if (isFilling) return
    isFilling = true
    background.run('index of words', () =>
      backfillIndex(posts, { signal: stopping.signal }).finally(() => (isFilling = false)),
    )
  }
  const timers: NodeJS.Timeout[] = []
  if (isFirst) {
    sweep()
    fill()
    background.run('texts of posts', () => renewTexts(posts, { signal: stopping.signal }))
    timers.push(setInterval(sweep, SWEEP_EVERY_MS), setInterval(fill, INDEX_LOOK_EVERY_MS))
    ownBackups?.start()
  }
  if (drawsAhead) files.startDrawingAhead()
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      files.stopDrawingAhead()
    },
  }
}

/** Answers go on for `graceMs`; what is not done after its share of `limitMs` is cut off. */
async function stop(
  server: Server,
  { realtime, reads, mailer, background, ownBackups, db, log }: Services,
  { graceMs, isReplaced, limitMs = STOP_TIMEOUT_MS }: StopTimes,
): Promise<void> {
  const endAtMs = performance.now() + limitMs + (isReplaced ? RETIRE_MS : 0)
  const before = async (keptMs: number, what: string, work: Promise<unknown>) => {
    const noted = work.catch((err: unknown) => log.error({ err, what }, 'the stop met a fault'))
    const leftMs = Math.max(0, endAtMs - keptMs - performance.now())
    const done = noted.then(() => true)
    if (!(await within(leftMs, done)))
      log.warn({ event: 'cut off', what }, 'the stop did not wait any longer')
  }
  server.startStopping()
  const left = realtime.stop()
  if (isReplaced) await retire(server.app.server, RETIRE_MS)
  await delay(graceMs)
  await before(STOP_BACKGROUND_MS + STOP_DATABASE_MS, 'realtime', left)
  await before(STOP_BACKGROUND_MS + STOP_DATABASE_MS, 'requests', server.app.close())
  server.app.server.closeAllConnections()
  const mailMs = endAtMs - performance.now() - STOP_BACKGROUND_MS / 2 - STOP_DATABASE_MS
  mailer.close(Math.max(0, mailMs))
  const drained = Promise.all([reads.stop(), ownBackups?.stop(), background.drained()])
  await before(STOP_DATABASE_MS, 'work after answers', drained)
  await before(0, 'database', db.destroy())
}

function readMetrics({ files, passwords, rateLimits, mailer }: Services): MetricsReading {
  return {
    queues: { passwords: passwords.stats(), images: files.imageQueueStats() },
    previews: files.previewLookups(),
    rateLimitRefusals: rateLimits.refusals(),
    mailsWaiting: mailer.waiting(),
  }
}

function pageSettings(config: Config): PageSettings {
  const { siteName, about, reading, projectId, databaseId, collectionId } = config
  const { contentBucketId, avatarBucketId, isRegistrationOpen, publicStatuses } = config
  return {
    ...{ siteName, about, reading, projectId, databaseId, collectionId },
    ...{ contentBucketId, avatarBucketId, isRegistrationOpen },
    mail: deliveryOf(config.mail),
    hasGoogle: config.google !== undefined,
    ...(config.hasReadCounts ? { hasReadCounts: true } : {}),
    ...(publicStatuses.some((word) => word !== 'active') ? { publicStatuses } : {}),
    ...(config.hasTextBodies ? { hasTextBodies: true } : {}),
  }
}

/** What each group of API routes is handed. */
function makeApiRoutes(config: Config, parts: Services): Routes[] {
  const { rateLimits, files, posts, reads, cache } = parts
  const addSharedRead = makeAddSharedRead(cache, hasOwnPosts.bind(undefined, posts))
  const deleteAllContentOf: DeletionNeeds['deleteAllContentOf'] = async (tx, after, userId) => {
    await removeAllOf(tx, userId)
    await files.removeAllOf(tx, after, userId)
  }
  const needs = {
    ...config,
    ...parts,
    ...{ setAvatarFile: files.setAvatarFile, notePrefs: reads.notePrefs },
  }
  return [
    accountRoutes(needs),
    mailLinkRoutes(needs),
    googleRoutes(needs),
    ownDataRoutes({
      ...needs,
      ownLists: {
        'posts.json': (user) => streamAllOf(posts, user),
        'versions.json': (user) => streamVersionsOf(posts.db, user),
        'deleted-posts.json': (user) => streamDeletedOf(posts, user),
        'reads.json': reads.streamReadsOf,
      },
      listFilesOf: ({ userId }) => files.listAllOf(userId),
      ...{ lockPostsOf, deleteAllContentOf },
    }),
    operatorRoutes(needs),
    fileRoutes(files, cache),
    postRoutes({ posts, rateLimits, addSharedRead }),
    historyRoutes({ posts, rateLimits, addSharedRead }),
    readRoutes(reads, posts),
    ...compatRoutes(needs),
  ]
}
