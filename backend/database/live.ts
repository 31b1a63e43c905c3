// What rules work with, whatever they are about.
import type { Background } from '../process/background.ts'
import type { Log } from '../process/log.ts'
import type { Database } from './schema.ts'

export type Live = { db: Database; background: Background; log: Log; now: () => Date }
