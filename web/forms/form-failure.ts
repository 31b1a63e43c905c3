// Turns a form's failed call into the messages that the form shows, above it and at its fields.
import { NAME_MAX_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '#contract/limits.ts'
import { failureOf } from '../api/client.ts'
import { refusalText } from '../api/error-text.ts'
import { texts } from '../locales/texts.ts'

const { forms } = texts

type FieldName =
  | ('name' | 'about' | 'email' | 'password' | 'oldPassword' | 'passwordAgain')
  | ('siteName' | 'code')

/** Thrown when the call of a form fails. Its message is shown above the form. */
export class FormFailure extends Error {
  /** Messages that are also shown at their fields. */
  fields: Partial<Record<FieldName, string>> = {}
  /** The session is too old for this change of an account without a password. */
  needsSignIn = false
  /** The emailed link was used already, has expired, was replaced, or is unknown. */
  isLinkSpent = false
}

/** A failure caused by one field. Its message is shown at the field and above the form. */
export function fieldFailure(field: FieldName, message: string): FormFailure {
  return Object.assign(new FormFailure(message), { fields: { [field]: message } })
}

/** Compares the two inputs of a new password in the browser: the server gets only one of them. */
export function requireSamePasswords(read: (name: string) => string): string {
  if (read('password') !== read('passwordAgain'))
    throw fieldFailure('passwordAgain', forms.passwordsDiffer)
  return read('password')
}

/**
 * The server names the field in its message: ``Invalid `email` param: …``. The screen shows its own
 * sentence for that field and rule: the API's texts are for developers.
 *
 * @source product.md §4, §8, product.md §O29, api.md §1.4
 */
export function formFailureOf(error: unknown): FormFailure {
  if (error instanceof FormFailure) return error
  const failure = failureOf(error)
  const [, field, rule = ''] =
    /^Invalid `(name|email|password|oldPassword|passwordAgain)` param: (.+)$/s.exec(
      failure.message,
    ) ?? []
  if (field) return fieldFailure(field as FieldName, fieldText(field as FieldName, rule))
  // For a change of the user's own account, this type always means that the session is too old.
  if (failure.type === 'user_unauthorized')
    return Object.assign(new FormFailure(texts.recentSignIn.needed), { needsSignIn: true })
  const message = refusalText(failure)
  if (failure.type.startsWith('password_')) return fieldFailure('password', message)
  const isLinkSpent = ['user_invalid_token', 'user_not_found'].includes(failure.type)
  return Object.assign(new FormFailure(message), { isLinkSpent })
}

function fieldText(field: FieldName, rule: string): string {
  if (field === 'email') return forms.notAnEmail
  if (field === 'name')
    return /one line/.test(rule) ? forms.nameNotPlain : forms.nameTooLong(NAME_MAX_CHARS)
  if (/most used/.test(rule)) return forms.commonPassword
  return forms.passwordLength(PASSWORD_MIN_CHARS, PASSWORD_MAX_CHARS)
}

export function isWrongPassword(error: unknown): boolean {
  return failureOf(error).type === 'user_invalid_credentials'
}

/** Whether the session has ended. A wrong password is also a 401: the type tells them apart. */
export function isSessionGone(error: unknown): boolean {
  return failureOf(error).type === 'general_unauthorized_scope'
}
