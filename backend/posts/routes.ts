// stub, replaced by the posts work
import type { Routes } from '../http/server.ts'
import type { Posts } from './posts.ts'

export function postRoutes(_posts: Posts): Routes {
  return () => {}
}
