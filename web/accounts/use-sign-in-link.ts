// Asking for a sign-in link by e-mail: the call, what came of it, and the pause before the next.
import { useState } from 'react'
import { useLocation } from 'react-router'
import { useApi } from '../api/api-context.tsx'
import { useCountdown } from '../ui/use-countdown.ts'
import { type FormFailure, formFailureOf } from './form-failure.ts'
import { MAIL_PAUSE_SECONDS, requestSignInLink } from './mail-links-api.ts'
import { nextQueryOf } from './return-path.ts'

export function useSignInLink() {
  const api = useApi()
  const location = useLocation()
  const [isBusy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string | undefined>()
  const [failure, setFailure] = useState<FormFailure | undefined>()
  const [secondsLeft, startPause] = useCountdown(MAIL_PAUSE_SECONDS)

  async function send(email: string) {
    if (isBusy || secondsLeft > 0) return
    setBusy(true)
    setFailure(undefined)
    setSentTo(undefined)
    try {
      await requestSignInLink(api, email, nextQueryOf(location))
      setSentTo(email)
      startPause()
    } catch (error) {
      setFailure(formFailureOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, sentTo, failure, secondsLeft, send, clear: () => setFailure(undefined) }
}
