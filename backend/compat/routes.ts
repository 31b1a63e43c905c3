// The routes that only other programs call.
import type { Routes } from '../http/server.ts'
import type { Posts } from '../posts/posts.ts'
import { collectionRoutes } from './collection-routes.ts'
import type { Collections } from './collections.ts'
import { localeRoutes } from './locale-routes.ts'
import { otherPostRoutes } from './post-routes.ts'

export function compatRoutes(parts: { collections: Collections; posts: Posts }): Routes[] {
  return [collectionRoutes(parts.collections), otherPostRoutes(parts.posts), localeRoutes()]
}
