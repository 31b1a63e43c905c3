// /signup: creates the account, then signs in with the same values (product.md §2, §4).
import { useRef } from 'react'
import { Link } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { buttonClass } from '../ui/button-class.ts'
import { Field } from '../ui/field.tsx'
import { MessageScreen } from '../ui/message-screen.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextInput } from '../ui/text-input.tsx'
import { createAccount, startSession } from './accounts-api.ts'
import { EmailField } from './email-field.tsx'
import type { FormFailure } from './form-failure.ts'
import { GoogleButton } from './google-button.tsx'
import { SignInCard } from './sign-in-card.tsx'
import { useAccountForm } from './use-account-form.ts'
import { textOf } from './use-form.ts'

/** A honeypot: hidden from people, so that only a program fills it in. */
const HONEYPOT = 'website'
const HONEYPOT_FILLED: FormFailure = { message: texts.signUpTrap.sprung, fields: {} }

const LOG_IN = { to: '/login', question: texts.signUp.haveAccount, answer: texts.signUp.toLogIn }

export function SignUpPage() {
  const { settings } = useApi()
  return settings.isRegistrationOpen ? <SignUpForm /> : <Closed />
}

function SignUpForm() {
  const api = useApi()
  // The account may be created and the sign-in fail: the next try must not create a second account.
  const createdFor = useRef<string | undefined>(undefined)

  const { isBusy, failure, handleSubmit } = useAccountForm(async (values) => {
    if (textOf(values, HONEYPOT)) return HONEYPOT_FILLED
    const email = textOf(values, 'email').trim()
    const password = textOf(values, 'password')
    if (createdFor.current !== email)
      await createAccount(api, { name: textOf(values, 'name').trim(), email, password })
    createdFor.current = email
    await startSession(api, { email, password })
    return undefined
  })

  return (
    <SignInCard title={texts.signUp.title} screen={texts.signing.up} other={LOG_IN}>
      {failure && <Alert kind="error">{failure.message}</Alert>}
      <GoogleButton />
      <form method="post" noValidate aria-label={texts.signing.up} onSubmit={handleSubmit}>
        <Field label={texts.fields.name} id="name" error={failure?.fields.name}>
          {(ids) => <TextInput {...ids} name="name" autoComplete="name" dir="auto" />}
        </Field>
        <EmailField id="email" error={failure?.fields.email} />
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
    </SignInCard>
  )
}

function Closed() {
  const { settings } = useApi()
  return (
    <>
      <PageTitle screen={texts.signing.up} site={settings.siteName} />
      <MessageScreen
        art="off"
        title={texts.signUpClosed.title}
        actions={
          <Link className={buttonClass('primary')} to="/login">
            {texts.signing.in}
          </Link>
        }
      >
        <p>{texts.signUpClosed.text}</p>
      </MessageScreen>
    </>
  )
}
