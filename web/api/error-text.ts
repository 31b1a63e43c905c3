// The text that users see when the server refuses a call. The API's own messages are for developers
// (contract/errors.ts) and never shown; a screen that has a more precise text shows its own.
import { texts } from '../locales/texts.ts'
import type { Failure } from './client.ts'

const { failures, refusals } = texts

const BY_TYPE: Record<string, string> = {
  general_rate_limit_exceeded: failures.tooManyTries,
  general_unauthorized_scope: failures.signedOut,
  general_service_disabled: refusals.busy,
  general_smtp_disabled: refusals.noMail,
  user_already_exists: refusals.emailTaken,
  user_email_already_exists: refusals.emailTaken,
  user_email_alread_verified: refusals.alreadyVerified,
  user_email_already_verified: refusals.alreadyVerified,
  user_invalid_token: refusals.linkUsed,
  user_password_mismatch: refusals.passwordsDiffer,
  user_invalid_credentials: refusals.credentials,
  user_blocked: refusals.blocked,
  user_unauthorized: refusals.notAllowed,
  user_is_reader: texts.readersOnly.text,
  user_last_operator: refusals.lastOperator,
  user_count_exceeded: refusals.noMoreAccounts,
  user_identity_not_found: refusals.gone,
  user_session_not_found: refusals.gone,
  document_not_found: refusals.gone,
  storage_file_not_found: refusals.gone,
  password_personal_data: refusals.passwordIsNameOrEmail,
}

/** @returns a sentence for every failure */
export function refusalText({ code, type }: Pick<Failure, 'code' | 'type'>): string {
  if (code === 0) return failures.noAnswer
  return BY_TYPE[type] ?? (code >= 500 ? refusals.fault : refusals.other)
}
