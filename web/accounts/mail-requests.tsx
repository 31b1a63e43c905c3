// Requests an emailed link: one mail at a time, with a pause before the next one.
import { Mailbox, MailCheck } from 'lucide-react'
import { type ComponentProps, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useCall } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'

/** The pause between two mails to the same address. */
const MAIL_PAUSE_SECONDS = 60

/** Requests a mail, and then blocks further requests for the pause. */
export function useMailRequest(request: (email: string) => Promise<unknown>) {
  /** The address that the last mail went to; undefined when the last request failed. */
  const [sentTo, setSentTo] = useState<string | undefined>()
  const [secondsLeft, startPause] = useCountdown(MAIL_PAUSE_SECONDS)
  const { call, setFailure, ...state } = useCall(async (email: string) => {
    if (secondsLeft > 0) return
    setSentTo(undefined)
    await request(email)
    setSentTo(email)
    startPause()
  })
  return { ...state, sentTo, secondsLeft, send: call, clearFailure: () => setFailure(undefined) }
}

export type MailRequest = ReturnType<typeof useMailRequest>

const TICK_MS = 250

/** @returns the seconds left, 0 after the countdown, and a function that restarts it */
function useCountdown(seconds: number): [secondsLeft: number, start: () => void] {
  const [untilMs, setUntilMs] = useState(0)
  const [remainingSeconds, setRemainingSeconds] = useState(0)
  useEffect(() => {
    if (!untilMs) return
    // Measures the elapsed time instead of counting ticks: background pages get few ticks.
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((untilMs - performance.now()) / 1000))
      setRemainingSeconds(seconds)
      if (seconds === 0) setUntilMs(0)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [untilMs])
  const start = useCallback(() => {
    setUntilMs(performance.now() + seconds * 1000)
    setRemainingSeconds(seconds)
  }, [seconds])
  return [remainingSeconds, start]
}

type MailButtonProps = ComponentProps<typeof Button> & {
  mail: Pick<MailRequest, 'isBusy' | 'secondsLeft'>
  label: string
}

/** Requests a mail: is busy meanwhile, and then counts down until the next request is possible. */
export function MailButton({ mail, label, ...rest }: MailButtonProps) {
  const { isBusy, secondsLeft } = mail
  return (
    <Button
      busyLabel={texts.mails.sendingLink}
      {...rest}
      isBusy={isBusy}
      aria-disabled={secondsLeft > 0}
    >
      {secondsLeft > 0 ? texts.mailNotices.sendAgainIn(secondsLeft) : label}
    </Button>
  )
}

type LinkRequestedProps = { isInOutbox: boolean; outboxText: ReactNode; sentText: ReactNode }

/** Says after a request that the link was sent or, if the server sends no mail, stored there. */
export function LinkRequested({ isInOutbox, outboxText, sentText }: LinkRequestedProps) {
  return isInOutbox ? (
    <Alert kind="warn" Icon={Mailbox} isQuiet>
      {texts.outboxMails.noMail} {outboxText}
    </Alert>
  ) : (
    <Alert kind="ok" Icon={MailCheck} isQuiet>
      {sentText}
    </Alert>
  )
}
