// The first page of operators (api.md §15.21): news of the week, storage and health, and the test
// mail that they can send from there.

import { statfs } from 'node:fs/promises'
import { Refusal } from '#contract/errors.ts'
import type { MailTest, OperatorOverview } from '#contract/operator.ts'
import type { AccountsContext } from '../accounts/context.ts'
import { testMail } from '../accounts/mails.ts'
import { recordActivity } from '../activity/activity.ts'
import { readSizes as readBlogSizes } from '../backups/scheduled-backups.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Viewer } from '../http/viewer.ts'
import { parseEmail } from '../mail/addresses.ts'
import { countWaiting } from '../moderation/cases.ts'
import { secondsBefore } from '../process/ids.ts'
import { cacheForSeconds } from '../process/single-flight.ts'
import { readBackups } from './backups.ts'
import type { OperatorContext } from './context.ts'
import { readHealth } from './health.ts'
import * as store from './overview-store.ts'

const WEEK_SECONDS = 7 * 24 * 60 * 60
/** Sizes may be a minute old. */
const SIZES_SECONDS = 60

export function makeReadOverview(context: OperatorContext) {
  const { db, now, doctorChecks } = context
  const readSizes = cacheForSeconds(() => measure(context), { seconds: SIZES_SECONDS })
  return async (): Promise<OperatorOverview> => {
    const week = secondsBefore(now(), WEEK_SECONDS)
    const reports = await countWaiting(db, true)
    const storage = await readSizes()
    const checks = doctorChecks.last()
    const count = await store.countNews(db, {
      week,
      before: secondsBefore(now(), 2 * WEEK_SECONDS),
    })
    return {
      posts: { new: count('newPosts'), before: count('postsBefore'), total: count('posts') },
      people: { new: count('newPeople'), before: count('peopleBefore'), total: count('people') },
      comments: {
        new: count('newComments'),
        before: count('commentsBefore'),
        waiting: count('waiting'),
      },
      reports,
      storage,
      health: await readHealth(context, storage, checks),
      checks,
    }
  }
}

async function measure(context: OperatorContext): Promise<OperatorOverview['storage']> {
  const { db, dataDir } = context
  const { databaseBytes, files, filesBytes } = await readBlogSizes(db)
  const { list } = await readBackups(context)
  const disk = await statfs(dataDir).catch(() => undefined)
  return {
    databaseBytes,
    files,
    filesBytes,
    backupsBytes: list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    freeBytes: disk ? disk.bavail * disk.bsize : 0,
    totalBytes: disk ? disk.blocks * disk.bsize : 0,
  }
}

/**
 * Sends one mail to the operator or, for the API key, to the address in the call. Waits for the
 * mail server.
 *
 * @throws Refusal `general_smtp_disabled`, `mail_not_sent` with the mail server's answer
 */
export async function sendTestMail(
  context: AccountsContext,
  actor: Viewer,
  request: { to?: string | undefined },
): Promise<MailTest> {
  const { db, background, mailer, now } = context
  if (mailer.delivery === 'off') throw new Refusal('general_smtp_disabled')
  const to = actor.role === 'user' ? actor.email : parseEmail(request.to ?? '')
  const site = await context.site.read()
  await inTransaction(db, background, (tx) =>
    recordActivity(tx, actor, now(), { kind: 'settings', action: 'mailTest', details: { to } }),
  )
  const problem = await mailer.tryOnce(testMail(site, { to }))
  if (problem) throw new Refusal('mail_not_sent', `The mail was not sent: ${problem.reason}`)
  return { to, delivery: mailer.delivery }
}
