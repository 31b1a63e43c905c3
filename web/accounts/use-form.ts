// What every form of an account does: one submit at a time; a failure is shown until the next one,
// and the fields keep their values.
import { type SyntheticEvent, useRef, useState } from 'react'
import { type FormFailure, formFailureOf } from './form-failure.ts'

/** A failure may be thrown or returned; undefined means success. */
export type Send = (values: FormData, form: HTMLFormElement) => Promise<FormFailure | undefined>

export function useForm(send: Send) {
  // Two presses may come before anything is rendered.
  const isSending = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<FormFailure | undefined>()

  async function submit(form: HTMLFormElement) {
    if (isSending.current) return
    isSending.current = true
    setBusy(true)
    setFailure(undefined)
    try {
      setFailure(await send(new FormData(form), form))
    } catch (error) {
      setFailure(formFailureOf(error))
    } finally {
      isSending.current = false
      setBusy(false)
    }
  }
  function handleSubmit(event: SyntheticEvent<HTMLFormElement>) {
    event.preventDefault()
    void submit(event.currentTarget)
  }
  return { isBusy, failure, handleSubmit }
}

/** The text of a field as typed; a file cannot be there. */
export function textOf(values: FormData, name: string): string {
  const value = values.get(name)
  return typeof value === 'string' ? value : ''
}
