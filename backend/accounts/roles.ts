// The role of an account, which is one of its labels (contract/permissions.ts). The blog always has
// an operator.

import { Refusal } from '#contract/errors.ts'
import { roleIn } from '#contract/permissions.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { lockOperators } from '../site/site.ts'
import { revokeAccessOpenedBy } from './sessions.ts'
import * as store from './store.ts'

export { findOtherOperator } from './store.ts'

export function labelsOf({ labels }: Pick<UserRow, 'labels'>): string[] {
  return JSON.parse(labels) as string[]
}

/**
 * Must be called before an operator loses the role, is blocked or is deleted; the account's row
 * must be locked. Revokes the access to other accounts that the operator has opened.
 *
 * @throws Refusal `user_last_operator`
 */
export async function prepareOperatorRemoval(tx: Database, user: UserRow): Promise<void> {
  if (roleIn(user) !== 'operator' || user.isBlocked) return
  await lockOperators(tx)
  if (!(await store.findOtherOperator(tx, user.id))) throw new Refusal('user_last_operator')
  await revokeAccessOpenedBy(tx, user.id)
}
