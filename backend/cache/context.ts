import type { HttpContext } from '../http/context.ts'
import type { ResponseCache } from './response-cache.ts'
import type { AddSharedRead } from './shared-reads.ts'

export type CacheContext = HttpContext & { cache: ResponseCache; addSharedRead: AddSharedRead }
