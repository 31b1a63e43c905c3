// A new password, typed twice.
import { texts } from '../locales/texts.ts'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import type { FormFailure } from './form-failure.ts'

/** The values are called `password` and `passwordAgain`. */
export function NewPasswordFields({ failure }: { failure: FormFailure | undefined }) {
  return (
    <>
      <Field
        label={texts.newPassword.once}
        hint={texts.forms.passwordHint}
        error={failure?.fields.password}
      >
        {(ids) => <PasswordInput {...ids} name="password" autoComplete="new-password" />}
      </Field>
      <Field label={texts.newPassword.again} error={failure?.fields.passwordAgain}>
        {(ids) => <PasswordInput {...ids} name="passwordAgain" autoComplete="new-password" />}
      </Field>
    </>
  )
}
