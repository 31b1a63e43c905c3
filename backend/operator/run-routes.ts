// HTTP of the calls that run the blog (api.md §15.21): for operators and the API key.

import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { RATE } from '#contract/limits.ts'
import {
  ActivityQuery,
  BackupChanges,
  FolderQuery,
  KeptMailsQuery,
  NewMailTest,
  PeopleQuery,
  PostsQuery,
} from '#contract/operator.ts'
import { listActivity, streamActivity } from '../activity/activity.ts'
import { readChoice } from '../backups/backup-plan.ts'
import { countPerUser } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { requireScope } from '../http/viewer.ts'
import { listModerated } from '../moderation/moderate-posts.ts'
import { changeBackups, deleteBackup, downloadBackup, readBackups, startBackup } from './backups.ts'
import type { OperatorContext } from './context.ts'
import { copyLink, listMails, openMail } from './kept-mails.ts'
import { makeReadOverview, sendTestMail } from './overview.ts'
import { countContent, listPeople } from './people.ts'

const READING = { config: { scope: 'users.read', isForOperators: true } } as const

const WRITING = { config: { scope: 'users.write', isForOperators: true } } as const

const working = (name: string) => ({
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

type OfUser = { Params: { userId: string } }
type OfBackup = { Params: { backupId: string } }
type OfMail = { Params: { mailId: string } }

export function runRoutes(context: OperatorContext): Routes {
  return (api) => {
    addBackupRoutes(api, context)
    api.get('/operator/people', READING, async ({ query }) =>
      listPeople(context, readParams(PeopleQuery, query)),
    )
    api.get<OfUser>('/operator/people/:userId/content', READING, async ({ params }) =>
      countContent(context, params.userId),
    )
    api.get('/operator/posts', READING, async ({ query }) =>
      listModerated(context, readParams(PostsQuery, query)),
    )
    api.get('/operator/activity', READING, async ({ query }) =>
      listActivity(context, readParams(ActivityQuery, query)),
    )
    const readOverview = makeReadOverview(context)
    api.get('/operator/overview', READING, async () => readOverview())
    api.post('/operator/checks', working('checks'), async () => context.ownChecks.all())
    api.post('/operator/mail-test', working('mail test'), async ({ viewer, body }) =>
      sendTestMail(context, viewer, readParams(NewMailTest, body ?? {})),
    )
    api.get('/operator/mails', READING, async ({ viewer, query }) =>
      listMails(context, viewer, readParams(KeptMailsQuery, query)),
    )
    api.get<OfMail>('/operator/mails/:mailId', READING, async ({ viewer, params }) =>
      openMail(context, viewer, params.mailId),
    )
    api.post<OfMail>('/operator/mails/:mailId/link', COPYING, async ({ viewer, params }) =>
      copyLink(context, viewer, params.mailId),
    )
    // No HEAD: it would read everything only to throw it away.
    const csv = { ...READING, exposeHeadRoute: false }
    api.get('/operator/activity.csv', csv, async (_request, reply) => {
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

/** A download takes long: the right to it is read again on the way. */
const RIGHT_EVERY_MS = 5000

function addBackupRoutes(api: FastifyInstance, context: OperatorContext): void {
  const path = '/operator/backups'
  api.get(path, READING, async () => readBackups(context))
  api.patch(path, WRITING, async ({ viewer, body }) =>
    changeBackups(context, viewer, readParams(BackupChanges, body)),
  )
  api.get(`${path}/folder`, FOLDER_READING, async ({ query }) =>
    readChoice(context.dataDir, readParams(FolderQuery, query).path),
  )
  api.post('/operator/backup', working('backup'), async ({ viewer }, reply) =>
    reply.code(202).send(await startBackup(context, viewer)),
  )
  api.delete<OfBackup>(`${path}/:backupId`, WRITING, async ({ viewer, params }, reply) => {
    await deleteBackup(context, viewer, params.backupId)
    return reply.code(204).send()
  })
  // No HEAD: it would read everything only to throw it away.
  const download = { ...working('backup download'), exposeHeadRoute: false }
  api.get<OfBackup>(`${path}/:backupId/download`, download, async (request, reply) => {
    const { viewer, params } = request
    const name = params.backupId
    let readAtMs = performance.now()
    async function requireRight(): Promise<void> {
      if (performance.now() - readAtMs < RIGHT_EVERY_MS) return
      requireScope(await context.resolveViewer(request), 'users.read', true)
      readAtMs = performance.now()
    }
    const bytes = await downloadBackup(context, viewer, { name, requireRight })
    reply.type('application/zip')
    reply.header('content-disposition', `attachment; filename="lamplight-${name}.zip"`)
    return reply.send(bytes)
  })
}
