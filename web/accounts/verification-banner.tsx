// On the dashboard of a person whose address is not verified yet.
import { Mail, Mailbox } from 'lucide-react'
import type { Account } from '#contract/accounts.ts'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { MailButton } from './mail-button.tsx'
import { useVerificationMail } from './use-verification-mail.ts'
import { VerificationMailButton } from './verification-mail-button.tsx'
import { useViewer } from './viewer.tsx'

export function VerificationBanner() {
  const { settings } = useApi()
  const { userData } = useViewer()
  if (settings.mail === 'off' || !userData || userData.emailVerification) return null
  return settings.mail === 'kept' ? <Kept account={userData} /> : <Sent account={userData} />
}

function Sent({ account }: { account: Account }) {
  return (
    <section
      className="alert alert--warn verification-banner"
      aria-label={texts.verificationBanner.label}
    >
      <Mail className="icon" aria-hidden="true" />
      <p>
        <b>{texts.verificationBanner.title}</b>{' '}
        {texts.verificationBanner.text(<bdi>{account.email}</bdi>)}
      </p>
      <div className="row">
        <VerificationMailButton label={texts.emailState.send} kind="secondary" />
      </div>
    </section>
  )
}

/** Without a mail server the text itself tells what came of asking. */
function Kept({ account }: { account: Account }) {
  const mail = useVerificationMail()
  const { verification, verificationToCome, makeLink, making } = texts.keptMails
  const text = mail.sentTo === undefined ? verificationToCome : verification
  return (
    <section
      className="alert alert--warn verification-banner verification-banner--kept"
      aria-label={texts.verificationBanner.label}
    >
      <Mailbox className="icon" aria-hidden="true" />
      <p role="status">
        <b>{texts.verificationBanner.title}</b> {text(<bdi>{account.email}</bdi>)}{' '}
        {mail.failure?.message}
      </p>
      <div className="row">
        <MailButton
          mail={mail}
          label={makeLink}
          busyLabel={making}
          kind="secondary"
          onClick={() => void mail.send(account.email)}
        />
      </div>
    </section>
  )
}
