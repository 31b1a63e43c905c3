// stub, replaced by the accounts work
import type { FindViewer } from '../http/viewer.ts'
import { GUEST } from '../http/viewer.ts'
import type { AccountsNeeds } from './needs.ts'

export type Accounts = { findViewer: FindViewer }
export function makeAccounts(_needs: AccountsNeeds): Accounts {
  return { findViewer: async () => GUEST }
}
