// Asks for a verification mail: what came of it, then the button.
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import type { ButtonKind } from '../ui/button-class.ts'
import { MailButton } from './mail-button.tsx'
import { useVerificationMail } from './use-verification-mail.ts'
import { useViewer } from './viewer.tsx'

/** `label` is for a mail that is sent. */
type VerificationMailButtonProps = { label: string; kind: ButtonKind }

export function VerificationMailButton({ label, kind }: VerificationMailButtonProps) {
  const { settings } = useApi()
  const { userData } = useViewer()
  const mail = useVerificationMail()
  const isKept = settings.mail === 'kept'
  return (
    <>
      <span role="status" className="form-message">
        {mail.failure?.message}
        {mail.sentTo !== undefined && (isKept ? texts.keptMails.made : texts.mailNews.sent)}
      </span>
      <MailButton
        mail={mail}
        label={isKept ? texts.keptMails.makeLink : label}
        busyLabel={isKept ? texts.keptMails.making : texts.mails.sendingMail}
        kind={kind}
        onClick={() => void mail.send(userData?.email ?? '')}
      />
    </>
  )
}
