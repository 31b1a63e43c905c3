// The routes that only other programs call.
import type { Routes } from '../http/server.ts'
import type { Posts } from '../posts/posts.ts'
import { collectionRoutes } from './collection-routes.ts'
import type { CollectionNeeds } from './collections.ts'
import { type JwtNeeds, jwtRoutes } from './jwt.ts'
import { localeRoutes } from './locale-routes.ts'
import { otherPostRoutes } from './post-routes.ts'

export function compatRoutes(needs: CollectionNeeds & JwtNeeds & { posts: Posts }): Routes[] {
  return [
    ...[collectionRoutes(needs), jwtRoutes(needs), localeRoutes()],
    otherPostRoutes(needs.posts),
  ]
}
