// What each group of API routes is handed. Its type says which live parts and settings it uses.
import { accountRoutes } from './accounts/routes.ts'
import { makeAddSharedRead } from './cache/cached-reads.ts'
import { collectionRoutes } from './collections/routes.ts'
import type { Config } from './config.ts'
import { fileRoutes } from './files/routes.ts'
import { googleRoutes } from './google/routes.ts'
import type { Routes } from './http/server.ts'
import { localeRoutes } from './locale/routes.ts'
import { mailLinkRoutes } from './mail-links/routes.ts'
import { operatorRoutes } from './operator/routes.ts'
import type { DeletionNeeds } from './own-data/deletion.ts'
import { ownDataRoutes } from './own-data/routes.ts'
import type { Parts } from './parts.ts'
import { furtherRoutes } from './posts/further-routes.ts'
import { postRoutes } from './posts/routes.ts'
import { readRoutes } from './reads/routes.ts'

export function makeApiRoutes(config: Config, parts: Parts): Routes[] {
  const { rateLimits, files, posts, reads, cache } = parts
  const addSharedRead = makeAddSharedRead(cache, posts.hasOwnPosts)
  const removeEverythingOf: DeletionNeeds['removeEverythingOf'] = async (tx, after, userId) => {
    await posts.removeAllOf(tx, userId)
    await files.removeAllOf(tx, after, userId)
  }
  const needs = {
    ...config,
    ...parts,
    ...{ noteAvatar: files.noteAvatar, notePrefs: reads.notePrefs },
  }
  return [
    accountRoutes(needs),
    mailLinkRoutes(needs),
    googleRoutes(needs),
    ownDataRoutes({
      ...needs,
      ownLists: {
        'posts.json': posts.streamAllOf,
        'versions.json': posts.streamVersionsOf,
        'deleted-posts.json': posts.streamDeletedOf,
        'reads.json': reads.streamReadsOf,
      },
      listFilesOf: ({ userId }) => files.listAllOf(userId),
      ...{ lockPostsOf: posts.lockAllOf, removeEverythingOf },
    }),
    operatorRoutes(needs),
    localeRoutes(),
    fileRoutes(files, cache),
    collectionRoutes(parts.collections),
    postRoutes({ posts, rateLimits, addSharedRead }),
    furtherRoutes({ posts, rateLimits, addSharedRead }),
    readRoutes(reads, posts),
  ]
}
