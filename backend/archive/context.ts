import type { OperatorContext } from '../operator/context.ts'
import type { Config } from '../settings/config.ts'

export type ArchiveContext = OperatorContext & { config: Config }
