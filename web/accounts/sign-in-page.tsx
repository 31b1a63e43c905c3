// /login: e-mail and password, and the other ways in that this site has (product.md §2).
import { Mailbox, MailCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { startSession } from './accounts-api.ts'
import { AskedReason, WayBack } from './asked-reason.tsx'
import { EmailField } from './email-field.tsx'
import { GoogleButton } from './google-button.tsx'
import { MailButton } from './mail-button.tsx'
import { requestSignInLink } from './mail-links-api.ts'
import { nextQueryOf } from './return-path.ts'
import { SignInCard } from './sign-in-card.tsx'
import { SignInNotice } from './sign-in-notice.tsx'
import { useAccountForm } from './use-account-form.ts'
import { textOf } from './use-form.ts'
import { useMailRequest } from './use-mail-request.ts'

const SIGN_UP = { to: '/signup', question: texts.signIn.noAccount, answer: texts.signIn.toSignUp }

export function SignInPage() {
  const api = useApi()
  const { settings } = api
  const location = useLocation()
  const link = useMailRequest((email) => requestSignInLink(api, email, nextQueryOf(location)))
  const form = useRef<HTMLFormElement>(null)
  const [typedEmail, setTypedEmail] = useState('')
  const { isBusy, failure, handleSubmit } = useAccountForm(async (values) => {
    link.clearFailure()
    await startSession(api, {
      email: textOf(values, 'email').trim(),
      password: textOf(values, 'password'),
    })
    return undefined
  })
  const shown = failure ?? link.failure

  function handleLink() {
    if (form.current) void link.send(textOf(new FormData(form.current), 'email').trim())
  }
  return (
    <SignInCard
      title={texts.signIn.title}
      screen={texts.signing.in}
      description={texts.descriptions.signIn(settings.siteName)}
      reason={!shown && !link.sentTo && <AskedReason />}
      other={settings.isRegistrationOpen ? SIGN_UP : undefined}
    >
      {shown && <Alert kind="error">{shown.message}</Alert>}
      {!shown && !link.sentTo && <SignInNotice />}
      <GoogleButton />
      <form
        method="post"
        noValidate
        aria-label={texts.signing.in}
        ref={form}
        onSubmit={handleSubmit}
      >
        <EmailField
          id="email"
          error={shown?.fields.email}
          onInput={({ currentTarget }) => setTypedEmail(currentTarget.value)}
        />
        <Field label={texts.fields.password} id="password" error={shown?.fields.password}>
          {(ids) => <PasswordInput {...ids} name="password" autoComplete="current-password" />}
        </Field>
        <Button
          kind="primary"
          type="submit"
          isWide
          isBusy={isBusy}
          busyLabel={texts.signing.goingIn}
        >
          {texts.signing.in}
        </Button>
        {settings.mail !== 'off' && (
          <MailButton mail={link} label={texts.mails.signInLink} isWide onClick={handleLink} />
        )}
        <div role="status" className="form-message">
          {link.sentTo && <LinkAsked email={link.sentTo} />}
        </div>
      </form>
      <div className="account-card__links">
        {settings.mail !== 'off' && (
          <Link
            className="link account-card__link"
            to="/forgot"
            state={{ email: typedEmail.trim() }}
          >
            {texts.signIn.forgot}
          </Link>
        )}
        <WayBack />
      </div>
    </SignInCard>
  )
}

/** The same whether or not an account uses the address. */
function LinkAsked({ email }: { email: string }) {
  const { settings } = useApi()
  const isAlwaysMade = settings.isRegistrationOpen
  if (settings.mail === 'kept') {
    const { noMail, signIn, signInIfKnown } = texts.keptMails
    return (
      <Alert kind="warn" Icon={Mailbox} isQuiet>
        {noMail} {(isAlwaysMade ? signIn : signInIfKnown)(<b>{email}</b>)}
      </Alert>
    )
  }
  const { sentTo, sentIfKnown } = texts.signInLink
  return (
    <Alert kind="ok" Icon={MailCheck} isQuiet>
      {(isAlwaysMade ? sentTo : sentIfKnown)(<b>{email}</b>)}
    </Alert>
  )
}
