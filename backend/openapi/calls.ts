// What each call of the API does, answers and takes: what its route does not say by itself. Its
// parameters are the schemas that it checks them by, or else in the notation of models.ts.

import * as accounts from '#contract/accounts.ts'
import * as notifications from '#contract/notifications.ts'
import {
  ActivityQuery,
  BackupChanges,
  FolderQuery,
  KeptMailsQuery,
  NewMailTest,
  PeopleQuery,
  PostsQuery,
} from '#contract/operator.ts'
import * as reports from '#contract/reports.ts'
import { NewSetup, SiteChanges } from '#contract/setup.ts'
import * as comments from '../comments/routes.ts'
import { Changes } from '../files/routes.ts'
import * as moderation from '../moderation/routes.ts'
import { Search, TagQuestion } from '../post-lists/routes.ts'
import * as posts from '../posts/routes.ts'
import { DeletedQuery } from '../versions/routes.ts'
import { fields } from './models.ts'

/**
 * `gives`: the status, then a model, fields or a content type. `takes`: in the query of a GET, in
 * the body of every other call.
 */
export type Call = readonly [says: string, gives: string, takes?: object]

const QUERIES = fields('queries?:string[]')
const COUNTED = fields('queries?:string[] total?:true|false before?:true|false')
const SEARCHED = fields('queries?:string[] search?:..256 total?:true|false')
const DOCUMENTS = '200 total:integer documents:Document[]'
const SESSIONS = '200 total:integer sessions:Session[]'
const IDENTITIES = '200 total:integer identities:Identity[]'
const LOGS = '200 total:integer logs:Log[]'
const DELETED = '200 total:integer deleted:Deleted[] next'
const JWT = fields('duration?:0..3600')
const USER_JWT = fields('sessionId? duration?:0..3600')
const OAUTH = fields('success? failure? scopes?:string[]')
const INITIALS = fields('name?:..128 width?:0..2000 height?:0..2000 background?')
const PREVIEW = fields(
  `width?:0..4000 height?:0..4000 borderWidth?:0..100 borderColor? borderRadius?:0..4000 background?
  gravity?:center|top-left|top|top-right|left|right|bottom-left|bottom|bottom-right quality?:-1..100
  opacity?:number rotation?:-360..360 output?:jpg|jpeg|png|gif|webp`,
)
const UPLOAD = fields('fileId file permissions?:string[]')
const OWN_FILES = fields('limit?:1..100 cursor? unused?:true|false')
const BELL = '200 new:integer unread:integer'
const CASES = '200 waiting:integer since list:Free[] next'
const HIDING = 'Hides all comments of a person, or shows them'
const BY_SECRET = 'Signs in with the secret of a link, a code or a token'

