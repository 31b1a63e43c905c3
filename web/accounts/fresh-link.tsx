// For accounts without a password: a new sign-in by link shows that it is really them.
import { useState } from 'react'
import { useApi } from '../api/api-context.tsx'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import { useCountdown } from '../ui/use-countdown.ts'
import { formFailureOf } from './form-failure.ts'
import { FormNews } from './form-news.tsx'
import { MAIL_PAUSE_SECONDS, requestSignInLink } from './mail-links-api.ts'

export function FreshLink({ email }: { email: string }) {
  const api = useApi()
  const [isBusy, setBusy] = useState(false)
  const [failureText, setFailureText] = useState<string | undefined>()
  const [isSent, setSent] = useState(false)
  const [secondsLeft, startPause] = useCountdown(MAIL_PAUSE_SECONDS)

  async function handleSend() {
    setBusy(true)
    setFailureText(undefined)
    try {
      await requestSignInLink(api, email, `?next=${encodeURIComponent('/settings')}`)
      setSent(true)
      startPause()
    } catch (error) {
      setFailureText(formFailureOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <p>{texts.freshLink.text}</p>
      <FormNews failureText={failureText} doneText={isSent && texts.freshLink.sent} />
      {api.settings.hasMail && (
        <div className="row">
          <Button
            isBusy={isBusy}
            busyLabel={texts.mails.sendingLink}
            aria-disabled={secondsLeft > 0}
            onClick={() => void handleSend()}
          >
            {secondsLeft > 0 ? texts.mailNews.againIn(secondsLeft) : texts.mails.signInLink}
          </Button>
        </div>
      )}
    </>
  )
}
