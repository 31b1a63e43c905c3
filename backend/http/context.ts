import type { BaseContext } from '../site/context.ts'
import type { RateLimits } from './rate-limits.ts'

export type HttpContext = BaseContext & { rateLimits: RateLimits }
