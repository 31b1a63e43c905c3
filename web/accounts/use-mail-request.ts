// Asking for a mail: the call, what came of it, and the pause before the next one.
import { useRef, useState } from 'react'
import { useCountdown } from '../ui/use-countdown.ts'
import { type FormFailure, formFailureOf } from './form-failure.ts'
import { MAIL_PAUSE_SECONDS } from './mail-links-api.ts'

export type MailRequest = {
  isBusy: boolean
  /** The address that the last mail went to; undefined before, and when the last request failed. */
  sentTo: string | undefined
  failure: FormFailure | undefined
  /** Until the next mail may be asked for; 0 when it may be now. */
  secondsLeft: number
  /** Does nothing while it is busy or must wait. */
  send: (email: string) => Promise<void>
  clearFailure: () => void
}

/** @param request makes the call; what it throws is the `failure` */
export function useMailRequest(request: (email: string) => Promise<void>): MailRequest {
  // Two presses may come before anything is rendered.
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string | undefined>()
  const [failure, setFailure] = useState<FormFailure | undefined>()
  const [secondsLeft, startPause] = useCountdown(MAIL_PAUSE_SECONDS)

  async function send(email: string) {
    if (isSending.current || secondsLeft > 0) return
    isSending.current = true
    setBusy(true)
    setFailure(undefined)
    setSentTo(undefined)
    try {
      await request(email)
      setSentTo(email)
      startPause()
    } catch (error) {
      setFailure(formFailureOf(error))
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return { isBusy, sentTo, failure, secondsLeft, send, clearFailure: () => setFailure(undefined) }
}
