// The routes that only other programs call.
import type { Routes } from '../http/server.ts'
import type { Posts } from '../posts/posts.ts'
import { collectionRoutes } from './collection-routes.ts'
import type { CollectionNeeds } from './collections.ts'
import { localeRoutes } from './locale-routes.ts'
import { otherPostRoutes } from './post-routes.ts'

export function compatRoutes(needs: CollectionNeeds & { posts: Posts }): Routes[] {
  return [collectionRoutes(needs), otherPostRoutes(needs.posts), localeRoutes()]
}
