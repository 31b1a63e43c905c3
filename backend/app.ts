// The composition root: from settings to a running server. The live parts are made in parts.ts, and
// api-routes.ts hands them to the routes. Knows no rule of its own.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sweepSignIns } from './accounts/accounts.ts'
import { sweepInvitations } from './accounts/invitations.ts'
import { makeApiRoutes } from './api-routes.ts'
import { addFastPath } from './cache/fast-path.ts'
import type { Config } from './config.ts'
import type { OnFatal } from './database/sqlite-write-queue.ts'
import { addDiscovery } from './discovery/discovery.ts'
import { addProxyProbe } from './doctor/proxy-probe.ts'
import { requireBucket } from './files/s3.ts'
import { retire } from './http/connections.ts'
import { type Health, makeHealth } from './http/health.ts'
import type { Numbers } from './http/metrics.ts'
import { countsOf } from './http/rate-limits.ts'
import { makeServer, type Server } from './http/server.ts'
import { makeUnavailableLog, type NoteUnavailable } from './http/throttled-log.ts'
import { deliveryOf } from './mail/mailer.ts'
import type { Pages } from './pages/render-page.ts'
import { addPages, type PageSettings } from './pages/routes.ts'
import { makeParts, type Parts } from './parts.ts'
import type { Log } from './process/log.ts'
import { within } from './process/work-thread.ts'
import type { OtherWorkers } from './process/workers.ts'
import { makeNotePage } from './reads/routes.ts'
import { isRealtime } from './realtime/upgrade.ts'

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

type StopTimes = { graceMs: number; limitMs?: number; isReplaced?: true }

/** Leaving its scope closes it as `close()` does. */
export type App = AsyncDisposable & {
  /** The server's API key, from the settings or the data folder. */
  apiKey: string
  /** Starts to listen. @returns the address really listened on */
  listen(): Promise<string>
  /**
   * Answers go on for a moment, then running requests finish, then everything closes; what hangs is
   * cut off in time (threat-model.md §10). With `isReplaced` another process has taken its place:
   * connections have some seconds more to close by themselves.
   */
  close(options?: StopTimes): Promise<void>
}

export async function makeApp(config: Config, log: Log, edges: Edges): Promise<App> {
  const { publicUrl, host, port } = config
  const { pages } = edges
  const parts = await makeParts(config, log, edges)
  const noteUnavailable = makeUnavailableLog(log)
  const { apiKey } = parts
  const health = openHealth(config, parts, noteUnavailable)
  const noteAnswer = parts.metrics?.noteAnswer
  const common = { ...config, ...parts, noteUnavailable, noteAnswer }
  const server = await makeServer({ ...common, mayUpgrade: isRealtime }, [
    health.routes,
    ...makeApiRoutes(config, parts),
  ])
  parts.realtime.addTo(server.app.server)
  health.addTo(server.app)
  parts.metrics?.addTo(server.app, { apiKey, read: () => readNumbers(parts) })
  addProxyProbe(server.app, { apiKey, now: () => new Date() })
  const site = pageSettings(config)
  const discovery = addDiscovery(server.app, {
    ...{ ...common, cardWords: pages, site: { ...site, publicUrl } },
    feeds: config.reading === 'everyone' ? common : undefined,
  })
  if (pages)
    await addPages(server.app, {
      ...{ ...common, pages, site },
      findUserinfoUrl: parts.googleProvider?.findUserinfoUrl,
      deriveTexts: parts.posts.deriveTexts,
      notePage: makeNotePage(parts.reads),
    })
  addFastPath(server.app.server, {
    ...{ ...common, countsOf, isHttps: publicUrl.startsWith('https:') },
    hasCredentials: parts.mayHaveCredentials,
    hasOwnPosts: parts.posts.hasOwnPosts,
    isStopping: server.isStopping,
  })

  const sweeping = startSweeping(parts, edges)
  const close: App['close'] = ({ limitMs = STOP_TIMEOUT_MS, ...times } = DEFAULT_STOP) => {
    sweeping.stop()
    discovery.close()
    return stop(server, parts, { ...times, limitMs })
  }
  return {
    apiKey,
    listen: () => server.app.listen({ host, port }),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

/**
 * What is done from time to time. Posts come into the index of words here that were there before
 * it, or are written past the server.
 */
function startSweeping(
  parts: Parts,
  { isFirst = true, drawsAhead = true }: Edges,
): { stop(): void } {
  const { background, files, posts, reads, rateLimits, ownBackups } = parts
  const stopping = new AbortController()
  const sweep = () => {
    background.run('sweep of files', () => files.sweep({ signal: stopping.signal }))
    background.run('sweep of deleted posts', posts.sweepDeleted)
    background.run('sweep of reads', reads.sweep)
    background.run('sweep of invitations', () => sweepInvitations(parts))
    background.run('sweep of sign-ins', () => sweepSignIns(parts))
  }
  const index = oneAtATime(() => posts.fillIndex({ signal: stopping.signal }))
  const fill = () => {
    background.run('index of words', index)
    background.run('sweep of counts', rateLimits.sweep)
  }
  const timers: NodeJS.Timeout[] = []
  if (isFirst) {
    sweep()
    fill()
    background.run('texts of posts', () => posts.renewTexts({ signal: stopping.signal }))
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

/** Another call while it runs does nothing. */
function oneAtATime(work: () => Promise<unknown>): () => Promise<void> {
  let isRunning = false
  return async () => {
    if (isRunning) return
    isRunning = true
    try {
      await work()
    } finally {
      isRunning = false
    }
  }
}

const DEFAULT_STOP: StopTimes = { graceMs: STOP_GRACE_MS }

/** Answers go on for `graceMs`; what is not done after its share of `limitMs` is cut off. */
async function stop(
  server: Server,
  { realtime, reads, mailer, background, ownBackups, db, log }: Parts,
  { graceMs, isReplaced, limitMs }: StopTimes & { limitMs: number },
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

function openHealth(
  { dataDir, s3 }: Config,
  { db, mailer, files }: Parts,
  noteUnavailable: NoteUnavailable,
): Health {
  return makeHealth({
    db,
    dataDir,
    requireFiles: files.requireFolder,
    requireUploads: files.requireUploads,
    filesDir: s3 ? undefined : join(dataDir, 'files'),
    probeS3: s3 && (() => requireBucket(s3)),
    mailsWaiting: mailer.waiting,
    noteUnavailable,
  })
}

function readNumbers({ files, passwords, rateLimits, mailer }: Parts): Numbers {
  return {
    queues: { passwords: passwords.numbers(), images: files.imageQueueNumbers() },
    caches: { previews: files.previewLookups() },
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
