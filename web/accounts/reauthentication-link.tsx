// For accounts without a password: a new sign-in shows that it is really them.
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { FormOutcome } from './form-outcome.tsx'
import { leaveForGoogle } from './google-button.tsx'
import { MailButton } from './mail-button.tsx'
import { requestSignInLink } from './mail-links-api.ts'
import { SETTINGS_NEXT } from './return-path.ts'
import { useMailRequest } from './use-mail-request.ts'

export function ReauthenticationLink({ email, text }: { email: string; text: string }) {
  const api = useApi()
  const mail = useMailRequest((to) => requestSignInLink(api, to, SETTINGS_NEXT))
  const doneText =
    api.settings.mail === 'kept'
      ? texts.keptMails.signIn(<bdi>{email}</bdi>)
      : texts.freshSignIn.sent
  return (
    <>
      <p>{text}</p>
      <FormOutcome
        failureText={mail.failure?.message}
        doneText={mail.sentTo !== undefined && doneText}
      />
      <div className="row">
        {api.settings.hasGoogle && (
          <Button onClick={() => leaveForGoogle(api, SETTINGS_NEXT)}>
            {texts.freshSignIn.google}
          </Button>
        )}
        {api.settings.mail !== 'off' && (
          <MailButton
            mail={mail}
            label={texts.mails.signInLink}
            onClick={() => void mail.send(email)}
          />
        )}
      </div>
    </>
  )
}
