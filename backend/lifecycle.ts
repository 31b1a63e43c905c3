// The periodic work of a running server, and its shutdown within a time limit.

import { setTimeout as delay } from 'node:timers/promises'
import { sweepInvitations } from './accounts/invitations.ts'
import { sweepSignIns } from './accounts/sessions.ts'
import { sweepUsedLinks } from './accounts/used-links.ts'
import { sweepActivity } from './activity/activity.ts'
import type { RunsContext } from './archive/runs/context.ts'
import { sweepImportedItems, sweepRuns, sweepWorkFolders } from './archive/runs/sweep-runs.ts'
import { sweepFiles } from './files/sweep.ts'
import { drainConnections } from './http/connections.ts'
import type { Server } from './http/server.ts'
import { applyAllHidings } from './moderation/hidings.ts'
import { sendDueMails } from './notifications/mails.ts'
import { sweepNotifications } from './notifications/notifications.ts'
import { deleteRetiredAccounts } from './own-data/deletion.ts'
import { backfillIndex, regenerateTexts } from './post-texts/regenerate-texts.ts'
import { sweepPreviewLinks } from './posts/preview-links.ts'
import { publishScheduled } from './posts/publish-scheduled.ts'
import { withTimeout } from './process/work-thread.ts'
import type { Realtime } from './realtime/realtime.ts'
import { sweepDeleted } from './versions/deleted-posts.ts'
import { sweepDiscussions } from './versions/orphaned-discussions.ts'

const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000
/** How often the server looks for unfinished work and for posts without index entries. */
const RESUME_EVERY_MS = 60_000
/** How often the server looks for notifications to be mailed. */
const MAIL_EVERY_MS = 15_000
/** How often the server looks for scheduled posts that are due. */
const PUBLISH_EVERY_MS = 1000
/** How long new requests are accepted after the signal to stop. */
const STOP_GRACE_MS = 800
/** The process exits after this long even with unfinished work: 10 s are promised. */
const STOP_TIMEOUT_MS = 9500
/** Parts of the timeout that are reserved for background work, and then for the database. */
const STOP_BACKGROUND_MS = 1000
const STOP_DATABASE_MS = 500
/** How long a replaced process waits for idle connections. */
const RETIRE_MS = 5000

/**
 * Starts the periodic work. It also indexes posts that have no index entries, because they are
 * older than the index or were written by another program.
 */
export function startPeriodicWork(
  context: RunsContext,
  options: { isFirstProcess?: boolean; pregeneratesPreviews?: boolean },
) {
  const { isFirstProcess = true, pregeneratesPreviews = true } = options
  const { background, reads, rateLimits } = context
  const stopping = new AbortController()
  const sweep = () => {
    background.run('sweep of files', () => sweepFiles(context, stopping))
    background.run('sweep of deleted posts', () => sweepDeleted(context))
    background.run('sweep of preview links', () => sweepPreviewLinks(context))
    background.run('sweep of reads', reads.sweep)
    background.run('sweep of notifications', () => sweepNotifications(context))
    background.run('sweep of invitations', () => sweepInvitations(context))
    background.run('sweep of sign-ins', () => sweepSignIns(context))
    background.run('sweep of used links', () => sweepUsedLinks(context))
    background.run('sweep of activity', () => sweepActivity(context))
    background.run('sweep of imported items', () => sweepImportedItems(context, stopping.signal))
    background.run('sweep of work folders', () => sweepWorkFolders(context))
  }
  let isIndexing = false
  const resumeWork = () => {
    background.run('sweep of counts', rateLimits.sweep)
    background.run('sweep of imports and exports', () => sweepRuns(context, stopping.signal))
    background.run('hiding of comments', () => applyAllHidings(context, stopping.signal))
    background.run('deletion of accounts', () => deleteRetiredAccounts(context, stopping.signal))
    background.run('sweep of discussions', () => sweepDiscussions(context.db, stopping.signal))
    if (isIndexing) return
    isIndexing = true
    background.run('index of words', () =>
      backfillIndex(context, stopping).finally(() => (isIndexing = false)),
    )
  }
  let isMailing = false
  const mailNotifications = () => {
    if (isMailing) return
    isMailing = true
    background.run('mails of notices', () =>
      sendDueMails(context, stopping.signal).finally(() => (isMailing = false)),
    )
  }
  let isPublishing = false
  const publishDue = () => {
    if (isPublishing) return
    isPublishing = true
    background.run('scheduled posts', () =>
      publishScheduled(context, stopping.signal).finally(() => (isPublishing = false)),
    )
  }
  const timers: NodeJS.Timeout[] = []
  if (isFirstProcess) {
    sweep()
    resumeWork()
    background.run('texts of posts', () => regenerateTexts(context, stopping))
    timers.push(setInterval(sweep, SWEEP_EVERY_MS), setInterval(resumeWork, RESUME_EVERY_MS))
    timers.push(setInterval(publishDue, PUBLISH_EVERY_MS))
    if (context.mailer.delivery !== 'off')
      timers.push(setInterval(mailNotifications, MAIL_EVERY_MS))
    context.scheduledBackups.start()
    context.archiveRunner.start()
  }
  if (pregeneratesPreviews) context.previewPregeneration.start()
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      context.previewPregeneration.stop()
    },
  }
}

/**
 * Accepts requests for `graceMs`, lets running ones finish, then closes everything; work that is
 * not done after its share of `limitMs` is cut off (threat-model.md §10). With `isReplaced` another
 * process has taken over, and clients get some seconds more to close their connections.
 */
export async function shutDown(
  server: Server,
  realtime: Realtime,
  { reads, mailer, background, scheduledBackups, archiveRunner, db, log }: RunsContext,
  {
    graceMs = STOP_GRACE_MS,
    limitMs = STOP_TIMEOUT_MS,
    isReplaced = false,
  }: { graceMs?: number; limitMs?: number; isReplaced?: boolean } = {},
): Promise<void> {
  const endAtMs = performance.now() + limitMs + (isReplaced ? RETIRE_MS : 0)
  /** Waits for the work, but leaves `reservedMs` of the time limit. */
  const waitFor = async (reservedMs: number, what: string, work: Promise<unknown>) => {
    const logged = work.catch((err: unknown) =>
      log.error({ err, what }, 'an error occurred while stopping'),
    )
    const leftMs = Math.max(0, endAtMs - reservedMs - performance.now())
    const completion = logged.then(() => true)
    if (!(await withTimeout(leftMs, completion)))
      log.warn({ event: 'cut off', what }, 'stopped without waiting any longer')
  }
  server.startStopping()
  const realtimeStopped = realtime.stop()
  if (isReplaced) await drainConnections(server.app.server, RETIRE_MS)
  await delay(graceMs)
  await waitFor(STOP_BACKGROUND_MS + STOP_DATABASE_MS, 'realtime', realtimeStopped)
  await waitFor(STOP_BACKGROUND_MS + STOP_DATABASE_MS, 'requests', server.app.close())
  server.app.server.closeAllConnections()
  const mailMs = endAtMs - performance.now() - STOP_BACKGROUND_MS / 2 - STOP_DATABASE_MS
  mailer.close(Math.max(0, mailMs))
  const drained = Promise.all([
    reads.stop(),
    scheduledBackups.stop(),
    archiveRunner.stop(),
    background.drained(),
  ])
  await waitFor(STOP_DATABASE_MS, 'work after answers', drained)
  await waitFor(0, 'database', db.destroy())
}
