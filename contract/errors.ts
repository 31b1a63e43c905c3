// The refusals of the API: type -> HTTP status and text. Independent of HTTP frameworks.

/**
 * All refusals by type. Clients depend on the exact status and type; the texts are ours, and a
 * refusal may replace its text with one that names the value.
 *
 * @source api.md §9
 */
export const REFUSALS = {
  general_unknown: [500, 'Something went wrong on the server.'],
  general_argument_invalid: [400, 'A value is not valid.'],
  general_query_invalid: [400, 'That query could not be understood.'],
  general_cursor_not_found: [400, 'The page marker no longer exists.'],
  general_unknown_origin: [403, 'Requests from this site are not allowed.'],
  general_unauthorized_scope: [401, 'Your role may not use this.'],
  general_route_not_found: [404, 'There is no such address in this API.'],
  general_not_implemented: [501, 'This server does not offer that.'],
  general_rate_limit_exceeded: [429, 'Too many attempts. Please wait a while and try again.'],
  general_service_disabled: [503, 'This service is switched off.'],
  general_smtp_disabled: [503, 'This site cannot send email yet.'],
  project_not_found: [404, 'Unknown project.'],
  project_provider_disabled: [412, 'Sign-in with this provider is switched off.'],
  project_provider_unsupported: [501, 'Sign-in with this provider is not supported.'],
  user_already_exists: [409, 'An account with this email or id already exists.'],
  user_email_already_exists: [409, 'This email is already in use.'],
  /** The misspelling is part of the API up to format 1.4, the next line from 1.5 on (api.md §9). */
  user_email_alread_verified: [409, 'This email is already verified.'],
  user_email_already_verified: [409, 'This email is already verified.'],
  user_invalid_token: [401, 'This link is not valid any more.'],
  user_password_mismatch: [400, 'The two passwords differ.'],
  user_invalid_credentials: [401, 'Email or password is not correct.'],
  user_blocked: [401, 'This account has been blocked.'],
  user_unauthorized: [401, 'You are not allowed to do this.'],
  user_not_found: [404, 'There is no such user.'],
  user_last_operator: [409, 'The blog needs an operator. Make somebody else one first.'],
  user_is_reader: [403, 'This account reads and comments here; authors write.'],
  backup_not_found: [404, 'There is no such backup.'],
  backup_folder_unusable: [400, 'Backups cannot be kept in this folder.'],
  backup_running: [409, 'A backup is being made.'],
  import_not_found: [404, 'There is no such import.'],
  import_active: [409, 'Another import has not ended yet.'],
  import_at_another_step: [409, 'The import is at another step by now.'],
  import_incomplete: [409, 'Pieces of the file are missing.'],
  export_not_found: [404, 'There is no such export.'],
  export_active: [409, 'Another export is being made.'],
  archive_no_room: [503, 'There is not enough room for this just now.'],
  kept_mail_not_found: [404, 'This mail is not kept, or not any more.'],
  mail_not_sent: [503, 'The mail was not sent.'],
  setup_done: [409, 'This blog has been set up already.'],
  setup_code_invalid: [401, 'This is not the code that the blog printed when it started.'],
  setup_code_replaced: [401, 'This code is out of date: a later start has printed a new one.'],
  user_count_exceeded: [501, 'No more accounts can be created.'],
  user_email_not_verified: [401, 'The provider has not verified this email address.'],
  user_oauth2_bad_request: [400, 'The provider refused the sign-in.'],
  user_oauth2_unauthorized: [401, 'The provider refused the sign-in.'],
  user_oauth2_provider_error: [400, 'The provider reported an error.'],
  user_identity_not_found: [404, 'There is no such linked account.'],
  user_password_reset_required: [412, 'Please set a new password first.'],
  user_session_not_found: [404, 'There is no such session.'],
  user_jwt_invalid: [401, 'The token is not valid.'],
  invitation_not_found: [404, 'There is no such invitation.'],
  password_personal_data: [400, 'The password must not be your name or email.'],
  database_not_found: [404, 'There is no such database.'],
  collection_not_found: [404, 'There is no such collection.'],
  document_not_found: [404, 'There is no such post.'],
  document_already_exists: [409, 'This id is already taken.'],
  document_invalid_structure: [400, 'Invalid document structure.'],
  document_missing_data: [400, 'Nothing to save was sent.'],
  document_missing_payload: [400, 'Nothing to save was sent.'],
  document_update_conflict: [409, 'Somebody saved a newer version meanwhile.'],
  preview_link_ended: [404, 'This preview has ended.'],
  preview_link_needless: [400, 'A published post needs no preview link.'],
  page_address_taken: [409, 'Another page has this address.'],
  page_address_reserved: [409, 'The blog itself uses this address.'],
  page_count_exceeded: [409, 'The blog has six pages and links already.'],
  comment_duplicate: [409, 'You have posted this already.'],
  comment_edit_expired: [403, 'The time to change this comment is over.'],
  comments_closed: [403, 'There are no new comments here.'],
  report_already_exists: [409, 'You have reported this already.'],
  report_own: [403, 'This is your own.'],
  report_case_not_found: [404, 'There is no such case.'],
  report_case_decided: [409, 'Somebody has already decided this.'],
  /** Used by `/oembed`. */
  oembed_format_unsupported: [501, 'Only json and xml are offered.'],
  storage_bucket_not_found: [404, 'There is no such bucket.'],
  storage_file_not_found: [404, 'There is no such file.'],
  storage_file_already_exists: [409, 'A file with this id already exists.'],
  storage_file_empty: [400, 'No file was sent.'],
  storage_file_type_unsupported: [400, 'Only png, jpg, jpeg and gif images are accepted.'],
  storage_invalid_file_size: [400, 'The file is too large.'],
  storage_invalid_file: [403, 'The file is damaged or not what it claims to be.'],
  storage_invalid_content_range: [400, 'The content range is not valid.'],
  storage_invalid_appwrite_id: [400, 'The upload id is not valid.'],
  storage_invalid_range: [416, 'That part of the file does not exist.'],
} as const satisfies Record<string, readonly [status: number, text: string]>

