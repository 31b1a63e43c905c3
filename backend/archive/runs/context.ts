import type { ArchiveContext } from '../context.ts'
import type { ArchiveRunner } from './runner.ts'

export type RunsContext = ArchiveContext & { archiveRunner: ArchiveRunner }
