// Requesting an emailed link: one email at a time, and a pause before the next one.
import { Mailbox, MailCheck } from 'lucide-react'
import { type ComponentProps, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useCall } from '../forms/use-form.ts'
import { texts } from '../locales/texts.ts'
import { Alert } from '../ui/alert.tsx'
import { Button } from '../ui/button.tsx'

/** Between two mails to the same address. */
const MAIL_PAUSE_SECONDS = 60

/** Asks for a mail, and waits before the next one. */
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

/** @returns the seconds left, 0 when there is nothing to wait for, and how to start over */
function useCountdown(seconds: number): [secondsLeft: number, start: () => void] {
  const [untilMs, setUntilMs] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (!untilMs) return
    // By the time that has passed, not by counted ticks: a page in the background gets few.
    const timer = setInterval(() => {
      const now = Math.max(0, Math.ceil((untilMs - performance.now()) / 1000))
      setLeft(now)
      if (now === 0) setUntilMs(0)
    }, TICK_MS)
    return () => clearInterval(timer)
  }, [untilMs])
  const start = useCallback(() => {
    setUntilMs(performance.now() + seconds * 1000)
    setLeft(seconds)
  }, [seconds])
  return [left, start]
}

type MailButtonProps = ComponentProps<typeof Button> & {
  mail: Pick<MailRequest, 'isBusy' | 'secondsLeft'>
  label: string
}

/** Asks for a mail: busy meanwhile, then counting down to the next one. */
export function MailButton({ mail, label, ...rest }: MailButtonProps) {
  const { isBusy, secondsLeft } = mail
  return (
    <Button
      busyLabel={texts.mails.sendingLink}
      {...rest}
      isBusy={isBusy}
      aria-disabled={secondsLeft > 0}
    >
      {secondsLeft > 0 ? texts.mailNews.againIn(secondsLeft) : label}
    </Button>
  )
}

type LinkRequestedProps = { isKept: boolean; keptText: ReactNode; sentText: ReactNode }

/** After a link was asked for: it is on its way, or kept on a server that sends no mail. */
export function LinkRequested({ isKept, keptText, sentText }: LinkRequestedProps) {
  return isKept ? (
    <Alert kind="warn" Icon={Mailbox} isQuiet>
      {texts.outboxMails.noMail} {keptText}
    </Alert>
  ) : (
    <Alert kind="ok" Icon={MailCheck} isQuiet>
      {sentText}
    </Alert>
  )
}
