// The composition root: from settings to a running server. The live parts are made in parts.ts, and
// api-routes.ts hands them to the routes. Knows no rule of its own.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  INDEX_LOOK_EVERY_MS,
  STOP_BACKGROUND_MS,
  STOP_DATABASE_MS,
  STOP_GRACE_MS,
  STOP_TIMEOUT_MS,
  SWEEP_EVERY_MS,
} from '#contract/server-limits.ts'
import { sweepInvitations } from './accounts/invitations.ts'
import { sweepSignIns } from './accounts/logs.ts'
import { makeApiRoutes } from './api-routes.ts'
import type { Config } from './config.ts'
import type { OnFatal } from './database/sqlite-groups.ts'
import { makeChangedTopics, topicsForMembers } from './database/topics.ts'
import { addDiscovery } from './discovery/discovery.ts'
import { addProxyProbe } from './doctor/proxy-probe.ts'
import { requireBucket } from './files/s3.ts'
import { type Health, makeHealth } from './http/health.ts'
import type { Numbers } from './http/metrics.ts'
import { retire } from './http/retire.ts'
import { makeServer, type Server } from './http/server.ts'
import { makeUnavailableLog, type NoteUnavailable } from './http/unavailable-log.ts'
import { deliveryOf } from './mail/mailer.ts'
import type { Pages } from './pages/render-page.ts'
import { addPages, type PageSettings } from './pages/routes.ts'
import { makeParts, type Parts } from './parts.ts'
import { readCleaningRules } from './posts/cleaning-rules.ts'
import type { Log } from './process/log.ts'
import { ALONE, type Siblings } from './process/siblings.ts'
import { makeNotePage } from './reads/routes.ts'
import { isRealtime } from './realtime/upgrade.ts'

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
  siblings?: Siblings
}

type StopTimes = { graceMs: number; limitMs?: number; retireMs?: number }

/** Leaving its scope closes it as `close()` does. */
export type App = AsyncDisposable & {
  /** The server's API key, from the settings or the data folder. */
  apiKey: string
  /** Starts to listen. @returns the address really listened on */
  listen(): Promise<string>
  /**
   * Answers go on for a moment, then running requests finish, then everything closes; what hangs is
   * cut off in time (threat-model.md §10). With `retireMs` another process has taken its place:
   * connections have so long to close by themselves.
   */
  close(options?: StopTimes): Promise<void>
}

