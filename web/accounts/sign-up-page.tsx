// /signup: creates the account and signs in with the same words at once (spec §2, §4).
import { useRef } from 'react'
import { useApi } from '../api/api-context.tsx'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { createAccount, startSession } from './accounts-api.ts'
import { SignInCard } from './sign-in-card.tsx'
import { textOf, useAccountForm } from './use-account-form.ts'

export function SignUpPage() {
  const api = useApi()
  // The account may be made and the sign-in fail; the next press must then not ask for a second account.
  const createdFor = useRef<string | undefined>(undefined)

  async function send(values: FormData) {
    const email = textOf(values, 'email').trim()
    const password = textOf(values, 'password')
    if (createdFor.current !== email) await createAccount(api, { name: textOf(values, 'name').trim(), email, password })
    createdFor.current = email
    await startSession(api, { email, password })
  }
  const { isBusy, failure, handleSubmit } = useAccountForm(send)

  return (
    <SignInCard title="Sign up for an account" screen="Sign up" other={{ to: '/login', question: 'Have an account already?', answer: 'Log In' }}>
      {failure && <Alert kind="error">{failure.message}</Alert>}
      <form noValidate aria-label="Sign up" onSubmit={handleSubmit}>
        <Field label="Name" id="name" error={failure?.fields.name}>
          {(ids) => <TextInput {...ids} name="name" autoComplete="name" dir="auto" />}
        </Field>
        <Field label="Email" id="email" error={failure?.fields.email}>
          {(ids) => <TextInput {...ids} type="email" name="email" autoComplete="email" inputMode="email" />}
        </Field>
        <Field label="Password" id="password" hint="At least 8 characters. A short sentence works well." error={failure?.fields.password}>
          {(ids) => <PasswordInput {...ids} name="password" autoComplete="new-password" />}
        </Field>
        <Button kind="primary" type="submit" isWide isBusy={isBusy} busyLabel="Creating your account">
          Sign up
        </Button>
      </form>
    </SignInCard>
  )
}
