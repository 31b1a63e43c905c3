// A new password, typed twice.
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import type { FormFailure } from './form-failure.ts'

/** The values are called `password` and `passwordAgain`. */
export function NewPasswordFields({ failure }: { failure: FormFailure | undefined }) {
  return (
    <>
      <Field label="New password" hint="At least 8 characters. A short sentence works well." error={failure?.fields.password}>
        {(ids) => <PasswordInput {...ids} name="password" autoComplete="new-password" />}
      </Field>
      <Field label="New password again" error={failure?.fields.passwordAgain}>
        {(ids) => <PasswordInput {...ids} name="passwordAgain" autoComplete="new-password" />}
      </Field>
    </>
  )
}
