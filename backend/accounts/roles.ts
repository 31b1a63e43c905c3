// The role of an account, which is one of its labels (contract/roles.ts), and that the blog
// keeps an operator.

import { Refusal } from '#contract/errors.ts'
import { type AccountRole, roleOf } from '#contract/roles.ts'
import type { Database, UserRow } from '../database/schema.ts'
import { lockOperators } from '../site/site.ts'
import * as store from './store.ts'

export function labelsOf({ labels }: Pick<UserRow, 'labels'>): string[] {
  return JSON.parse(labels) as string[]
}

export function roleIn(user: Pick<UserRow, 'labels'>): AccountRole {
  return roleOf(labelsOf(user))
}

/**
 * Before an account stops being an operator, is blocked or deleted; its row is locked.
 * @throws Refusal `user_last_operator`
 */
export async function keepOperator(tx: Database, user: UserRow): Promise<void> {
  if (roleIn(user) !== 'operator' || user.isBlocked) return
  await lockOperators(tx)
  if (!(await store.hasOtherOperator(tx, user.id))) throw new Refusal('user_last_operator')
}
