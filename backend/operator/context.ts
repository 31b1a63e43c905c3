import type { OwnBackups } from '../backups/scheduled-backups.ts'
import type { FindViewer } from '../http/viewer.ts'
import type { OwnDataContext } from '../own-data/context.ts'
import type { OwnChecks } from './checks.ts'

export type OperatorContext = OwnDataContext & {
  ownBackups: OwnBackups
  ownChecks: OwnChecks
  resolveViewer: FindViewer
}
