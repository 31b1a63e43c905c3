// What the rules of operators need.
import type { AccountNeeds } from '../accounts/needs.ts'
import type { OwnBackups } from '../backups/scheduled-backups.ts'
import type { OwnChecks } from './checks.ts'

export type OperatorNeeds = AccountNeeds & {
  ownBackups: OwnBackups
  ownChecks: OwnChecks
}
