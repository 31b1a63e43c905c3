// The sign-ins that are remembered of each user: the newest ones, for a while. Knows no HTTP.
import type { SignInLog } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { SIGN_IN_LOG_SECONDS, SIGN_IN_LOGS_PER_USER } from '#contract/limits.ts'
import { readQueries } from '#contract/queries.ts'
import type { Database, UserRow } from '../database/schema.ts'
import * as store from './log-store.ts'
import { secondsBefore } from './sessions.ts'
import { toSignInLog } from './shapes.ts'
import { readUserRow } from './users.ts'

/**
 * Newest first.
 *
 * @param queries `limit` and `offset` alone
 * @throws Refusal `user_not_found`, or as {@link readQueries}
 */
export async function listSignIns(
  { db, now }: { db: Database; now: () => Date },
  userId: string,
  queries: string[] | undefined,
): Promise<{ total: number; logs: SignInLog[] }> {
  const query = readQueries(queries, {}, { role: 'user' })
  if (query.select || query.cursor || query.order.length > 0)
    throw new Refusal('general_argument_invalid', 'Only limit and offset are supported')
  const user = await readUserRow(db, userId)
  const after = secondsBefore(now(), SIGN_IN_LOG_SECONDS)
  const { total, rows } = await store.listLogs(db, { userId, after }, query)
  return { total, logs: rows.map((row) => toSignInLog(row, user)) }
}

/** All that are remembered, newest first. */
export async function listAllSignIns(
  { db, now }: { db: Database; now: () => Date },
  user: UserRow,
): Promise<SignInLog[]> {
  const after = secondsBefore(now(), SIGN_IN_LOG_SECONDS)
  const whole = { limit: SIGN_IN_LOGS_PER_USER, offset: 0 }
  const { rows } = await store.listLogs(db, { userId: user.id, after }, whole)
  return rows.map((row) => toSignInLog(row, user))
}

export async function sweepSignIns({ db, now }: { db: Database; now: () => Date }): Promise<void> {
  await store.deleteLogsBefore(db, secondsBefore(now(), SIGN_IN_LOG_SECONDS))
}
