// HTTP routes for the calls with which operators and the API key run the blog (api.md §15.21).

import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { RATE } from '#contract/limits.ts'
import {
  ActivityQuery,
  BackupChanges,
  FolderQuery,
  MailTest,
  NewBlogLinks,
  NewMailTest,
  OutboxMailsQuery,
  PeopleQuery,
  PostsQuery,
} from '#contract/operator.ts'
import { listActivity, streamActivity } from '../activity/activity.ts'
import { inspectChosenFolder } from '../backups/backup-plan.ts'
import { binaryBody, call, NO_BODY, OBJECT, texts } from '../http/openapi.ts'
import { countPerUser } from '../http/rate-limits.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { requireScope } from '../http/viewer.ts'
import { listModerated } from '../moderation/moderate-posts.ts'
import { readLinks } from '../site/blog-links.ts'
import { setLinks } from './arrange-links.ts'
import { changeBackups, deleteBackup, downloadBackup, readBackups, startBackup } from './backups.ts'
import type { OperatorContext } from './context.ts'
import { copyLink, listMails, openMail } from './kept-mails.ts'
import { makeReadOverview, sendTestMail } from './overview.ts'
import { countContent, listPeople } from './people.ts'

const READING = { config: { scope: 'users.read', isForOperators: true } } as const

const WRITING = { config: { scope: 'users.write', isForOperators: true } } as const

const limitedWork = (name: string) => ({
  config: {
    ...WRITING.config,
    counts: countPerUser(`operator, ${name}`, RATE.operatorWorkPerUser),
  },
})

const COPYING = {
  config: {
    scope: 'users.write',
    isForOperators: true,
    counts: countPerUser('links of kept mails', RATE.mailLinkPerUser),
  },
} as const

const COUNTED_LIST = Type.Object({ total: Type.Integer(), list: Type.Array(OBJECT) })
const Checks = Type.Object({ ...texts('at'), isRunning: Type.Boolean(), found: Type.Array(OBJECT) })
const PersonContent = Type.Object(
  { posts: Type.Integer(), comments: Type.Integer(), files: Type.Integer() },
  { $id: 'PersonContent' },
)

type OfUser = { Params: { userId: string } }
type OfBackup = { Params: { backupId: string } }
type OfMail = { Params: { mailId: string } }

export function administrationRoutes(context: OperatorContext): Routes {
  return (api) => {
    addBackupRoutes(api, context)
    const listingPeople = call(READING, 'People and invitations', {
      querystring: PeopleQuery,
      200: OBJECT,
    })
    addReadRoute(api, '/operator/people', listingPeople, async ({ query }) =>
      listPeople(context, readParams(PeopleQuery, query)),
    )
    const readingContent = call(READING, 'What is deleted with an account', { 200: PersonContent })
    api.get<OfUser>('/operator/people/:userId/content', readingContent, async ({ params }) =>
      countContent(context, params.userId),
    )
    const listingPosts = call(READING, 'Posts that readers see, or that were removed', {
      querystring: PostsQuery,
      200: OBJECT,
    })
    addReadRoute(api, '/operator/posts', listingPosts, async ({ query }) =>
      listModerated(context, readParams(PostsQuery, query)),
    )
    const readingLinks = call(READING, 'Pages and links in the header and footer', { 200: OBJECT })
    addReadRoute(api, '/operator/links', readingLinks, async () => readLinks(context.db))
    const changingLinks = call(WRITING, 'Arranges pages and links', {
      body: NewBlogLinks,
      200: OBJECT,
      refusals: ['document_update_conflict', 'page_count_exceeded'],
    })
    api.put('/operator/links', changingLinks, async ({ viewer, body }) =>
      setLinks(context, viewer, readParams(NewBlogLinks, body)),
    )
    const listingActivity = call(READING, 'What was done, newest first', {
      querystring: ActivityQuery,
      200: OBJECT,
    })
    addReadRoute(api, '/operator/activity', listingActivity, async ({ query }) =>
      listActivity(context, readParams(ActivityQuery, query)),
    )
    const readOverview = makeReadOverview(context)
    const overview = call(READING, 'News of the week, storage, backup, checks', { 200: OBJECT })
    addReadRoute(api, '/operator/overview', overview, async () => readOverview())
    const checking = call(limitedWork('checks'), 'What doctor finds', { 200: Checks })
    api.post('/operator/checks', checking, async () => context.doctorChecks.all())
    const testingMail = call(limitedWork('mail test'), 'Sends a mail to the caller', {
      body: NewMailTest,
      200: MailTest,
      refusals: ['general_smtp_disabled', 'mail_not_sent'],
    })
    api.post('/operator/mail-test', testingMail, async ({ viewer, body }) =>
      sendTestMail(context, viewer, readParams(NewMailTest, body ?? {})),
    )
    const listingMails = call(READING, 'Mails kept without a mail server', {
      querystring: OutboxMailsQuery,
      200: COUNTED_LIST,
    })
    addReadRoute(api, '/operator/mails', listingMails, async ({ viewer, query }) =>
      listMails(context, viewer, readParams(OutboxMailsQuery, query)),
    )
    const readingMail = call(READING, 'A kept mail, without secrets', { 200: OBJECT })
    addReadRoute(api, '/operator/mails/:mailId', readingMail, async ({ viewer, params }) =>
      openMail(context, viewer, (params as OfMail['Params']).mailId),
    )
    const copyingLink = call(COPYING, 'The link or code of a kept mail', {
      200: Type.Object(texts('link')),
      refusals: ['user_invalid_token', 'user_unauthorized'],
    })
    api.post<OfMail>('/operator/mails/:mailId/link', copyingLink, async ({ viewer, params }) =>
      copyLink(context, viewer, params.mailId),
    )
    // No HEAD: it would read all activity and discard it.
    const csv = { ...READING, exposeHeadRoute: false }
    const exportingActivity = call(csv, 'All that was done', { 200: binaryBody('text/csv') })
    api.get('/operator/activity.csv', exportingActivity, async (_request, reply) => {
      reply.type('text/csv; charset=utf-8')
      reply.header('content-disposition', 'attachment; filename="activity.csv"')
      return reply.send(Readable.from(streamActivity(context)))
    })
  }
}

