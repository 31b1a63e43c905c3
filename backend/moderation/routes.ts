// HTTP of moderation (api.md §6.1, §15.18, §15.22): hiding posts and comments, reports and cases.

import { Type } from 'typebox'
import { Reason } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { CasesQuery, DecideCase, NewReport, OwnReportsQuery } from '#contract/reports.ts'
import { ChangedComment, COMMENT_PATH, readCommentId } from '../comments/routes.ts'
import type { Counting } from '../http/rate-limits.ts'
import { countPerUser, limitedAccount } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import { Id, PATH, readData, readDocumentId, write } from '../posts/routes.ts'
import { decideCase, listCases, readCase } from './cases.ts'
import { hideAllOf } from './hidings.ts'
import { updateComment } from './moderate-comments.ts'
import { hidePost } from './moderate-posts.ts'
import { createReport, listOwnReports } from './reports.ts'

const CASES = '/operator/cases'
const RUNNING = { config: { scope: 'documents.write', isForOperators: true } } as const
const OWN = { config: { scope: 'account' } } as const

export const SetHidden = Type.Object({
  hidden: Type.Boolean({ description: 'Value must be a valid boolean' }),
  reason: Reason,
})
export const SetAllHidden = Type.Object({
  userId: Id,
  hidden: Type.Boolean({ description: 'Value must be a valid boolean' }),
})

const ofHiding = countPerUser('hiding of all', RATE.commentsHiddenPerUser)
const hidingAll: Counting = (request) =>
  [write.counts, ofHiding].flatMap((counts) => counts(request))

type OfCase = { Params: { caseId: string } }

export function moderationRoutes(context: PostsContext): Routes {
  return (api) => {
    api.patch(
      `${PATH}/:documentId/hidden`,
      { config: { scope: 'documents.write', isForOperators: true } },
      async ({ viewer, params, body }) => {
        const { hidden, reason } = readParams(SetHidden, body)
        return hidePost(context, viewer, readDocumentId(context, params), hidden, reason)
      },
    )
    api.patch(COMMENT_PATH, { config: write }, async ({ viewer, params, body }) => {
      const { data = {} } = readParams(ChangedComment, body)
      return updateComment(context, viewer, readCommentId(context, params), readData(data))
    })
    api.patch(
      `${PATH}/:documentId/comments/hidden`,
      { config: { counts: hidingAll } },
      async ({ viewer, params, body }) => {
        const postId = readDocumentId(context, params)
        const { userId, hidden: isHidden } = readParams(SetAllHidden, body)
        return { changed: await hideAllOf(context, viewer, postId, { userId, isHidden }) }
      },
    )
    const reporting = limitedAccount(countPerUser('report', RATE.reportPerUser))
    api.post('/reports', reporting, async ({ viewer, body }, reply) =>
      reply
        .code(201)
        .send(await createReport(context, readUser(viewer), readParams(NewReport, body))),
    )
    api.get('/reports', OWN, async ({ viewer, query }) =>
      listOwnReports(context, readUser(viewer), readParams(OwnReportsQuery, query).postId),
    )
    api.get(CASES, RUNNING, async ({ query }) => listCases(context, readParams(CasesQuery, query)))
    api.get<OfCase>(`${CASES}/:caseId`, RUNNING, async ({ params }) =>
      readCase(context, params.caseId),
    )
    api.patch<OfCase>(`${CASES}/:caseId`, RUNNING, async ({ viewer, params, body }) =>
      decideCase(context, viewer, params.caseId, readParams(DecideCase, body)),
    )
  }
}
