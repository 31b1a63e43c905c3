// Asks for a verification mail: the button, the pause before the next one, and what came of it.
import { useState } from 'react'
import { useApi } from '../api/api-context.tsx'
import { failureOf } from '../api/result.ts'
import { texts } from '../locales/texts.ts'
import { Button } from '../ui/button.tsx'
import type { ButtonKind } from '../ui/button-class.ts'
import { useCountdown } from '../ui/use-countdown.ts'
import { formFailureOf } from './form-failure.ts'
import { MAIL_PAUSE_SECONDS, requestVerification } from './mail-links-api.ts'
import { useViewer } from './viewer.tsx'

type VerificationMailButtonProps = { label: string; kind: ButtonKind }

/** The words of the outcome come first, then the button. */
export function VerificationMailButton({ label, kind }: VerificationMailButtonProps) {
  const api = useApi()
  const { refresh } = useViewer()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState('')
  const [secondsLeft, startPause] = useCountdown(MAIL_PAUSE_SECONDS)

  async function handleSend() {
    setBusy(true)
    setOutcome('')
    try {
      await requestVerification(api)
      setOutcome(texts.mailNews.sent)
      startPause()
    } catch (error) {
      // Confirmed meanwhile, on another device: what is on the screen is old.
      if (failureOf(error).code === 409) await refresh()
      setOutcome(formFailureOf(error).message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <span role="status" className="form-message">
        {outcome}
      </span>
      <Button
        kind={kind}
        isBusy={isBusy}
        busyLabel={texts.mails.sendingMail}
        aria-disabled={secondsLeft > 0}
        onClick={() => void handleSend()}
      >
        {secondsLeft > 0 ? texts.mailNews.againIn(secondsLeft) : label}
      </Button>
    </>
  )
}