/** By the beginning of their path; a second path is another name of the same call. */
export const CALLS: Readonly<Record<string, Readonly<Record<string, Call>>>> = {
  '': {
    'GET /openapi.json': ['This description', '200 Free'],
    'GET /ping': ['Whether the server is there', '200 Free'],
    'GET /health/version': ['The level of the API', '200 version'],
    'GET /health': ['Each part of the server; 503 when one is unwell', '200 Health'],
    'GET /health/db /health/cache': ['One part of the server', '200 Health'],
    'GET /health/storage /health/storage/local': ['One part of the server', '200 Health'],
    'GET /health/queue/mails': ['Mails that wait', '200 size:integer'],
    'GET /setup': ['Whether the blog has an operator, and how to become it', '200 Free'],
    'POST /setup': ['Sets the blog up; signs its operator in', '201 Session', NewSetup],
    'GET /site': ['What is set of the blog', '200 Free'],
    'PATCH /site': ['Sets it', '200 Free', SiteChanges],
    'POST /site/logo': ['Sets the logo', '200 Free', fields('file')],
    'DELETE /site/logo': ['Brings the lamp back', '200 Free'],
    'GET /operator/overview': ['News of the week, storage, backup, checks', '200 Free'],
    'POST /operator/backup': ['Starts a backup', '202 isRunning:boolean'],
    'GET /operator/backups': ['When and where, and which there are', '200 Free'],
    'PATCH /operator/backups': ['Sets when and where', '200 Free', BackupChanges],
    'GET /operator/backups/folder': ['Whether a folder can be used', '200 Free', FolderQuery],
    'GET /operator/backups/:backupId/download': ['One, without secrets', '200 application/zip'],
    'DELETE /operator/backups/:backupId': ['Deletes one', '204'],
    'POST /operator/checks': ['What doctor finds', '200 at isRunning:boolean found:Free[]'],
    'POST /operator/mail-test': ['Mails its caller', '200 to delivery', NewMailTest],
    'GET /operator/mails': [
      'Mails kept without a mail server',
      '200 total:integer list:Free[]',
      KeptMailsQuery,
    ],
    'GET /operator/mails/:mailId': ['One of them, without secrets', '200 Free'],
    'POST /operator/mails/:mailId/link': ['Its link, for who it is for', '200 link'],
    'GET /operator/people': ['People and invitations', '200 Free', PeopleQuery],
    'GET /operator/people/:userId/content': ['What goes with an account', '200 PersonContent'],
    'GET /operator/posts': [
      'Posts that readers see, or that were taken away',
      '200 Free',
      PostsQuery,
    ],
    'GET /operator/activity': ['What was done, newest first', '200 Free', ActivityQuery],
    'GET /operator/activity.csv': ['All of it', '200 text/csv'],
    'POST /invitations': ['Invites an address', '201 Invitation', accounts.NewInvitation],
    'GET /invitations': ['Valid invitations', '200 total:integer invitations:Invitation[]'],
    'DELETE /invitations/:id': ['Revokes an invitation', '204'],
  },
  '/account': {
    'POST ': ['Signs up; no session begins', '201 Account', accounts.NewAccount],
    'GET ': ['The own account', '200 Account'],
    'DELETE ': ['Deletes the account and everything in it', '204', accounts.DeletedAccount],
    'GET /prefs': ['The own prefs', '200 Free'],
    'PATCH /prefs': ['Replaces all prefs', '200 Account', accounts.UpdatedPrefs],
    'PATCH /name': ['Changes the name', '200 Account', accounts.UpdatedName],
    'PATCH /email': ['Changes the address', '200 Account', accounts.UpdatedEmail],
    'PATCH /password': ['Changes the password', '200 Account', accounts.UpdatedPassword],
    'PATCH /status': ['Blocks the own account', '200 Account'],
    'GET /export': ['Everything of the account as a zip', '200 application/zip'],
    'GET /logs': ['Own sign-ins, newest first', LOGS, QUERIES],
    'GET /identities': ['Linked identities, oldest first', IDENTITIES, QUERIES],
    'DELETE /identities/:identityId': ['Removes an identity and the sessions of it', '204'],
    'POST /jwt /jwts': ['A token for the current session', '201 jwt', JWT],
    'POST /invitation': ['Whom it invites', '200 OwnInvitation', accounts.InvitationProof],
    'GET /files': ['Own files with their uses, newest first', '200 OwnFiles', OWN_FILES],
    'DELETE /files/unused': ['Deletes all own unused files', '200 removed:integer'],
    'POST /recovery': ['Mails a link for a new password', '201 Token', accounts.NewRecovery],
    'PUT /recovery': ['Sets the password', '200 Token', accounts.FinishedRecovery],
    'POST /verification': ['Mails a link that verifies', '201 Token', accounts.NewVerification],
    'POST /verifications/email': ['The same', '201 Token', accounts.NewVerification],
    'PUT /verification /verifications/email': ['Verifies it', '200 Token', accounts.MailedSecret],
    'GET /tokens/oauth2/:provider': ['Signs in with Google, for a token', '302', OAUTH],
    'POST /tokens/email': ['Mails a code that signs in', '201 Token', accounts.NewEmailCode],
    'POST /sessions/magic-url': ['Mails a link that signs in', '201 Token', accounts.NewMagicUrl],
    'POST /tokens/magic-url': ['The same', '201 Token', accounts.NewMagicUrl],
    'PUT /sessions/magic-url': [BY_SECRET, '201 Session', accounts.MailedSecret],
    'POST /sessions/token': [BY_SECRET, '201 Session', accounts.MailedSecret],
    'POST /sessions /sessions/email': ['Signs in', '201 Session', accounts.NewEmailSession],
    'GET /sessions': ['Own sessions', SESSIONS],
    'DELETE /sessions': ['Ends all own sessions', '204'],
    'GET /sessions/:sessionId': ['An own session', '200 Session'],
    'PATCH /sessions/:sessionId': ['Renews the token of the provider', '200 Session'],
    'DELETE /sessions/:sessionId': ['Ends an own session', '204'],
    'GET /sessions/oauth2/:provider': ['Signs in with Google', '302', OAUTH],
    'GET /sessions/oauth2/callback/:provider/:projectId': ['The way back from Google', '302'],
    'POST /sessions/oauth2/callback/:provider/:projectId': ['The same by a form', '303'],
  },
  '/users': {
    'GET ': ['All people', '200 total:integer users:User[]', SEARCHED],
    'POST ': ['Makes an account', '201 User', accounts.NewUser],
    'GET /identities': ['Linked identities of all people', IDENTITIES, SEARCHED],
    'DELETE /identities/:identityId': ['Removes an identity and the sessions of it', '204'],
    'GET /:userId': ['PublicUser; with the key or as operator User', '200 PublicUser'],
    'DELETE /:userId': ['Deletes the account and everything in it', '204'],
    'PATCH /:userId/name': ['Sets the name', '200 User', accounts.UpdatedName],
    'PATCH /:userId/email': ['Sets the address', '200 User', accounts.SetEmail],
    'PATCH /:userId/password': ['Sets the password', '200 User', accounts.SetPassword],
    'PATCH /:userId/status': ['Blocks or unblocks', '200 User', accounts.SetStatus],
    'PATCH /:userId/role': ['Sets the role', '200 User', accounts.SetRole],
    'POST /:userId/links': ['A link that signs in once', '201 SignInLink'],
    'DELETE /:userId/links/:linkId': ['Withdraws it', '204'],
    'PATCH /:userId/verification': ['Sets the verification', '200 User', accounts.SetVerification],
    'GET /:userId/prefs': ['The prefs', '200 Free'],
    'PATCH /:userId/prefs': ['Replaces all prefs', '200 Free', accounts.UpdatedPrefs],
    'PUT /:userId/labels': ['Replaces the labels', '200 User', accounts.SetLabels],
    'POST /:userId/tokens': ['A secret that signs in', '201 Token', accounts.NewSignInLink],
    'POST /:userId/jwts': ['A token for a session', '201 jwt', USER_JWT],
    'GET /:userId/sessions': ['The sessions', SESSIONS],
    'POST /:userId/sessions': ['Begins a session', '201 Session'],
    'DELETE /:userId/sessions': ['Ends all sessions', '204'],
    'DELETE /:userId/sessions/:sessionId': ['Ends a session', '204'],
    'GET /:userId/logs': ['The sign-ins, newest first', LOGS, QUERIES],
  },
  [posts.PATH]: {
    'POST ': ['Creates a post', '201 Document', posts.NewDocument],
    'GET ': ['Posts that the caller may read', DOCUMENTS, COUNTED],
    'GET /:documentId': ['A post', '200 Document', QUERIES],
    'PATCH /:documentId': ['Changes a post or likes it', '200 Document', posts.ChangedDocument],
    'DELETE /:documentId': ['Moves a post to the deleted ones', '204'],
    'PATCH /:documentId/hidden': ['Hides a post or shows it', '200 Document', moderation.SetHidden],
    'GET /:documentId/comments': ['A page of comments', '200 Free', comments.CommentPageQuery],
    'PATCH /:documentId/comments': ['Closes or opens', '200 closed:boolean', comments.SetClosed],
    'PATCH /:documentId/comments/hidden': [HIDING, '200 changed:integer', moderation.SetAllHidden],
    'GET /:documentId/around': ['The posts around a post', '200 Around'],
    'POST /:documentId/reads': ['Counts a read', '204'],
    'GET /:documentId/versions': ['Versions of a post', '200 total:integer versions:Version[]'],
    'GET /:documentId/versions/:versionId': ['A version with its text', '200 VersionWithText'],
    'POST /:documentId/versions/:versionId/restore': ['Restores a version', '200 Document'],
  },
  [comments.COMMENTS_PATH]: {
    'POST ': ['Writes a comment', '201 Comment', comments.NewCommentDocument],
    'GET ': ['Comments of a post', '200 total:integer documents:Comment[]', QUERIES],
    'GET /:documentId': ['A comment', '200 Comment'],
    'PATCH /:documentId': ['Edits or hides it', '200 Comment', comments.ChangedComment],
    'DELETE /:documentId': ['Deletes it', '204'],
  },
  '/reports': {
    'POST ': ['Reports a post or a comment', '201 Report', reports.NewReport],
    'GET ': [
      'Own reports of a post',
      '200 total:integer reports:Report[]',
      reports.OwnReportsQuery,
    ],
  },
  '/notifications': {
    'GET ': [
      'What the caller is told',
      `${BELL} list:Free[] next`,
      notifications.NotificationsQuery,
    ],
    'PATCH ': ['Marks all as seen or read', BELL, notifications.ReadAll],
    'GET /count': ['The numbers at the bell', BELL],
    'PATCH /:notificationId': ['Marks one as read', '204', notifications.ReadOne],
    'GET /mails': ['What is mailed', '200 email state choices:Free'],
    'PATCH /mails': ['Changes that', '200 email state choices:Free', notifications.ChangeMails],
    'GET /unsubscribe': ['Leads to the page that ends mails', '303', notifications.Unsubscribe],
    'POST /unsubscribe': ['Ends mails of a kind', '200 kind'],
    'GET /muted': ['Muted posts', '200 total:integer list:Free[]'],
    'PUT /muted/:postId': ['Mutes a post', '204'],
    'DELETE /muted/:postId': ['Ends that', '204'],
  },
  '/operator/cases': {
    'GET ': ['What waits for operators, or is done', CASES, reports.CasesQuery],
    'GET /:caseId': ['A case', '200 Free'],
    'PATCH /:caseId': ['Decides a case', '200 Free', reports.DecideCase],
  },
  '/databases/:databaseId/collections/:collectionId': {
    'GET /search': ['Finds words', '200 total:integer documents:Found[]', Search],
    'GET /tags': ['Tags in use', '200 total:integer tags:Tag[]', TagQuestion],
    'GET /authors/:userId': ['An author', '200 Author'],
    'GET /reads': ['How often own posts are read', '200 Reads'],
    'POST /highlight': ['A text as it would be shown', '200 content', posts.UnsavedText],
    'GET /deleted': ['Own deleted posts', DELETED, DeletedQuery],
    'POST /deleted/:deletedId/restore': ['Restores a deleted post', '200 Document'],
    'DELETE /deleted/:deletedId': ['Deletes a deleted post for good', '204'],
  },
  '/storage/buckets/:bucketId/files': {
    'GET ': ['Own files', '200 total:integer files:File[]', SEARCHED],
    'POST ': ['Uploads an image, or a chunk of one', '201 File', UPLOAD],
    'GET /:fileId': ['An own file', '200 File'],
    'PUT /:fileId': ['Changes name and permissions', '200 File', Changes],
    'DELETE /:fileId': ['Deletes a file', '204'],
    'GET /:fileId/preview': ['The image in a size', '200 image/*', PREVIEW],
    'GET /:fileId/view /:fileId/download': ['The stored bytes', '200 image/*'],
  },
  '/avatars': {
    'GET /initials': ['Drawn initials', '200 image/png', INITIALS],
  },
}

