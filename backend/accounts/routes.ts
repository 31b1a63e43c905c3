// stub, replaced by the accounts work
import type { Routes } from '../http/server.ts'
import type { Accounts } from './accounts.ts'

export function accountRoutes(_accounts: Accounts): Routes {
  return () => {}
}
