// For accounts without a password: a new sign-in by link shows that it is really them.
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { FormOutcome } from './form-outcome.tsx'
import { MailButton } from './mail-button.tsx'
import { requestSignInLink } from './mail-links-api.ts'
import { useMailRequest } from './use-mail-request.ts'

export function ReauthenticationLink({ email }: { email: string }) {
  const api = useApi()
  const mail = useMailRequest((to) =>
    requestSignInLink(api, to, `?next=${encodeURIComponent('/settings')}`),
  )
  return (
    <>
      <p>{texts.freshLink.text}</p>
      <FormOutcome
        failureText={mail.failure?.message}
        doneText={mail.sentTo !== undefined && texts.freshLink.sent}
      />
      {api.settings.mail !== 'off' && (
        <div className="row">
          <MailButton
            mail={mail}
            label={texts.mails.signInLink}
            onClick={() => void mail.send(email)}
          />
        </div>
      )}
    </>
  )
}
