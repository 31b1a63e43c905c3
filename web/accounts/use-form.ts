// What every form of an account does: one submit at a time, the failure kept until the next try,
// fields untouched.
import { type SyntheticEvent, useRef, useState } from 'react'
import { type FormFailure, formFailureOf } from './form-failure.ts'

/**
 * What was thrown is shown above the form, and so is a failure that is returned; undefined means it
 * worked.
 */
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
