// Hooks that submit a form or make a call. Only one call runs at a time, a failure is shown until
// the next call, and the fields keep their values.
import { type SyntheticEvent, useRef, useState } from 'react'
import { type FormFailure, formFailureOf } from './form-failure.ts'

/** Reads a field of the form, as typed. */
export type Read = (name: string) => string

/** @param send makes the call; an error that it throws becomes the `failure` */
export function useCall<Values extends unknown[]>(send: (...values: Values) => Promise<unknown>) {
  // The user may press twice before React renders again.
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

/** Like {@link useCall}, for submitting a form. */
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
