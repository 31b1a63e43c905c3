// The calls of operators (api.md §15.20), which the client package has no method for.
import type { Invitation } from '#contract/accounts.ts'
import type {
  ActivityPage,
  BackupChanges,
  BackupFolder,
  Backups,
  Checks,
  CopiedLink,
  MailTest,
  OpenedMail,
  OperatorOverview,
  OperatorPeople,
  OperatorPosts,
  OutboxMails,
  PersonContent,
  SignInLink,
} from '#contract/operator.ts'
import type { AccountRole } from '#contract/permissions.ts'
import type { DecideCase, ReportCase, ReportCases } from '#contract/reports.ts'
import type { SiteValueName, SiteValues } from '#contract/site-settings.ts'
import { type Api, callPath, type Failure, type Result, resultOf, succeed } from '../api/client.ts'
import { texts } from '../locales/texts.ts'
import { reasonText } from '../posts/failure-cause.ts'
import { callCollection } from '../posts/posts-api.ts'

/** `fixed` values are set on the server and can only be changed there. */
export type FoundValues = SiteValues & { logo: string; fixed: SiteValueName[] }

export function readValues(api: Api): Promise<Result<FoundValues>> {
  return callPath(api, 'get', '/site')
}

export function changeValues(api: Api, changes: Partial<SiteValues>): Promise<Result<FoundValues>> {
  return callPath(api, 'patch', '/site', changes)
}

/** @param file none is for the lamp */
export function changeLogo({ client }: Api, file: File | undefined): Promise<Result<FoundValues>> {
  const address = new URL(`${client.config.endpoint}/site/logo`)
  const headers = { 'content-type': 'multipart/form-data' }
  return resultOf(
    client.call(file ? 'post' : 'delete', address, file ? headers : {}, file ? { file } : {}),
  )
}

/** The values of a query that say something. */
function asked(values: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...values].filter(([, value]) => value !== ''))
}

// --- people

export function listPeople(api: Api, values: URLSearchParams): Promise<Result<OperatorPeople>> {
  return callPath(api, 'get', '/operator/people', asked(values))
}

export function countContent(api: Api, userId: string): Promise<Result<PersonContent>> {
  return callPath(api, 'get', `/operator/people/${userId}/content`)
}

export function setRole(api: Api, userId: string, role: AccountRole): Promise<Result<unknown>> {
  return callPath(api, 'patch', `/users/${userId}/role`, { role })
}

/** @param reason for Activity */
export function setBlocked(
  api: Api,
  userId: string,
  isBlocked: boolean,
  reason = '',
): Promise<Result<unknown>> {
  return callPath(api, 'patch', `/users/${userId}/status`, {
    status: !isBlocked,
    ...(reason && { reason }),
  })
}

export function deleteUser(api: Api, userId: string): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/users/${userId}`)
}

export function makeSignInLink(api: Api, userId: string): Promise<Result<SignInLink>> {
  return callPath(api, 'post', `/users/${userId}/links`)
}

export function withdrawSignInLink(api: Api, link: SignInLink): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/users/${link.userId}/links/${link.$id}`)
}

/** Replaces an invitation that the address has. */
export function invite(
  api: Api,
  invited: { email: string; role: AccountRole },
): Promise<Result<Invitation>> {
  return callPath(api, 'post', '/invitations', invited)
}

export function withdrawInvitation(api: Api, invitationId: string): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/invitations/${invitationId}`)
}

// --- posts

export function listPosts(api: Api, values: URLSearchParams): Promise<Result<OperatorPosts>> {
  return callPath(api, 'get', '/operator/posts', asked(values))
}

/** @param reason for its author and for Activity */
export function hidePost(
  api: Api,
  postId: string,
  hidden: boolean,
  reason = '',
): Promise<Result<unknown>> {
  const values = { hidden, ...(hidden && reason && { reason }) }
  return callCollection(api, 'patch', `/documents/${postId}/hidden`, values)
}

// --- reports

export function listCases(api: Api, values: URLSearchParams): Promise<Result<ReportCases>> {
  return callPath(api, 'get', '/operator/cases', asked(values))
}

export function readCase(api: Api, id: string): Promise<Result<ReportCase>> {
  return callPath(api, 'get', `/operator/cases/${id}`)
}

export function decideCase(
  api: Api,
  id: string,
  decision: DecideCase,
): Promise<Result<ReportCase>> {
  return callPath(api, 'patch', `/operator/cases/${id}`, decision)
}

// --- what was done

export function listActivity(api: Api, values: URLSearchParams): Promise<Result<ActivityPage>> {
  return callPath(api, 'get', '/operator/activity', asked(values))
}

// --- kept mails

export function listMails(api: Api, values: URLSearchParams): Promise<Result<OutboxMails>> {
  return callPath(api, 'get', '/operator/mails', asked(values))
}

export function openMail(api: Api, mailId: string): Promise<Result<OpenedMail>> {
  return callPath(api, 'get', `/operator/mails/${mailId}`)
}

/** Activity records it. */
export function copyLink(api: Api, mailId: string): Promise<Result<CopiedLink>> {
  return callPath(api, 'post', `/operator/mails/${mailId}/link`)
}

// --- the server

/** `cases`: the oldest that wait. */
export type Overview = OperatorOverview & { cases: ReportCase[] }

export async function readOverview(api: Api): Promise<Result<Overview>> {
  const [overview, found] = await Promise.all([
    callPath<OperatorOverview>(api, 'get', '/operator/overview'),
    listCases(api, new URLSearchParams({ limit: '3' })),
  ])
  if (!overview.ok || !found.ok) return overview.ok ? (found as Result<never>) : overview
  return succeed({ ...overview.value, cases: found.value.list })
}

export function readBackups(api: Api): Promise<Result<Backups>> {
  return callPath(api, 'get', '/operator/backups')
}

export function changeBackups(api: Api, changes: BackupChanges): Promise<Result<Backups>> {
  return callPath(api, 'patch', '/operator/backups', changes)
}

/** Whether backups can be kept in a folder. */
export function readBackupFolder(api: Api, path: string): Promise<Result<BackupFolder>> {
  return callPath(api, 'get', '/operator/backups/folder', { path })
}

export function deleteBackup(api: Api, id: string): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/operator/backups/${id}`)
}

export function startBackup(api: Api): Promise<Result<unknown>> {
  return callPath(api, 'post', '/operator/backup')
}

/** Takes as long as the checks do. */
export function checkNow(api: Api): Promise<Result<Checks>> {
  return callPath(api, 'post', '/operator/checks')
}

/** To the address of who is signed in. */
export function sendTestMail(api: Api): Promise<Result<MailTest>> {
  return callPath(api, 'post', '/operator/mail-test')
}

/** Why a call failed, in words of ours. */
export function failureText(failure: Failure): string {
  const { lastOperator, backupRunning } = texts.adminRows
  if (failure.type === 'user_last_operator') return lastOperator
  return failure.type === 'backup_running' ? backupRunning : reasonText(failure)
}
