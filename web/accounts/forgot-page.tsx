// /forgot: requests a recovery link. The texts never depend on whether an account uses the address
// (threat-model.md §4).
import type { SyntheticEvent } from 'react'
import { useApi } from '../api/client.ts'
import { EmailField } from '../forms/form-parts.tsx'
import { readerOf } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Link } from '../ui/link.tsx'
import { useHistoryState } from '../ui/use-is-hydrated.ts'
import { AccountCard } from './account-card.tsx'
import { LinkRequested, MailButton, useMailRequest } from './mail-requests.tsx'
import { useViewer } from './viewer.tsx'

export function ForgotPage() {
  const { settings } = useApi()
  const { status } = useViewer()
  return (
    <AccountCard
      title={texts.forgot.title}
      screen={texts.forgot.screen}
      description={texts.descriptions.forgot(settings.siteName)}
    >
      {settings.mail !== 'off' ? (
        <RecoveryForm />
      ) : (
        <p className="subtitle">{texts.forgotTexts.noMail}</p>
      )}
      <Link className="link account-card__link" to={status ? '/dashboard' : '/login'}>
        {status ? texts.forgotBack.dashboard : texts.forgotBack.signIn}
      </Link>
    </AccountCard>
  )
}

function RecoveryForm() {
  const api = useApi()
  const state = useHistoryState()
  const mail = useMailRequest((email) =>
    api.account.createRecovery(email, `${location.origin}/verifyUserEmailLink`),
  )
  const { failure, sentTo } = mail
  const isInOutbox = api.settings.mail === 'kept'

  function handleSubmit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    void mail.send(readerOf(event.currentTarget)('email').trim())
  }
  return (
    <>
      <p className="subtitle">{isInOutbox ? texts.outboxMails.intro : texts.forgotTexts.intro}</p>
      {failure && <Alert kind="error">{failure.message}</Alert>}
      <div role="status" className="form-message">
        {sentTo && (
          <LinkRequested
            isInOutbox={isInOutbox}
            outboxText={texts.outboxMails.recovery(<b>{sentTo}</b>)}
            sentText={texts.forgotTexts.sentIfKnown(<b>{sentTo}</b>)}
          />
        )}
      </div>
      <form method="post" noValidate aria-label={texts.forgot.form} onSubmit={handleSubmit}>
        <EmailField id="email" error={failure?.fields.email} defaultValue={emailIn(state)} />
        <MailButton mail={mail} label={texts.forgot.send} kind="primary" type="submit" isWide />
      </form>
    </>
  )
}

/** The address that was typed into the sign-in form. */
function emailIn(state: unknown): string {
  const email: unknown = Reflect.get(Object(state), 'email')
  return typeof email === 'string' ? email : ''
}
