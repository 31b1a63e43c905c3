// Asks for a verification mail: what came of it, then the button.
import { useApi } from '../api/api-context.tsx'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import type { ButtonKind } from '../ui/button-class.ts'
import { MailButton } from './mail-button.tsx'
import { requestVerification } from './mail-links-api.ts'
import { useMailRequest } from './use-mail-request.ts'
import { useViewer } from './viewer.tsx'

type VerificationMailButtonProps = { label: string; kind: ButtonKind }

export function VerificationMailButton({ label, kind }: VerificationMailButtonProps) {
  const api = useApi()
  const { userData, refresh } = useViewer()
  const mail = useMailRequest(async () => {
    try {
      await requestVerification(api)
    } catch (error) {
      // Already confirmed, on another device: what is on the screen is old.
      if (failureOf(error).code === 409) await refresh()
      throw error
    }
  })
  return (
    <>
      <span role="status" className="form-message">
        {mail.sentTo === undefined ? mail.failure?.message : texts.mailNews.sent}
      </span>
      <MailButton
        mail={mail}
        label={label}
        busyLabel={texts.mails.sendingMail}
        kind={kind}
        onClick={() => void mail.send(userData?.email ?? '')}
      />
    </>
  )
}
