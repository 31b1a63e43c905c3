// /signup: the form of a new account, also used by /invitation. Creates the account, then signs in
// with the same values (product.md §2, §4).
import { type ReactNode, useRef } from 'react'
import { useApi } from '../api/client.ts'
import { FormFailure, fieldFailure } from '../forms/form-failure.ts'
import { EmailField } from '../forms/form-parts.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { InputField, PasswordField } from '../ui/field.tsx'
import { MessageScreen, PageTitle } from '../ui/screens.tsx'
import { AccountCard } from './account-card.tsx'
import { createAccount, type LinkValues } from './accounts-api.ts'
import { GoogleButton } from './google-button.tsx'
import { BackToPostLink } from './sign-in-reason.tsx'
import { useAccountForm } from './use-account-form.ts'

/** A honeypot: hidden from users, so that only a program fills it in. */
const HONEYPOT = 'website'

const LOG_IN = { to: '/login', question: texts.signUp.haveAccount, answer: texts.signUp.toLogIn }

export function SignUpPage() {
  const { settings } = useApi()
  if (!settings.isRegistrationOpen) return <Closed />
  return (
    <SignUpForm>
      <GoogleButton />
    </SignUpForm>
  )
}

function Closed() {
  const { title, text } = texts.signUpClosed
  return (
    <>
      <PageTitle screen={texts.signing.up} description={text} />
      <MessageScreen
        art="off"
        title={title}
        actions={
          <ButtonLink kind="primary" to="/login">
            {texts.signing.in}
          </ButtonLink>
        }
      >
        <p>{text}</p>
      </MessageScreen>
    </>
  )
}

type SignUpFormProps = {
  /** The invited address, and the values of the invitation's link. */
  invited?: { email: string; link: LinkValues }
  /** Above the title. */
  notice?: ReactNode
  /** Other ways to sign up. */
  children?: ReactNode
}

export function SignUpForm({ invited, notice, children }: SignUpFormProps) {
  const api = useApi()
  // If the sign-in fails after the account was created, a retry must not create a second account.
  const createdFor = useRef<string | undefined>(undefined)

  const { isBusy, failure, handleSubmit } = useAccountForm(async (read) => {
    if (read(HONEYPOT)) throw new FormFailure(texts.honeypot.filledIn)
    const email = read('email').trim()
    const password = read('password')
    const name = read('name').trim()
    if (!name) throw fieldFailure('name', texts.forms.noName)
    if (createdFor.current !== email)
      await createAccount(api, { name, email, password }, invited?.link)
    createdFor.current = email
    await api.account.createEmailSession(email, password)
  })

  return (
    <AccountCard
      title={texts.signUp.title}
      screen={texts.signing.up}
      description={texts.descriptions.signUp(api.settings.siteName)}
      other={LOG_IN}
      notice={notice}
    >
      {failure && <Alert kind="error">{failure.message}</Alert>}
      {children}
      <form method="post" noValidate aria-label={texts.signing.up} onSubmit={handleSubmit}>
        <InputField
          label={texts.fields.name}
          id="name"
          hint={invited && texts.invitation.nameHint}
          error={failure?.fields.name}
          name="name"
          autoComplete="name"
          dir="auto"
        />
        <EmailField
          id="email"
          error={failure?.fields.email}
          {...(invited ? { defaultValue: invited.email, readOnly: true } : {})}
        />
        <PasswordField
          label={texts.fields.password}
          id="password"
          hint={texts.forms.passwordHint}
          error={failure?.fields.password}
          name="password"
          autoComplete="new-password"
        />
        <div className="honeypot" aria-hidden="true">
          <label htmlFor={HONEYPOT}>{texts.honeypot.label}</label>
          <input id={HONEYPOT} name={HONEYPOT} type="text" tabIndex={-1} autoComplete="off" />
        </div>
        <Button kind="primary" type="submit" isWide isBusy={isBusy} busyLabel={texts.signUp.busy}>
          {texts.signing.up}
        </Button>
      </form>
      {!invited && <BackToPostLink />}
    </AccountCard>
  )
}
