// /login: email and password, and the other sign-in methods of this site (product.md §2).
import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '../api/client.ts'
import { EmailField } from '../forms/form-parts.tsx'
import { readerOf } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
import { Link } from '../ui/link.tsx'
import { AccountCard } from './account-card.tsx'
import { requestSignInLink } from './accounts-api.ts'
import { GoogleButton } from './google-button.tsx'
import { LinkRequested, MailButton, useMailRequest } from './mail-requests.tsx'
import { nextQueryOf } from './return-path.ts'
import { BackToPostLink, SignInNotice, SignInPurpose } from './sign-in-reason.tsx'
import { useAccountForm } from './use-account-form.ts'

const SIGN_UP = { to: '/signup', question: texts.signIn.noAccount, answer: texts.signIn.toSignUp }

export function SignInPage() {
  const api = useApi()
  const { settings } = api
  const location = useLocation()
  const link = useMailRequest((email) => requestSignInLink(api, email, nextQueryOf(location)))
  const form = useRef<HTMLFormElement>(null)
  const [typedEmail, setTypedEmail] = useState('')
  const { isBusy, failure, handleSubmit } = useAccountForm(async (read) => {
    link.clearFailure()
    await api.account.createEmailSession(read('email').trim(), read('password'))
  })
  const shown = failure ?? link.failure
  const { sentTo, sentIfKnown } = texts.signInLink
  const { signIn, signInIfKnown } = texts.outboxMails
  const createsAccounts = settings.isRegistrationOpen

  function handleLink() {
    if (form.current) void link.send(readerOf(form.current)('email').trim())
  }
  return (
    <AccountCard
      title={texts.signIn.title}
      screen={texts.signing.in}
      description={texts.descriptions.signIn(settings.siteName)}
      reason={!shown && !link.sentTo && <SignInPurpose />}
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
        <PasswordField
          label={texts.fields.password}
          id="password"
          error={shown?.fields.password}
          name="password"
          autoComplete="current-password"
        />
        <Button
          kind="primary"
          type="submit"
          isWide
          isBusy={isBusy}
          busyLabel={texts.signing.signingIn}
        >
          {texts.signing.in}
        </Button>
        {settings.mail !== 'off' && (
          <MailButton mail={link} label={texts.mails.signInLink} isWide onClick={handleLink} />
        )}
        <div role="status" className="form-message">
          {/* The text is the same whether or not an account uses the address. */}
          {link.sentTo && (
            <LinkRequested
              isInOutbox={settings.mail === 'kept'}
              outboxText={(createsAccounts ? signIn : signInIfKnown)(<b>{link.sentTo}</b>)}
              sentText={(createsAccounts ? sentTo : sentIfKnown)(<b>{link.sentTo}</b>)}
            />
          )}
        </div>
      </form>
      <div className="unless-empty account-card__links">
        {settings.mail !== 'off' && (
          <Link
            className="link account-card__link"
            to="/forgot"
            state={{ email: typedEmail.trim() }}
          >
            {texts.signIn.forgot}
          </Link>
        )}
        <BackToPostLink />
      </div>
    </AccountCard>
  )
}