export type RefusalType = keyof typeof REFUSALS

/**
 * The JSON body of every error answer.
 *
 * @source api.md §1.3
 */
export type ErrorBody = {
  /** English, for developers; screens show their own texts. */
  message: string
  /** The same as the HTTP status. */
  code: number
  type: string
  /** The API's version, `API_VERSION`. */
  version: string
}

/**
 * A refusal that the caller may see: thrown by rules, turned into an answer by
 * `backend/http/errors.ts` alone.
 *
 * @param type     decides status and default text
 * @param message  replaces the default text (patterns of api.md §1.4, §3.3, §3.4)
 * @param options  `headers` go on the answer (Retry-After, Content-Range); `cause` is only logged
 */
export class Refusal extends Error {
  readonly type: RefusalType
  readonly status: number
  readonly headers: Record<string, string>
  /** The setting that would allow the request; logged for the operator. */
  readonly setting: string | undefined
  constructor(
    type: RefusalType,
    message?: string,
    options: { headers?: Record<string, string>; cause?: unknown; setting?: string } = {},
  ) {
    super(message ?? REFUSALS[type][1], options.cause === undefined ? {} : { cause: options.cause })
    this.name = 'Refusal'
    this.type = type
    this.status = REFUSALS[type][0]
    this.headers = options.headers ?? {}
    this.setting = options.setting
  }
}

/** A refusal for one wrong parameter: ``Invalid `email` param: <rule>`` (api.md §1.4). */
export function invalidParam(name: string, rule: string): Refusal {
  return new Refusal('general_argument_invalid', `Invalid \`${name}\` param: ${rule}`)
}

/** A refusal for a parameter that is missing (api.md §1.4). */
export function missingParam(name: string): Refusal {
  return new Refusal('general_argument_invalid', `Param "${name}" is not optional.`)
}

/** For `catch`: returns undefined for a refusal of this type, and throws any other error. */
export function undefinedIfRefused(type: RefusalType): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Refusal) || error.type !== type) throw error
    return undefined
  }
}
