// The message of a refused form, and the fields it belongs to.
import { type Failure, failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'

type FieldName = 'name' | 'email' | 'password' | 'oldPassword' | 'passwordAgain'

export type FormFailure = {
  /** For above the form. */
  message: string
  fields: Partial<Record<FieldName, string>>
  /** The session is too old for what an account without a password asks. */
  needsSignIn?: boolean
}

/** Checked by the page itself: the server gets the new password once. */
export const PASSWORDS_DIFFER: FormFailure = {
  message: texts.forms.passwordsDiffer,
  fields: { passwordAgain: texts.forms.passwordsDiffer },
}

/**
 * The server names the field in its message: ``Invalid `email` param: …``. The whole message goes
 * above the form, the part after the colon to the field. Without an answer from the server the text
 * is ours: the browser's own message does not help.
 *
 * @source product.md §4, §8, product.md §O29, api.md §1.4
 */
export function formFailureOf(error: unknown): FormFailure {
  const failure: Failure = failureOf(error)
  if (failure.code === 0 && !failure.message.startsWith('Missing required parameter')) {
    return { message: texts.failures.noAnswer, fields: {} }
  }
  const [, field, rule] =
    /^Invalid `(name|email|password|oldPassword|passwordAgain)` param: (.+)$/s.exec(
      failure.message,
    ) ?? []
  if (!field || !rule)
    return {
      message: failure.message,
      fields: failure.type.startsWith('password_') ? { password: failure.message } : {},
      ...(failure.type === 'user_unauthorized' ? { needsSignIn: true } : {}),
    }
  return {
    message: failure.message,
    fields: { [field]: field === 'email' ? texts.forms.notAnEmail : rule },
  }
}
