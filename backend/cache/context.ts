import type { HttpContext } from '../http/context.ts'
import type { AddSharedRead } from './cached-reads.ts'
import type { ResponseCache } from './response-cache.ts'

export type CacheContext = HttpContext & { cache: ResponseCache; addSharedRead: AddSharedRead }
