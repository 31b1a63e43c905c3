// What a refused form says, and to which fields it belongs.
import { type Failure, failureOf } from '../api/outcomes.ts'

type FieldName = 'name' | 'email' | 'password' | 'oldPassword' | 'passwordAgain'

export type FormFailure = {
  /** For above the form. */
  message: string
  fields: Partial<Record<FieldName, string>>
}

export const NOT_AN_EMAIL = 'This does not look like an email address.'
/** Both fields of a new password are on the page, so the page itself can tell. */
export const PASSWORDS_DIFFER: FormFailure = { message: 'The two passwords differ.', fields: { passwordAgain: 'The two passwords differ.' } }

/**
 * The server names the field in its message: ``Invalid `email` param: …``. The whole message goes above the form, the part after the
 * colon to the field. Without an answer from the server the browser's own words would help nobody.
 *
 * @source spec §4 and §8, ruling O29, contract §1.4
 */
export function formFailureOf(error: unknown): FormFailure {
  const failure: Failure = failureOf(error)
  if (failure.code === 0 && !failure.message.startsWith('Missing required parameter')) {
    return { message: 'The server did not answer. Check your connection and try again.', fields: {} }
  }
  const [, field, rule] = /^Invalid `(name|email|password|oldPassword|passwordAgain)` param: (.+)$/s.exec(failure.message) ?? []
  if (!field || !rule) return { message: failure.message, fields: failure.type.startsWith('password_') ? { password: failure.message } : {} }
  return { message: failure.message, fields: { [field]: field === 'email' ? NOT_AN_EMAIL : rule } }
}
