import type { AccountsContext } from '../accounts/context.ts'
import type { ReadsContext } from '../reads/context.ts'

export type OwnDataContext = AccountsContext & ReadsContext
