// HTTP of reports and cases (api.md §15.22): parameters in, answers out.

import { RATE } from '#contract/limits.ts'
import { CasesQuery, DecideCase, NewReport, OwnReportsQuery } from '#contract/reports.ts'
import { countPerUser, limitedAccount } from '../http/rate-limits.ts'
import { readParams } from '../http/request-params.ts'
import type { Routes } from '../http/server.ts'
import { readUser } from '../http/viewer.ts'
import type { PostsContext } from '../posts/context.ts'
import { decideCase, listCases, readCase } from './cases.ts'
import { createReport, listOwnReports } from './reports.ts'

const CASES = '/operator/cases'
const RUNNING = { config: { scope: 'documents.write', isForOperators: true } } as const
const OWN = { config: { scope: 'account' } } as const

type OfCase = { Params: { caseId: string } }

export function reportRoutes(context: PostsContext): Routes {
  return (api) => {
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
