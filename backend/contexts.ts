// Makes the context of each room from the one to its left, for the server (app.ts), and for
// commands and child processes that work on a blog's data without a server.

import { type HashCost, makePasswords } from './accounts/passwords.ts'
import { makeResolveViewer, makeSessionNames } from './accounts/resolve-viewer.ts'
import { makeKnownBrowsers, makeSessionCookies } from './accounts/session-cookies.ts'
import type { ArchiveContext } from './archive/context.ts'
import { removeRunsOfAccount } from './archive/runs/sweep-runs.ts'
import { makeScheduledBackups } from './backups/scheduled-backups.ts'
import type { CacheContext } from './cache/context.ts'
import { makeResponseCache } from './cache/response-cache.ts'
import { makeAddSharedRead } from './cache/shared-reads.ts'
import { adapter } from './compat/adapter.ts'
import { type CompatContext, makeJwts } from './compat/jwt.ts'
import { makeReadTagVersions } from './database/cache-tags.ts'
import { onDomainEvent } from './database/domain-events.ts'
import type { OnFatal } from './database/sqlite-write-queue.ts'
import { makeFiles, updateAvatarOnPrefsEvent } from './files/files.ts'
import type { GoogleContext } from './google/context.ts'
import { makeProviderTokens } from './google/provider-tokens.ts'
import { callbackPath } from './google/routes.ts'
import type { HttpContext } from './http/context.ts'
import { makeRateLimits } from './http/rate-limits.ts'
import { makeMailer } from './mail/mailer.ts'
import { recountCommentsOf } from './moderation/hidings.ts'
import { openCaseForApproval } from './moderation/open-cases.ts'
import { createNotifications } from './notifications/create-notifications.ts'
import { openData } from './open-data.ts'
import type { OperatorContext } from './operator/context.ts'
import { makeDoctorChecks } from './operator/doctor-checks.ts'
import type { OwnDataContext } from './own-data/context.ts'
import type { Pages } from './pages/context.ts'
import type { PostsContext } from './post-texts/context.ts'
import { makePostTexts } from './post-texts/post-texts.ts'
import { makeBackground } from './process/background.ts'
import type { Log } from './process/log.ts'
import type { ReadsContext } from './reads/context.ts'
import { deleteUncountedReads, makeReads } from './reads/reads.ts'
import type { Config } from './settings/config.ts'
import type { BaseContext } from './site/context.ts'
import { makeSite } from './site/site.ts'

/** The environment of the contexts, replaceable in tests. */
export type ContextsOptions = {
  now: () => Date
  /** The web part; without it only the API is served. */
  pages: Pages | undefined
  /** Called when SQLite could not write or sync: no further write may be acknowledged. */
  onFatal: OnFatal
  /** The cost of a password hash; threat-model.md §6 has the default. */
  hashCost?: HashCost | undefined
}

export type Contexts = Awaited<ReturnType<typeof openContexts>>

/**
 * Opens the data, and makes the context of each room, from left to right, each from the one before.
 * Optional packages are loaded if a setting needs them. Disposing them finishes the work after
 * commits and closes the database; the server does that in its own shutdown.
 *
 * @throws Error when the data folder, the database or the bucket cannot be used
 */
export async function openContexts(config: Config, log: Log, options: ContextsOptions) {
  const { now, pages } = options
  const { db, secrets, metrics } = await openData(config, log, options)
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
  subscribeRooms(operator)
  const archive: ArchiveContext = { ...operator, config }
  return {
    secrets,
    metrics,
    base,
    http,
    accounts,
    files,
    posts,
    reads,
    ownData,
    operator,
    archive,
    resolveViewer,
    async [Symbol.asyncDispose]() {
      await Promise.all([archive.reads.stop(), base.background.drained()])
      archive.mailer.close()
      await db.destroy()
    },
  }
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
  onDomainEvent(db, (tx, afterCommit, event) =>
    removeRunsOfAccount(context, tx, afterCommit, event),
  )
}

/** Derives texts of a post's body by the renderer; they are stored with its version. */
function describeBodies(pages: Pages | undefined) {
  if (pages?.textsVersion === undefined) return undefined
  return { version: pages.textsVersion, derive: pages.describeBody }
}
