// stub, replaced by the files work
import type { Routes } from '../http/server.ts'
import type { Files } from './files.ts'

export function fileRoutes(_files: Files): Routes {
  return () => {}
}
