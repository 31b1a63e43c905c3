// What each group of API routes is handed: exactly the live parts and settings that it uses.
import { changeRoutes } from './accounts/change-routes.ts'
import { identityRoutes } from './accounts/identity-routes.ts'
import { invitationRoutes } from './accounts/invitation-routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { makeAddSharedRead } from './cache/shared-reads.ts'
import { collectionRoutes } from './collections/routes.ts'
import type { Config } from './config.ts'
import { fileRoutes } from './files/routes.ts'
import { googleRoutes } from './google/routes.ts'
import type { Routes } from './http/server.ts'
import { localeRoutes } from './locale/routes.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { operatorAccessRoutes } from './operator/access-routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import type { RemoveEverythingOf } from './own-data/deletion.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import type { Parts } from './parts.ts'
import { furtherRoutes } from './posts/further-routes.ts'
import { historyRoutes } from './posts/history-routes.ts'
import { postRoutes } from './posts/routes.ts'
import { searchRoutes } from './posts/search-routes.ts'
import { tagRoutes } from './posts/tag-routes.ts'
import type { Log } from './process/log.ts'
import { readRoutes } from './reads/routes.ts'

export function makeApiRoutes(
  config: Config,
  parts: Omit<Parts, 'apiKey' | 'findViewer'>,
  { log, now }: { log: Log; now: () => Date },
): Routes[] {
  const { siteName, projectId, publicUrl, allowedOrigins, isRegistrationOpen } = config
  const { db, background, rateLimits, mailer, passwords, browsers, cookies } = parts
  const { providerTokens, googleProvider, files, posts, reads, cache } = parts
  const addSharedRead = makeAddSharedRead(cache, posts.hasOwnPosts)
  const removeEverythingOf: RemoveEverythingOf = async (tx, after, userId) => {
    await posts.removeAllOf(tx, userId)
    await files.removeAllOf(tx, after, userId)
  }
  const common = { db, background, log, now }
  const prefs = { noteAvatar: files.noteAvatar, notePrefs: reads.notePrefs }
  return [
    accountRoutes({
      ...{ ...common, ...prefs, jwts: parts.jwts },
      ...{ rateLimits, passwords, browsers, providerTokens, isRegistrationOpen, cookies },
    }),
    changeRoutes({ ...common, mailer, passwords, siteName, publicUrl, cookies }),
    identityRoutes({ db, background, log, cookies }),
    invitationRoutes({ ...common, mailer, siteName, publicUrl }),
    mailLinkRoutes({
      ...common,
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
      ...common,
      googleProvider,
      providerTokens,
      projectId,
      publicUrl,
      allowedOrigins,
      isRegistrationOpen,
      cookies,
    }),
    ownDataRoutes({
      ...common,
      passwords,
      cookies,
      ...{ streamPostsOf: posts.streamAllOf, streamVersionsOf: posts.streamVersionsOf },
      ...{ streamDeletedOf: posts.streamDeletedOf, streamReadsOf: reads.streamReadsOf },
      listFilesOf: ({ userId }) => files.listAllOf(userId),
      ...{ lockPostsOf: posts.lockAllOf, removeEverythingOf },
    }),
    operatorRoutes({
      ...common,
      mailer,
      passwords,
      siteName,
      publicUrl,
      ...prefs,
    }),
    operatorAccessRoutes({ ...common, passwords, jwts: parts.jwts, cookies }),
    localeRoutes(),
    fileRoutes(files, cache),
    collectionRoutes(parts.collections),
    postRoutes({ posts, rateLimits, addSharedRead, isForMembers: config.reading === 'members' }),
    furtherRoutes(posts, rateLimits),
    tagRoutes(posts, { rateLimits, reading: config.reading }),
    searchRoutes(posts, { rateLimits, addSharedRead }),
    historyRoutes(posts, rateLimits),
    readRoutes(reads, posts),
  ]
}
