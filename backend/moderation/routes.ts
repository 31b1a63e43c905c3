// HTTP routes for moderation (api.md §6.1, §15.18, §15.22): hiding posts and comments, reports and
// cases.

import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { Reason } from '#contract/accounts.ts'
import { RATE } from '#contract/limits.ts'
import { CasesQuery, DecideCase, NewReport, OwnReportsQuery } from '#contract/reports.ts'
import { ChangedComment, COMMENT_PATH, Comment, readCommentId } from '../comments/routes.ts'
import { call, listOf, OBJECT, texts } from '../http/openapi.ts'
import type { CountCalls } from '../http/rate-limits.ts'
import { countPerUser, limitedAccount } from '../http/rate-limits.ts'
import { addReadRoute } from '../http/read-calls.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { PostsContext } from '../post-texts/context.ts'
import {
  DOCUMENTS_PATH,
  Document,
  Id,
  readData,
  readDocumentId,
  writeConfig,
} from '../posts/routes.ts'
import { decideCase, listCases, readCase } from './cases.ts'
import { hideCommentsOnPost } from './hidings.ts'
import { updateComment } from './moderate-comments.ts'
import { hidePost } from './moderate-posts.ts'
import { createReport, listOwnReports } from './reports.ts'

const CASES = '/operator/cases'
const OPERATOR_CALL = { config: { scope: 'documents.write', isForOperators: true } } as const
const ACCOUNT_CALL = { config: { scope: 'account' } } as const

const SetHidden = Type.Object({
  hidden: Type.Boolean({ description: 'Value must be a valid boolean' }),
  reason: Reason,
})
const SetAllHidden = Type.Object({
  userId: Id,
  hidden: Type.Boolean({ description: 'Value must be a valid boolean' }),
})

const Report = Type.Object(
  {
    ...texts('$id $createdAt postId commentId reason words'),
    state: Type.Union([Type.Literal('waiting'), Type.Literal('reviewed')]),
  },
  { $id: 'Report' },
)
const Cases = Type.Object({
  ...texts('since next'),
  waiting: Type.Integer(),
  list: Type.Array(OBJECT),
})

const perUser = countPerUser('hiding of all', RATE.commentsHiddenPerUser)
const countHidingAll: CountCalls = (request) =>
  [writeConfig.counts, perUser].flatMap((counts) => counts(request))

type CaseParams = { Params: { caseId: string } }

export function moderationRoutes(context: PostsContext): Routes {
  return (api) => {
    addHidingRoutes(api, context)
    addReportRoutes(api, context)
    addCaseRoutes(api, context)
  }
}

function addHidingRoutes(api: FastifyInstance, context: PostsContext): void {
  const hidingPost = call(OPERATOR_CALL, 'Hides a post or shows it', {
    body: SetHidden,
    200: Document,
  })
  api.patch(
    `${DOCUMENTS_PATH}/:documentId/hidden`,
    hidingPost,
    async ({ viewer, params, body }) => {
      const { hidden, reason } = readParams(SetHidden, body)
      return hidePost(context, viewer, readDocumentId(context, params), hidden, reason)
    },
  )
  const changingComment = call({ config: writeConfig }, 'Edits, hides or shows a comment', {
    body: ChangedComment,
    200: Comment,
    refusals: [
      'user_unauthorized',
      'document_invalid_structure',
      'document_missing_payload',
      'comment_edit_expired',
      'comment_duplicate',
    ],
  })
  api.patch(COMMENT_PATH, changingComment, async ({ viewer, params, body }) => {
    const { data = {} } = readParams(ChangedComment, body)
    return updateComment(context, viewer, readCommentId(context, params), readData(data))
  })
  const hidingComments = call(
    { config: { counts: countHidingAll } },
    'Hides or shows all of a person',
    {
      body: SetAllHidden,
      200: Type.Object({ changed: Type.Integer() }),
      refusals: ['user_unauthorized'],
    },
  )
  api.patch(
    `${DOCUMENTS_PATH}/:documentId/comments/hidden`,
    hidingComments,
    async ({ viewer, params, body }) => {
      const postId = readDocumentId(context, params)
      const { userId, hidden: isHidden } = readParams(SetAllHidden, body)
      return { changed: await hideCommentsOnPost(context, viewer, postId, { userId, isHidden }) }
    },
  )
}

function addReportRoutes(api: FastifyInstance, context: PostsContext): void {
  const reporting = limitedAccount(countPerUser('report', RATE.reportPerUser))
  const reportingPost = call(reporting, 'Reports a post or a comment', {
    body: NewReport,
    201: Report,
    refusals: ['document_not_found', 'report_own', 'report_already_exists'],
  })
  api.post('/reports', reportingPost, async ({ viewer, body }, reply) =>
    reply
      .code(201)
      .send(await createReport(context, readUser(viewer), readParams(NewReport, body))),
  )
  const ownReports = call(ACCOUNT_CALL, 'Reports of a post by the caller', {
    querystring: OwnReportsQuery,
    200: listOf('reports', Report),
  })
  addReadRoute(api, '/reports', ownReports, async ({ viewer, query }) =>
    listOwnReports(context, readUser(viewer), readParams(OwnReportsQuery, query).postId),
  )
}

function addCaseRoutes(api: FastifyInstance, context: PostsContext): void {
  const listingCases = call(OPERATOR_CALL, 'Cases that wait for operators, or are done', {
    querystring: CasesQuery,
    200: Cases,
  })
  addReadRoute(api, CASES, listingCases, async ({ query }) =>
    listCases(context, readParams(CasesQuery, query)),
  )
  const readingCase = call(OPERATOR_CALL, 'A case', { 200: OBJECT })
  api.get<CaseParams>(`${CASES}/:caseId`, readingCase, async ({ params }) =>
    readCase(context, params.caseId),
  )
  const decidingCase = call(OPERATOR_CALL, 'Decides a case', {
    body: DecideCase,
    200: OBJECT,
    refusals: [
      'report_case_decided',
      'user_unauthorized',
      'user_last_operator',
      'document_not_found',
    ],
  })
  api.patch<CaseParams>(`${CASES}/:caseId`, decidingCase, async ({ viewer, params, body }) =>
    decideCase(context, viewer, params.caseId, readParams(DecideCase, body)),
  )
}
