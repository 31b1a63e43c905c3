// Fields and messages that forms share.
import type { ComponentProps, ReactNode } from 'react'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { InputField, PasswordField } from '../ui/field.tsx'
import type { FormFailure } from './form-failure.ts'

/** A field for an email address. Its value is called `email`. */
export function EmailField(props: Partial<ComponentProps<typeof InputField>>) {
  return (
    <InputField
      label={texts.fields.email}
      type="email"
      name="email"
      autoComplete="email"
      inputMode="email"
      {...props}
    />
  )
}

/** A new password, typed twice. The values are called `password` and `passwordAgain`. */
export function NewPasswordFields({ failure }: { failure: FormFailure | undefined }) {
  return (
    <>
      <PasswordField
        label={texts.newPassword.label}
        hint={texts.forms.passwordHint}
        error={failure?.fields.password}
        name="password"
        autoComplete="new-password"
      />
      <PasswordField
        label={texts.newPassword.repeat}
        error={failure?.fields.passwordAgain}
        name="passwordAgain"
        autoComplete="new-password"
      />
    </>
  )
}

/**
 * Tells password managers which account the password belongs to. Many of them ignore a field that
 * the browser does not render.
 */
export function UsernameHint({ email }: { email: string }) {
  return (
    <input
      className="visually-hidden"
      type="text"
      name="username"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}

type FormOutcomeProps = { failureText: ReactNode; doneText: ReactNode }

/**
 * The outcome of the last submit, above the fields. The live region is rendered from the start, so
 * that screen readers announce a message added to it.
 */
export function FormOutcome({ failureText, doneText }: FormOutcomeProps) {
  return (
    <>
      {failureText && <Alert kind="error">{failureText}</Alert>}
      <div role="status" className="form-message">
        {doneText && (
          <Alert kind="ok" isQuiet>
            {doneText}
          </Alert>
        )}
      </div>
    </>
  )
}
