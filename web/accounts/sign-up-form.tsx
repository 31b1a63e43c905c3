// The form of a new account, by oneself or with an invitation: creates the account, then signs in
// with the same values (product.md §2, §4).
import { type ReactNode, useRef } from 'react'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { createAccount, startSession } from './accounts-api.ts'
import { WayBack } from './asked-reason.tsx'
import { EmailField } from './email-field.tsx'
import { type FormFailure, fieldFailure } from './form-failure.ts'
import type { LinkValues } from './mail-links-api.ts'
import { SignInCard } from './sign-in-card.tsx'
import { useAccountForm } from './use-account-form.ts'
import { textOf } from './use-form.ts'

/** A honeypot: hidden from people, so that only a program fills it in. */
const HONEYPOT = 'website'
const HONEYPOT_FILLED: FormFailure = { message: texts.signUpTrap.sprung, fields: {} }

const LOG_IN = { to: '/login', question: texts.signUp.haveAccount, answer: texts.signUp.toLogIn }

type SignUpFormProps = {
  /** Whose address is given, and the values that let it in. */
  invited?: { email: string; link: LinkValues }
  /** Above the title. */
  notice?: ReactNode
  /** Other ways to sign up. */
  children?: ReactNode
}

export function SignUpForm({ invited, notice, children }: SignUpFormProps) {
  const api = useApi()
  // The account may be created and the sign-in fail: the next try must not create a second account.
  const createdFor = useRef<string | undefined>(undefined)

  const { isBusy, failure, handleSubmit } = useAccountForm(async (values) => {
    if (textOf(values, HONEYPOT)) return HONEYPOT_FILLED
    const email = textOf(values, 'email').trim()
    const password = textOf(values, 'password')
    const name = textOf(values, 'name').trim()
    if (!name) return fieldFailure('name', texts.forms.noName)
    if (createdFor.current !== email)
      await createAccount(api, { name, email, password }, invited?.link)
    createdFor.current = email
    await startSession(api, { email, password })
    return undefined
  })

  return (
    <SignInCard
      title={texts.signUp.title}
      screen={texts.signing.up}
      description={texts.descriptions.signUp(api.settings.siteName)}
      other={LOG_IN}
      notice={notice}
    >
      {failure && <Alert kind="error">{failure.message}</Alert>}
      {children}
      <form method="post" noValidate aria-label={texts.signing.up} onSubmit={handleSubmit}>
        <Field
          label={texts.fields.name}
          id="name"
          hint={invited && texts.invitation.nameHint}
          error={failure?.fields.name}
        >
          {(ids) => <TextInput {...ids} name="name" autoComplete="name" dir="auto" />}
        </Field>
        <EmailField
          id="email"
          error={failure?.fields.email}
          {...(invited ? { defaultValue: invited.email, readOnly: true } : {})}
        />
        <Field
          label={texts.fields.password}
          id="password"
          hint={texts.forms.passwordHint}
          error={failure?.fields.password}
        >
          {(ids) => <PasswordInput {...ids} name="password" autoComplete="new-password" />}
        </Field>
        <div className="honeypot" aria-hidden="true">
          <label htmlFor={HONEYPOT}>{texts.signUpTrap.label}</label>
          <input id={HONEYPOT} name={HONEYPOT} type="text" tabIndex={-1} autoComplete="off" />
        </div>
        <Button kind="primary" type="submit" isWide isBusy={isBusy} busyLabel={texts.signUp.busy}>
          {texts.signing.up}
        </Button>
      </form>
      {!invited && <WayBack />}
    </SignInCard>
  )
}