const FOLDER_READING = {
  config: {
    scope: 'users.read',
    isForOperators: true,
    counts: countPerUser('folders of backups', RATE.backupFolderPerUser),
  },
} as const

/** A download may take long, so the caller's right is checked again while it runs. */
const CHECK_RIGHT_EVERY_MS = 5000

function addBackupRoutes(api: FastifyInstance, context: OperatorContext): void {
  const path = '/operator/backups'
  const readingBackups = call(READING, 'When and where backups are made, and which there are', {
    200: OBJECT,
  })
  addReadRoute(api, path, readingBackups, async () => readBackups(context))
  const changingBackups = call(WRITING, 'Sets when and where backups are made', {
    body: BackupChanges,
    200: OBJECT,
    refusals: ['backup_folder_unusable'],
  })
  api.patch(path, changingBackups, async ({ viewer, body }) =>
    changeBackups(context, viewer, readParams(BackupChanges, body)),
  )
  const readingFolder = call(FOLDER_READING, 'Whether a folder can be used', {
    querystring: FolderQuery,
    200: OBJECT,
  })
  api.get(`${path}/folder`, readingFolder, async ({ query }) =>
    inspectChosenFolder(context.dataDir, readParams(FolderQuery, query).path),
  )
  const startingBackup = call(limitedWork('backup'), 'Starts a backup', {
    202: Type.Object({ isRunning: Type.Boolean() }),
    refusals: ['backup_running'],
  })
  api.post('/operator/backup', startingBackup, async ({ viewer }, reply) =>
    reply.code(202).send(await startBackup(context, viewer)),
  )
  const deletingBackup = call(WRITING, 'Deletes a backup', {
    204: NO_BODY,
    refusals: ['backup_running'],
  })
  api.delete<OfBackup>(`${path}/:backupId`, deletingBackup, async ({ viewer, params }, reply) => {
    await deleteBackup(context, viewer, params.backupId)
    return reply.code(204).send()
  })
  // No HEAD: it would make the whole archive and discard it.
  const download = { ...limitedWork('backup download'), exposeHeadRoute: false }
  const downloading = call(download, 'A backup without secrets', {
    200: binaryBody('application/zip'),
  })
  api.get<OfBackup>(`${path}/:backupId/download`, downloading, async (request, reply) => {
    const { viewer, params } = request
    const name = params.backupId
    let checkedAtMs = performance.now()
    async function requireRight(): Promise<void> {
      if (performance.now() - checkedAtMs < CHECK_RIGHT_EVERY_MS) return
      requireScope(await context.resolveViewer(request), 'users.read', true)
      checkedAtMs = performance.now()
    }
    const bytes = await downloadBackup(context, viewer, { name, requireRight })
    reply.type('application/zip')
    reply.header('content-disposition', `attachment; filename="lamplight-${name}.zip"`)
    return reply.send(bytes)
  })
}
