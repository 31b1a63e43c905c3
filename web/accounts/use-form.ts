// Sends what a form or a button of an account asks for: one call at a time; a failure is shown
// until the next call, and fields keep their values.
import { type SyntheticEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useCountdown } from '../ui/use-countdown.ts'
import { type FormFailure, formFailureOf } from './form-failure.ts'
import { returnStateOf } from './return-path.ts'

/** Reads a field of the form, as typed. */
export type Read = (name: string) => string

/** Between two mails to the same address. */
const MAIL_PAUSE_SECONDS = 60

/** @param send makes the call; what it throws is the `failure` */
export function useCall<Values extends unknown[]>(send: (...values: Values) => Promise<unknown>) {
  // Two presses may come before anything is rendered.
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<FormFailure | undefined>()

  async function call(...values: Values): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      await send(...values)
    } catch (error) {
      setFailure(formFailureOf(error))
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  return { isBusy, failure, setFailure, call }
}

/** The same for a form. */
export function useForm(send: (read: Read, form: HTMLFormElement) => Promise<unknown>) {
  const { call, ...state } = useCall((form: HTMLFormElement) => send(readerOf(form), form))
  function handleSubmit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    void call(event.currentTarget)
  }
  return { ...state, handleSubmit }
}

export function readerOf(form: HTMLFormElement): Read {
  const values = new FormData(form)
  return (name) => String(values.get(name) ?? '')
}

/**
 * For the sign-in and sign-up forms: success leads to /dispatch, with the page that was asked for.
 * They leave no entry in the history: one press goes back to the page before.
 */
export function useAccountForm(send: (read: Read) => Promise<unknown>) {
  const location = useLocation()
  const navigate = useNavigate()
  return useForm(async (read) => {
    await send(read)
    await navigate('/dispatch', { replace: true, state: returnStateOf(location) })
  })
}

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
