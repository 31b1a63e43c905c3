// The calls of operators (api.md §15.20), for which the client package has no methods.
import type { Invitation } from '#contract/accounts.ts'
import type { BlogLink, BlogLinks } from '#contract/blog-links.ts'
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

/** `fixed` names the values that are set on the server and can only be changed there. */
export type EditableSiteValues = SiteValues & { logo: string; fixed: SiteValueName[] }

export function readValues(api: Api): Promise<Result<EditableSiteValues>> {
  return callPath(api, 'get', '/site')
}

export function changeValues(
  api: Api,
  changes: Partial<SiteValues>,
): Promise<Result<EditableSiteValues>> {
  return callPath(api, 'patch', '/site', changes)
}

/** @param file undefined makes the lamp the logo again */
export function changeLogo(
  { client }: Api,
  file: File | undefined,
): Promise<Result<EditableSiteValues>> {
  const address = new URL(`${client.config.endpoint}/site/logo`)
  const headers = { 'content-type': 'multipart/form-data' }
  return resultOf(
    client.call(file ? 'post' : 'delete', address, file ? headers : {}, file ? { file } : {}),
  )
}

/** The values of a query that are not empty. */
function withoutEmpty(values: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...values].filter(([, value]) => value !== ''))
}

// --- people

export function listPeople(api: Api, values: URLSearchParams): Promise<Result<OperatorPeople>> {
  return callPath(api, 'get', '/operator/people', withoutEmpty(values))
}

export function countContent(api: Api, userId: string): Promise<Result<PersonContent>> {
  return callPath(api, 'get', `/operator/people/${userId}/content`)
}

export function setRole(api: Api, userId: string, role: AccountRole): Promise<Result<unknown>> {
  return callPath(api, 'patch', `/users/${userId}/role`, { role })
}

/** @param reason recorded in Activity */
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

export function createSignInLink(api: Api, userId: string): Promise<Result<SignInLink>> {
  return callPath(api, 'post', `/users/${userId}/links`)
}

export function withdrawSignInLink(api: Api, link: SignInLink): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/users/${link.userId}/links/${link.$id}`)
}

/** Replaces an earlier invitation for the same address. */
export function invite(
  api: Api,
  invitee: { email: string; role: AccountRole },
): Promise<Result<Invitation>> {
  return callPath(api, 'post', '/invitations', invitee)
}

export function withdrawInvitation(api: Api, invitationId: string): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/invitations/${invitationId}`)
}

// --- posts

export function listPosts(api: Api, values: URLSearchParams): Promise<Result<OperatorPosts>> {
  return callPath(api, 'get', '/operator/posts', withoutEmpty(values))
}

/** @param reason shown to the post's author, and recorded in Activity */
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
  return callPath(api, 'get', '/operator/cases', withoutEmpty(values))
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

// --- activity

export function listActivity(api: Api, values: URLSearchParams): Promise<Result<ActivityPage>> {
  return callPath(api, 'get', '/operator/activity', withoutEmpty(values))
}

// --- stored mails

export function listMails(api: Api, values: URLSearchParams): Promise<Result<OutboxMails>> {
  return callPath(api, 'get', '/operator/mails', withoutEmpty(values))
}

export function openMail(api: Api, mailId: string): Promise<Result<OpenedMail>> {
  return callPath(api, 'get', `/operator/mails/${mailId}`)
}

/** The copy is recorded in Activity. */
export function copyLink(api: Api, mailId: string): Promise<Result<CopiedLink>> {
  return callPath(api, 'post', `/operator/mails/${mailId}/link`)
}

// --- the server

/** `cases` are the oldest cases that await a decision. */
export type Overview = OperatorOverview & { cases: ReportCase[] }

export async function readOverview(api: Api): Promise<Result<Overview>> {
  const [overview, cases] = await Promise.all([
    callPath<OperatorOverview>(api, 'get', '/operator/overview'),
    listCases(api, new URLSearchParams({ limit: '3' })),
  ])
  if (!overview.ok || !cases.ok) return overview.ok ? (cases as Result<never>) : overview
  return succeed({ ...overview.value, cases: cases.value.list })
}

export function readLinks(api: Api): Promise<Result<BlogLinks>> {
  return callPath(api, 'get', '/operator/links')
}

/** @param version the one that was changed */
export function changeLinks(
  api: Api,
  version: string,
  links: BlogLink[],
): Promise<Result<BlogLinks>> {
  const list = links.map(({ $id, isPage, name, to, inHeader, inFooter }) =>
    isPage ? { page: $id, inHeader, inFooter } : { name, to, inHeader, inFooter },
  )
  return callPath(api, 'put', '/operator/links', { version, list })
}

export function readBackups(api: Api): Promise<Result<Backups>> {
  return callPath(api, 'get', '/operator/backups')
}

export function changeBackups(api: Api, changes: BackupChanges): Promise<Result<Backups>> {
  return callPath(api, 'patch', '/operator/backups', changes)
}

/** Asks the server whether it can store backups in a folder. */
export function readBackupFolder(api: Api, path: string): Promise<Result<BackupFolder>> {
  return callPath(api, 'get', '/operator/backups/folder', { path })
}

export function deleteBackup(api: Api, id: string): Promise<Result<unknown>> {
  return callPath(api, 'delete', `/operator/backups/${id}`)
}

export function startBackup(api: Api): Promise<Result<unknown>> {
  return callPath(api, 'post', '/operator/backup')
}

/** Runs the checks, and resolves when they have ended. */
export function checkNow(api: Api): Promise<Result<Checks>> {
  return callPath(api, 'post', '/operator/checks')
}

/** Sends the mail to the address of the viewer. */
export function sendTestMail(api: Api): Promise<Result<MailTest>> {
  return callPath(api, 'post', '/operator/mail-test')
}

/** The sentence that says why a call failed. */
export function failureText(failure: Failure): string {
  const { lastOperator, backupRunning } = texts.adminRows
  if (failure.type === 'user_last_operator') return lastOperator
  if (failure.type === 'page_count_exceeded') return texts.adminPages.full
  return failure.type === 'backup_running' ? backupRunning : reasonText(failure)
}
