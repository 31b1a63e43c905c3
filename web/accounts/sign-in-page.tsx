// /login: e-mail and password (spec §2).
import { useApi } from '../api/api-context.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { startSession } from './accounts-api.ts'
import { SignInCard } from './sign-in-card.tsx'
import { SignInNotice } from './sign-in-notice.tsx'
import { textOf, useAccountForm } from './use-account-form.ts'

export function SignInPage() {
  const api = useApi()
  const { isBusy, failure, handleSubmit } = useAccountForm((values) =>
    startSession(api, { email: textOf(values, 'email').trim(), password: textOf(values, 'password') }),
  )
  return (
    <SignInCard title="Sign in to your account" screen="Sign in" other={{ to: '/signup', question: "Don't have any account?", answer: 'Sign Up' }}>
      {failure ? <Alert kind="error">{failure.message}</Alert> : <SignInNotice />}
      <form noValidate aria-label="Sign in" onSubmit={handleSubmit}>
        <Field label="Email" id="email" error={failure?.fields.email}>
          {(ids) => <TextInput {...ids} type="email" name="email" autoComplete="email" inputMode="email" />}
        </Field>
        <Field label="Password" id="password" error={failure?.fields.password}>
          {(ids) => <PasswordInput {...ids} name="password" autoComplete="current-password" />}
        </Field>
        <Button kind="primary" type="submit" isWide isBusy={isBusy} busyLabel="Signing in">
          Sign in
        </Button>
      </form>
    </SignInCard>
  )
}