/**
 * What calls can be refused with, by their method and path, beside what all have (api.md §1.4).
 */
export const ERRORS: Readonly<Record<string, string>> = {
  '/(search|tags|authors/:userId)$': 'general_unauthorized_scope',
  ':databaseId': 'database_not_found',
  ':collectionId': 'collection_not_found',
  ':documentId': 'document_not_found',
  ':deletedId': 'document_not_found user_unauthorized',
  ':bucketId': 'storage_bucket_not_found',
  ':fileId': 'storage_file_not_found',
  '/users/:userId|authors/:userId': 'user_not_found',
  'sessions/:sessionId|/jwts?$': 'user_session_not_found',
  ':identityId': 'user_identity_not_found',
  'DELETE /invitations': 'invitation_not_found',
  'POST /setup': `setup_done setup_code_invalid setup_code_replaced user_already_exists
    password_personal_data user_invalid_credentials user_blocked`,
  'PATCH /site': 'document_missing_data',
  'POST /site/logo': 'storage_invalid_file',
  '(POST|PATCH|DELETE|GET) /operator/backups?':
    'backup_running backup_not_found backup_folder_unusable',
  ':mailId': 'kept_mail_not_found',
  ':mailId/link': 'user_invalid_token user_unauthorized',
  'POST /operator/mail-test': 'general_smtp_disabled mail_not_sent',
  'POST /users/:userId/(tokens|links)': 'user_blocked user_unauthorized',
  ':linkId': 'user_invalid_token',
  '/users/:userId/(labels|status|role)|DELETE /(account|users/:userId)$': 'user_last_operator',
  '(POST|PUT|PATCH) .*documents': 'user_is_reader',
  'POST /(account|users|users/(?!:).*|invitations)$': 'user_already_exists',
  'POST /account$': 'user_count_exceeded',
  'POST /account(/invitation)?$|PUT /account/|sessions/token': 'user_invalid_token',
  'POST /(account|users)$|PATCH /account/(email|password)$|PUT /account/recovery|users/:userId/password':
    'password_personal_data',
  'PUT /account/recovery': 'user_password_mismatch',
  'PATCH /(account|users/:userId)/email': 'user_email_already_exists',
  'PATCH /account/(email|password)|DELETE /account$|POST .*sessions(/email)?$':
    'user_invalid_credentials',
  'PATCH /account/(email|password)|DELETE /account$': 'user_unauthorized',
  'POST /account/sessions(/email)?$|POST /users/:userId/(tokens|jwts|sessions)': 'user_blocked',
  'POST /account/(recovery|verif|sessions/magic|tokens)': 'general_smtp_disabled',
  'POST /account/verif': 'user_email_alread_verified',
  'DELETE /account/identities': 'user_password_reset_required',
  'PATCH /account/sessions/|oauth2/:provider$': 'project_provider_disabled',
  'PATCH /account/sessions/': 'project_provider_unsupported',
  'oauth2/callback': 'user_oauth2_bad_request user_oauth2_unauthorized user_oauth2_provider_error',
  '(POST|PUT|PATCH) .*documents(/:documentId)?$': 'user_unauthorized document_invalid_structure',
  '(PATCH|DELETE) .*:documentId$|:versionId/restore': 'user_unauthorized document_update_conflict',
  '(POST|PUT) .*documents(/:documentId)?$': 'document_already_exists',
  'POST .*documents$': 'document_missing_data',
  'PATCH .*documents(/:documentId)?$': 'document_missing_payload',
  'GET .*documents$': 'general_cursor_not_found',
  'POST .*/comments/documents': 'comments_closed comment_duplicate',
  'PATCH .*/comments/documents': 'comment_edit_expired comment_duplicate',
  'PATCH .*:documentId/comments': 'user_unauthorized',
  'POST /reports': 'document_not_found report_own report_already_exists',
  'cases/:caseId': 'report_case_not_found',
  'PUT /notifications/muted': 'document_not_found',
  'POST /notifications/unsub': 'user_invalid_token',
  'PATCH .*cases': 'report_case_decided user_unauthorized user_last_operator document_not_found',
  'GET .*documents(/:documentId)?$|/(logs|users|identities|files)$': 'general_query_invalid',
  '/versions|GET .*/deleted$|(PUT|DELETE) .*files/:fileId': 'user_unauthorized',
  'POST .*:bucketId/files$': `user_unauthorized storage_file_empty storage_file_already_exists
    storage_invalid_content_range storage_invalid_appwrite_id storage_invalid_file`,
  '(POST|PUT) .*:bucketId/files': 'storage_file_type_unsupported storage_invalid_file_size',
  '/files/:fileId/(view|download)': 'storage_invalid_range',
}
