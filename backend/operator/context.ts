import type { ScheduledBackups } from '../backups/scheduled-backups.ts'
import type { FindViewer } from '../http/viewer.ts'
import type { OwnDataContext } from '../own-data/context.ts'
import type { DoctorChecks } from './doctor-checks.ts'

export type OperatorContext = OwnDataContext & {
  scheduledBackups: ScheduledBackups
  doctorChecks: DoctorChecks
  resolveViewer: FindViewer
}