export async function makeApp(config: Config, log: Log, edges: Edges): Promise<App> {
  const { projectId, publicUrl, allowedOrigins, trustedProxies, host, port } = config
  const { now, pages } = edges
  const parts = await makeParts(config, log, edges)
  const noteUnavailable = makeUnavailableLog(log)
  const { apiKey, db, background, rateLimits, mailer, findViewer, googleProvider, files } = parts
  const { ownBackups } = parts
  const health = openHealth(config, parts, noteUnavailable)
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
      hasReplica: config.databaseReplicaUrl !== undefined,
      noteAnswer: parts.metrics?.noteAnswer,
      mayUpgrade: isRealtime,
    },
    [health.routes, ...makeApiRoutes(config, parts, { log, now })],
  )
  parts.realtime.addTo(server.app.server)
  health.addTo(server.app)
  parts.metrics?.addTo(server.app, { apiKey, read: () => readNumbers(parts) })
  addProxyProbe(server.app, { apiKey, now: () => new Date() })
  const findUserinfoUrl = googleProvider?.findUserinfoUrl
  const site = pageSettings(config)
  const discovery = addDiscovery(server.app, {
    ...{ db, rateLimits, files },
    posts: parts.posts,
    cardWords: pages,
    siteName: config.siteName,
    avatarBucketId: config.avatarBucketId,
    now,
    site: { ...site, publicUrl },
    feeds: feedNeeds(config, parts, log),
  })
  const findPage =
    pages &&
    (await addPages(server.app, {
      pages,
      site,
      publicUrl,
      findUserinfoUrl,
      findViewer,
      rateLimits,
      noteUnavailable,
      deriveTexts: parts.posts.deriveTexts,
      notePage: makeNotePage(parts.reads),
      changed: {
        forGuests: makeChangedTopics(db),
        forMembers: makeChangedTopics(db, topicsForMembers),
      },
    }))
  const kept = [files.findKept, parts.keptAnswers.findEarly]
  const early = findPage ? [findPage, ...kept] : kept
  server.answerEarly(early, parts.mayHaveCredentials)

  const sweeping = startSweeping(parts, edges)
  const close: App['close'] = ({ limitMs = STOP_TIMEOUT_MS, ...times } = DEFAULT_STOP) => {
    sweeping.stop()
    discovery.close()
    const { realtime, reads } = parts
    return stop(
      { server, realtime, reads, mailer, background, ownBackups, db, log },
      { ...times, limitMs },
    )
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
  { now, siblings = ALONE, drawsAhead = true }: Edges,
): { stop(): void } {
  const { background, db, files, posts, reads, rateLimits, ownBackups } = parts
  const stopping = new AbortController()
  const sweep = () => {
    background.run('sweep of files', () => files.sweep({ signal: stopping.signal }))
    background.run('sweep of deleted posts', posts.sweepDeleted)
    background.run('sweep of reads', reads.sweep)
    background.run('sweep of invitations', () => sweepInvitations({ db, now }))
    background.run('sweep of sign-ins', () => sweepSignIns({ db, now }))
  }
  const index = oneAtATime(() => posts.fillIndex({ signal: stopping.signal }))
  const fill = () => {
    background.run('index of words', index)
    background.run('sweep of counts', rateLimits.sweep)
  }
  const timers: NodeJS.Timeout[] = []
  // One process of a machine does this for all.
  siblings.whenLeading(() => {
    if (stopping.signal.aborted) return
    sweep()
    fill()
    background.run('texts of posts', () => posts.renewTexts({ signal: stopping.signal }))
    timers.push(setInterval(sweep, SWEEP_EVERY_MS), setInterval(fill, INDEX_LOOK_EVERY_MS))
    ownBackups?.start()
  })
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

type StopNeeds = Pick<
  Parts,
  'realtime' | 'mailer' | 'background' | 'ownBackups' | 'db' | 'reads'
> & {
  server: Server
  log: Log
}

/** Answers go on for `graceMs`; what is not done after its share of `limitMs` is cut off. */
async function stop(
  { server, realtime, reads, mailer, background, ownBackups, db, log }: StopNeeds,
  { graceMs, retireMs, limitMs }: StopTimes & { limitMs: number },
): Promise<void> {
  const endAtMs = performance.now() + limitMs
  const before = async (keptMs: number, what: string, work: Promise<unknown>) => {
    const noted = work.catch((err: unknown) => log.error({ err, what }, 'the stop met a fault'))
    if (!(await isDoneBy(endAtMs - keptMs, noted)))
      log.warn({ event: 'cut off', what }, 'the stop did not wait any longer')
  }
  server.startStopping()
  const left = realtime.stop()
  if (retireMs !== undefined) await retire(server.app.server, retireMs)
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

async function isDoneBy(atMs: number, work: Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), Math.max(0, atMs - performance.now()))
  try {
    return await Promise.race([work.then(() => true), promise])
  } finally {
    clearTimeout(timer)
  }
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
    queues: { passwords: passwords.numbers(), ...files.imageQueueNumbers() },
    caches: { previews: files.previewLookups() },
    rateLimitRefusals: rateLimits.refusals(),
    mailsWaiting: mailer.waiting(),
  }
}

function feedNeeds(config: Config, { db, background, posts, rateLimits }: Parts, log: Log) {
  const cleaningRules = readCleaningRules(config)
  return config.reading === 'everyone'
    ? { ...config, db, background, posts, rateLimits, log, cleaningRules }
    : undefined
}

function pageSettings(config: Config): PageSettings {
  return {
    siteName: config.siteName,
    about: config.about,
    reading: config.reading,
    projectId: config.projectId,
    databaseId: config.databaseId,
    collectionId: config.collectionId,
    contentBucketId: config.contentBucketId,
    avatarBucketId: config.avatarBucketId,
    mail: deliveryOf(config.mail),
    hasGoogle: config.google !== undefined,
    isRegistrationOpen: config.isRegistrationOpen,
    ...(config.hasReadCounts ? { hasReadCounts: true } : {}),
    ...(config.publicStatuses.some((word) => word !== 'active')
      ? { publicStatuses: config.publicStatuses }
      : {}),
    ...(config.hasTextBodies ? { hasTextBodies: true } : {}),
  }
}
