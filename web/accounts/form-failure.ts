// The message of a refused form, and the fields it belongs to.
import { NAME_MAX_CHARS, PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '#contract/limits.ts'
import { refusalText } from '../api/refusal-text.ts'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'

const { forms } = texts

type FieldName = 'name' | 'about' | 'email' | 'password' | 'oldPassword' | 'passwordAgain'

export type FormFailure = {
  /** For above the form. */
  message: string
  fields: Partial<Record<FieldName, string>>
  /** The session is too old for what an account without a password asks. */
  needsSignIn?: boolean
}

/** A failure of one field, said there and above the form. */
export function fieldFailure(field: FieldName, message: string): FormFailure {
  return { message, fields: { [field]: message } }
}

/** Checked by the page itself: the server gets the new password once. */
export const PASSWORDS_DIFFER = fieldFailure('passwordAgain', forms.passwordsDiffer)

/**
 * The server names the field in its message: ``Invalid `email` param: …``. What is shown is a
 * sentence of ours for that field and rule: the API's texts are for developers.
 *
 * @source product.md §4, §8, product.md §O29, api.md §1.4
 */
export function formFailureOf(error: unknown): FormFailure {
  const failure = failureOf(error)
  const [, field, rule = ''] =
    /^Invalid `(name|email|password|oldPassword|passwordAgain)` param: (.+)$/s.exec(
      failure.message,
    ) ?? []
  if (field) return fieldFailure(field as FieldName, fieldText(field as FieldName, rule))
  // What one does with one's own account is refused so only to a session that is too old.
  if (failure.type === 'user_unauthorized')
    return { message: texts.freshSignIn.needed, fields: {}, needsSignIn: true }
  const message = refusalText(failure)
  if (failure.type.startsWith('password_')) return fieldFailure('password', message)
  return { message, fields: {} }
}

function fieldText(field: FieldName, rule: string): string {
  if (field === 'email') return forms.notAnEmail
  if (field === 'name')
    return /one line/.test(rule) ? forms.nameNotPlain : forms.nameTooLong(NAME_MAX_CHARS)
  if (/most used/.test(rule)) return forms.commonPassword
  return forms.passwordLength(PASSWORD_MIN_CHARS, PASSWORD_MAX_CHARS)
}
